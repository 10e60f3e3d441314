#include "model/onnx/element_type.h"

#include <bit>
#include <cstring>

#include "scfe/error.h"

namespace scfe::onnx {
namespace {

template <class T>
T load(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <class T>
Encoding integers_of() {
  return {sizeof(T), [](const char* from, Tensor& to) {
            to.integers.push_back(static_cast<std::int64_t>(load<T>(from)));
          }};
}

}  // namespace

float half(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000U) << 16U, exponent = (bits >> 10U) & 31U, fraction = bits & 1023U;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000U | fraction << 13U);
  if (exponent == 0) {
    const float small = static_cast<float>(fraction) / 16777216.0F;
    return sign ? -small : small;
  }
  return std::bit_cast<float>(sign | (exponent + 112U) << 23U | fraction << 13U);
}

float brain(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16U); }

Encoding encoding_of(std::int32_t data_type) {
  switch (data_type) {
    case 1:
      return {4, [](const char* from, Tensor& to) { to.reals.push_back(load<float>(from)); }};
    case 2:
    case 9:
      return integers_of<std::uint8_t>();
    case 3:
      return integers_of<std::int8_t>();
    case 4:
      return integers_of<std::uint16_t>();
    case 5:
      return integers_of<std::int16_t>();
    case 6:
      return integers_of<std::int32_t>();
    case 7:
      return integers_of<std::int64_t>();
    case 10:
      return {2, [](const char* f, Tensor& to) { to.reals.push_back(half(load<std::uint16_t>(f))); }};
    case 11:
      return {8, [](const char* f, Tensor& to) { to.reals.push_back(load<double>(f)); }};
    case 12:
      return integers_of<std::uint32_t>();
    case 13:
      return integers_of<std::uint64_t>();
    case 16:
      return {2, [](const char* f, Tensor& to) { to.reals.push_back(brain(load<std::uint16_t>(f))); }};
    default:
      return {0, nullptr};
  }
}

Type type_of(std::int32_t data_type, const std::string& where) {
  switch (data_type) {
    case 1:
    case 10:
    case 11:
    case 16:
      return Type::real;
    case 2:
    case 3:
    case 4:
    case 5:
    case 6:
    case 7:
    case 12:
    case 13:
      return Type::integer;
    case 8:
      return Type::text;
    case 9:
      return Type::boolean;
    default:
      throw Error(where, "a float, integer, boolean or string type",
                  "data type " + std::to_string(data_type));
  }
}

}  // namespace scfe::onnx
