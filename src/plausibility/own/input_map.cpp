#include "plausibility/own/input_map.h"

#include <algorithm>
#include <cmath>

namespace scfe {

InputMap InputMap::of(const Space& space) {
  InputMap map;
  for (std::size_t f = 0; f < space.features(); ++f) {
    const std::size_t column = space.first(f);
    const bool category = space.is_category(f), coded = category && space.input_width(f) == 1;
    for (std::size_t i = 0; i < space.width(f); ++i) {
      map.input.push_back(static_cast<std::uint32_t>(space.input_of(f) + (coded ? 0 : i)));
      map.offset.push_back(category ? 0 : static_cast<float>(space.scaling().offset[column]));
      map.scale.push_back(coded      ? static_cast<float>(i)
                          : category ? 1
                                     : static_cast<float>(space.scaling().scale[column]));
    }
  }
  return map;
}

void InputMap::decode(const Block& u, Block& x) const {
  const std::size_t lanes = u.lanes();
  if (input.empty()) {
    for (std::size_t j = 0; j < u.features(); ++j) std::copy_n(u[j], lanes, x[j]);
    return;
  }
  for (std::size_t i = 0; i < x.features(); ++i) std::fill_n(x[i], lanes, 0.0F);
  for (std::size_t j = 0; j < input.size(); ++j) {
    float* to = x[input[j]];
    for (std::size_t lane = 0; lane < lanes; ++lane) to[lane] += offset[j] + scale[j] * u[j][lane];
  }
}

void InputMap::pull_back(const Block& input_gradient, Block& gradient) const {
  const std::size_t lanes = input_gradient.lanes();
  if (input.empty()) {
    for (std::size_t j = 0; j < gradient.features(); ++j) std::copy_n(input_gradient[j], lanes, gradient[j]);
    return;
  }
  for (std::size_t j = 0; j < input.size(); ++j) {
    const float* slope = input_gradient[input[j]];
    for (std::size_t lane = 0; lane < lanes; ++lane) gradient[j][lane] = scale[j] * slope[lane];
  }
}

void InputMap::save(ByteWriter& out) const {
  out.put_list(input);
  out.put_list(offset);
  out.put_list(scale);
}

InputMap InputMap::load(std::size_t columns, std::size_t inputs, ByteReader& in) {
  InputMap map{in.get_list<std::uint32_t>(), in.get_list<float>(), in.get_list<float>()};
  const std::size_t size = map.input.size();
  in.require(size == 0 ? columns == inputs : size == columns, "an input for each column", size);
  in.require(map.offset.size() == size && map.scale.size() == size, "a scale for each column",
             map.scale.size());
  for (std::size_t j = 0; j < size; ++j) {
    in.require(map.input[j] < inputs, "an input of the density", map.input[j]);
    in.require(std::isfinite(map.offset[j]) && std::isfinite(map.scale[j]), "a finite scale", j);
  }
  return map;
}

}  // namespace scfe
