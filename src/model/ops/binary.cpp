// y = f(a, b) element by element with numpy's broadcasting; comparisons have gradient zero.
//
// Addition, subtraction, multiplication and division by a constant become an Affine step instead, because it
// can merge with the linear map beside it.
#include <cmath>

#include "model/onnx/exact.h"
#include "model/ops/affine.h"
#include "model/ops/elementwise.h"
#include "model/ops/image_elementwise.h"
#include "model/ops/index.h"
#include "model/ops/lower.h"
#include "scfe/error.h"

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

struct Pair {
  Real a, b;
};
constexpr Real equal(Real a, Real b) { return a == b ? 1.0F : 0.0F; }
constexpr Real sum(Real a, Real b) { return a + b; }

[[maybe_unused]] bool in_order(const std::vector<std::uint32_t>& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i] != i) return false;
  return true;
}

using Rows = std::vector<std::uint32_t>;

// How y follows a and b: monotone in either (linear or not), by their order alone, or otherwise.
enum class BinaryWay { any, linear, quotient, monotone, order };

// slopes is a function of a, b and y, or nullptr if the gradient is zero.
template <auto value, auto slopes, BinaryWay way>
class Binary : public Operator {
 public:
  Binary(Rows a, Rows b) : a_(std::move(a)), b_(std::move(b)) {}

  void forward(const Forward& run) const override {
    for (std::size_t i = 0; i < a_.size(); ++i) {
      const Real *a = row(run.x[0], a_[i]), *b = row(run.x[1], b_[i]);
      Real* y = row(run.y, i);
      for (std::size_t l = 0; l < run.lanes; ++l) y[l] = value(a[l], b[l]);
    }
  }
  void backward([[maybe_unused]] const Backward& run) const override {
    if constexpr (smooth) {
      for (std::size_t i = 0; i < a_.size(); ++i) {
        const Real *a = row(run.x[0], a_[i]), *b = row(run.x[1], b_[i]);
        const Real *y = row(run.y, i), *dy = row(run.dy, i);
        if (run.dx[0].data) {
          Real* da = row(run.dx[0], a_[i]);
          for (std::size_t l = 0; l < run.lanes; ++l) da[l] += passed(dy[l], slopes(a[l], b[l], y[l]).a);
        }
        if (run.dx[1].data) {
          Real* db = row(run.dx[1], b_[i]);
          for (std::size_t l = 0; l < run.lanes; ++l) db[l] += passed(dy[l], slopes(a[l], b[l], y[l]).b);
        }
      }
    }
  }
  bool differentiable() const override { return smooth; }
  bool reads_y() const override { return true; }
  double flops() const override { return static_cast<double>(a_.size()); }
  std::optional<RowOrigin> origin([[maybe_unused]] std::size_t i) const override {
    if constexpr (std::is_same_v<decltype(value), Real (*)(Real, Real)>)
      if (value == equal)
        return RowOrigin{.kind = RowOrigin::Kind::equal, .row = a_[i], .key_operand = 1, .key_row = b_[i]};
    return std::nullopt;
  }
  RowRule rule(std::size_t i) const override {
    RowRule rule{.reads = {{0, a_[i]}, {1, b_[i]}}};
    if constexpr (way != BinaryWay::any) {
      rule.kind = way == BinaryWay::order ? RowRule::Kind::steps : RowRule::Kind::monotone;
      rule.map = value;
      rule.linear = way == BinaryWay::linear || way == BinaryWay::quotient;
      rule.first_only = way == BinaryWay::quotient;
    }
    return rule;
  }
  std::shared_ptr<const ImageOp> on_images() const override {
    if constexpr (!is_double && std::is_same_v<decltype(value), Real (*)(Real, Real)>)
      if (value == sum && in_order(a_) && in_order(b_)) return std::make_shared<ImageSum>();
    return nullptr;
  }

 private:
  static constexpr bool smooth = !std::is_same_v<std::remove_cvref_t<decltype(slopes)>, std::nullptr_t>;
  Rows a_, b_;
};

template <auto value, auto slopes, BinaryWay way = BinaryWay::any>
std::unique_ptr<Operator> make(Rows a, Rows b) {
  return std::make_unique<Binary<value, slopes, way>>(std::move(a), std::move(b));
}

