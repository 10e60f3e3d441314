// Cast and CastLike. Reals become integers by truncation, with gradient zero. All real types are stored as
// Real: a Cast to a type with fewer digits rounds, and the gradient passes through.
#include <cmath>
#include <limits>

#include "model/ops/elementwise.h"
#include "model/ops/lower.h"

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

// Numbers of TensorProto.DataType.
constexpr std::int32_t single = 1;
constexpr std::int64_t half_type = 10, brain_type = 16;

// A floating-point format: binary digits after the first, and the smallest and largest exponent.
struct Digits {
  int count, least, most;
};

// v rounded to the nearest number of the format; ties go to even.
float round_to(Digits digits, float v) {
  if (v == 0 || !std::isfinite(v)) return v;
  const int shift = digits.count - std::max(std::ilogb(v), digits.least);
  const float y = std::scalbn(std::nearbyint(std::scalbn(v, shift)), -shift);
  return std::ilogb(y) > digits.most ? std::copysign(std::numeric_limits<float>::infinity(), v) : y;
}

// Rounds by way of a float, as other runtimes do.
Real rounded(std::int64_t to, Real value) {
  const auto near = static_cast<float>(value);
  if (to == half_type) return round_to({10, -14, 15}, near);
  return to == brain_type ? round_to({7, -126, 127}, near) : near;
}

// y = x rounded to the type; dx = dy.
class Rounding : public Operator {
 public:
  Rounding(std::size_t rows, std::int64_t to) : rows_(rows), to_(to) {}
  void forward(const Forward& run) const override {
    for (std::size_t i = 0; i < rows_; ++i)
      for (std::size_t l = 0; l < run.lanes; ++l) row(run.y, i)[l] = rounded(to_, row(run.x[0], i)[l]);
  }
  void backward(const Backward& run) const override {
    for (std::size_t i = 0; i < rows_; ++i)
      for (std::size_t l = 0; l < run.lanes; ++l) row(run.dx[0], i)[l] = row(run.dy, i)[l];
  }
  bool overwrites() const override { return true; }
  bool reads_x() const override { return false; }
  std::optional<RowOrigin> origin(std::size_t i) const override {
    if (to_ != single) return std::nullopt;
    return RowOrigin{.row = i, .rounds = true};
  }

 private:
  std::size_t rows_;
  std::int64_t to_;
};

bool rounds(std::int64_t to) { return (to == single && is_double) || to == half_type || to == brain_type; }

Value round_rows(Builder& build, Value x, std::int64_t to) {
  if (!rounds(to)) return x;
  x.type = Type::real;
  return build.emit(std::make_unique<Rounding>(x.rows(), to), {x}, x.shape);
}

}  // namespace

Value as_declared(Builder& build, const Value& x, std::int32_t data_type) {
  return x.type == Type::real ? round_rows(build, x, data_type) : x;
}

Value as_single(Builder& build, const Value& x) { return as_declared(build, x, single); }

void lower_cast(Site& site) {
  const Value& x = site.in(0);
  const bool like = site.node().op == "CastLike";
  const std::int64_t to = like ? 0 : site.integer("to", single);
  Type type = like ? site.in(1).type : Type::real;
  if (!like) {
    if (to == 8)
      type = Type::text;
    else if (to == 9)
      type = Type::boolean;
    else if ((to >= 2 && to <= 7) || to == 12 || to == 13)
      type = Type::integer;
    else if (to != single && to != half_type && to != 11 && to != brain_type)
      site.fail("a type we take", "type " + std::to_string(to));
  }
  if (type == Type::text || x.type == Type::text) site.fail("numbers", "text");
  if (type == Type::boolean && x.type != Type::boolean) return site.out(0, unary(site.build, "Bool", x));
  if (type == x.type) return site.out(0, round_rows(site.build, x, to));
  if (x.constant) {
    Tensor tensor;
    tensor.type = type;
    tensor.shape = x.shape;
    for (std::size_t i = 0; i < x.constant->size(); ++i)
      type == Type::real ? tensor.reals.push_back(x.constant->real(i))
                         : tensor.integers.push_back(x.constant->integer(i));
    return site.out(0, round_rows(site.build, site.build.constant(std::move(tensor)), to));
  }
  Value result = type == Type::integer && x.type == Type::real ? unary(site.build, "Trunc", x) : x;
  result.type = type;
  site.out(0, round_rows(site.build, result, to));
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