enum class Result { same, boolean };
struct BinaryRow {
  std::string_view op;
  std::unique_ptr<Operator> (*make)(Rows a, Rows b);
  Result result = Result::same;
};

Real truth(bool value) { return value ? 1.0F : 0.0F; }

// The remainder with the sign of the divisor, as in Python.
Real modulo(Real a, Real b) {
  const Real rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

Pair power_slopes(Real a, Real b, Real y) {
  const Real by_a = b == 0 ? 0.0F : b * std::pow(a, b - 1.0F);
  return {by_a, a > 0 ? y * std::log(a) : 0.0F};
}

constexpr BinaryRow binary_rows[] = {
    {"Add", make<sum,
                 [](Real, Real, Real) {
                   return Pair{1, 1};
                 },
                 BinaryWay::linear>},
    {"Sub", make<[](Real a, Real b) { return a - b; },
                 [](Real, Real, Real) {
                   return Pair{1, -1};
                 },
                 BinaryWay::linear>},
    {"Mul", make<[](Real a, Real b) { return a * b; },
                 [](Real a, Real b, Real) {
                   return Pair{b, a};
                 },
                 BinaryWay::linear>},
    {"Div", make<[](Real a, Real b) { return a / b; },
                 [](Real, Real b, Real y) {
                   return Pair{1.0F / b, -y / b};
                 },
                 BinaryWay::quotient>},
    {"IntegerDiv", make<[](Real a, Real b) { return b == 0 ? 0.0F : std::trunc(a / b); }, nullptr>},
    {"Pow", make<[](Real a, Real b) { return std::pow(a, b); }, power_slopes>},
    {"Mod", make<modulo, nullptr>},
    {"Fmod", make<[](Real a, Real b) { return std::fmod(a, b); }, nullptr>},
    {"Min", make<[](Real a, Real b) { return std::isnan(a) || a < b ? a : b; },
                 [](Real a, Real b, Real) {
                   return a <= b ? Pair{1, 0} : Pair{0, 1};
                 },
                 BinaryWay::monotone>},
    {"Max", make<[](Real a, Real b) { return std::isnan(a) || b < a ? a : b; },
                 [](Real a, Real b, Real) {
                   return b <= a ? Pair{1, 0} : Pair{0, 1};
                 },
                 BinaryWay::monotone>},
    {"PRelu", make<[](Real a, Real b) { return a < 0 ? a * b : a; },
                   [](Real a, Real b, Real) {
                     return a < 0 ? Pair{b, a} : Pair{1, 0};
                   }>},
    {"Equal", make<equal, nullptr, BinaryWay::order>, Result::boolean},
    {"Less", make<[](Real a, Real b) { return truth(a < b); }, nullptr, BinaryWay::order>, Result::boolean},
    {"LessOrEqual", make<[](Real a, Real b) { return truth(a <= b); }, nullptr, BinaryWay::order>,
     Result::boolean},
    {"Greater", make<[](Real a, Real b) { return truth(a > b); }, nullptr, BinaryWay::order>,
     Result::boolean},
    {"GreaterOrEqual", make<[](Real a, Real b) { return truth(a >= b); }, nullptr, BinaryWay::order>,
     Result::boolean},
    {"And", make<[](Real a, Real b) { return truth(a != 0 && b != 0); }, nullptr>, Result::boolean},
    {"Or", make<[](Real a, Real b) { return truth(a != 0 || b != 0); }, nullptr>, Result::boolean},
    {"Xor", make<[](Real a, Real b) { return truth((a != 0) != (b != 0)); }, nullptr>, Result::boolean},
};

// x (op) constant as an Affine step; nullopt if it has no such form.
std::optional<Value> as_affine(Builder& build, std::string_view op, const Value& a, const Value& b,
                               const Shape& shape) {
  const bool left = a.constant != nullptr;  // constant (op) x
  const Value& x = left ? b : a;
  if (!(left || b.constant) || x.shape != shape || x.constant || x.type != Type::real) return std::nullopt;
  if (left && op == "Div") return std::nullopt;
  const Tensor& tensor = left ? *a.constant : *b.constant;
  const std::vector<std::uint32_t> from = broadcast_rows(left ? a.shape : b.shape, shape);
  std::vector<Real> scale(from.size(), 1.0F), shift(from.size(), 0.0F);
  for (std::size_t i = 0; i < from.size(); ++i) {
    const Real c = static_cast<Real>(tensor.real(from[i]));
    if (op == "Add")
      shift[i] = c;
    else if (op == "Mul")
      scale[i] = c;
    else if (op == "Div")
      scale[i] = 1.0F / c;
    else if (left)
      scale[i] = -1.0F, shift[i] = c;
    else
      shift[i] = -c;
  }
  return affine(build, x, std::move(scale), std::move(shift));
}

// Throws an Error for a sum or product with an integer that needs more digits than a Real has. The result
// would be as large, and it would be rounded silently.
void expect_exact(std::string_view op, const Value& a, const Value& b, const std::string& where) {
  if ((op != "Add" && op != "Sub" && op != "Mul") || (a.constant && b.constant)) return;
  for (const Value* x : {&a, &b}) {
    if (!x->constant || x->type != Type::integer) continue;
    for (const std::int64_t value : x->constant->integers)
      if (!is_exact(value))
        throw Error(where, "integers of at most " + std::string(is_double ? "53" : "24") + " bits",
                    std::to_string(value));
  }
}

// Never an Affine step, which may merge with others and would then round in another way.
Value binary_as_given(Builder& build, std::string_view op, const Value& a, const Value& b,
                      const std::string& where) {
  const Shape shape = broadcast(a.shape, b.shape, where);
  build.expect(shape);
  expect_exact(op, a, b, where);
  if (op == "Div" && a.type == Type::integer && b.type == Type::integer) op = "IntegerDiv";
  for (const BinaryRow& row : binary_rows)
    if (row.op == op)
      return build.emit(row.make(broadcast_rows(a.shape, shape), broadcast_rows(b.shape, shape)), {a, b},
                        shape, row.result == Result::boolean ? Type::boolean : a.type);
  throw Error(where, "a known operator", std::string(op));
}

}  // namespace

Value scalar(Builder& build, Real value) { return build.constant(real_tensor({}, {value})); }

Value binary(Builder& build, std::string_view op, const Value& a, const Value& b, const std::string& where) {
  const Shape shape = broadcast(a.shape, b.shape, where);
  build.expect(shape);
  expect_exact(op, a, b, where);
  if (op == "Add" || op == "Sub" || op == "Mul" || op == "Div")
    if (const auto result = as_affine(build, op, a, b, shape)) return *result;
  return binary_as_given(build, op, a, b, where);
}

void lower_binary(Site& site) {
  std::string op = site.node().op;
  if (op == "Mod" && site.integer("fmod", 0) == 1) op = "Fmod";
  if (op != "Pow") site.expect_one_type();
  const auto make = site.build.keeps_rounding() ? binary_as_given : binary;
  site.out(0, make(site.build, op, site.in(0), site.in(1), label(site.node())));
}

// Any number of operands: Sum, Mean, Min, Max.
void lower_sum(Site& site) {
  const std::string& op = site.node().op;
  Value total = site.in(0);
  for (std::size_t i = 1; i < site.inputs(); ++i)
    total =
        binary(site.build, op == "Min" || op == "Max" ? op : "Add", total, site.in(i), label(site.node()));
  if (op == "Mean")
    total = binary(site.build, "Mul", total, scalar(site.build, 1.0F / static_cast<Real>(site.inputs())),
                   label(site.node()));
  site.out(0, total);
}

void lower_prelu(Site& site) {
  // The slope broadcasts by numpy's rule, as the operator defines; it does not start at the channel axis.
  site.out(0, binary(site.build, "PRelu", site.in(0), site.in(1), label(site.node())));
}

// min(max(x, lower), upper); the bounds are attributes up to operator set 10, and inputs since.
void lower_clip(Site& site) {
  Value x = site.in(0);
  const std::string where = label(site.node());
  if (site.has(1))
    x = binary(site.build, "Max", x, site.in(1), where);
  else if (site.has("min"))
    x = binary(site.build, "Max", x, scalar(site.build, site.real("min", 0)), where);
  if (site.has(2))
    x = binary(site.build, "Min", x, site.in(2), where);
  else if (site.has("max"))
    x = binary(site.build, "Min", x, scalar(site.build, site.real("max", 0)), where);
  site.out(0, x);
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
