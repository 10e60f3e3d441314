// y = f(x) element by element; dx = dy f'(x), 0 where dy is 0. Steps (Floor, Sign, Not ...) have gradient
// zero.
#include <cmath>

#include "model/ops/elementwise.h"
#include "model/ops/lower.h"
#include "scfe/error.h"

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

// How y follows x: monotone, by the sign of x alone, the same for all numbers (but not for NaN), or
// otherwise.
enum class UnaryWay { any, monotone, sign, number };

// slope is a function of x and y, or nullptr if the gradient is zero.
template <auto value, auto slope, UnaryWay way>
class Unary : public Operator {
 public:
  explicit Unary(std::size_t rows) : rows_(rows) {}

  void forward(const Forward& run) const override {
    for (std::size_t i = 0; i < rows_; ++i) {
      const Real* x = row(run.x[0], i);
      Real* y = row(run.y, i);
      for (std::size_t l = 0; l < run.lanes; ++l) y[l] = value(x[l]);
    }
  }
  void backward([[maybe_unused]] const Backward& run) const override {
    if constexpr (smooth) {
      for (std::size_t i = 0; i < rows_; ++i) {
        const Real *x = row(run.x[0], i), *y = row(run.y, i), *dy = row(run.dy, i);
        Real* dx = row(run.dx[0], i);
        for (std::size_t l = 0; l < run.lanes; ++l) dx[l] = passed(dy[l], slope(x[l], y[l]));
      }
    }
  }
  bool differentiable() const override { return smooth; }
  bool overwrites() const override { return true; }
  bool reads_y() const override { return true; }
  double flops() const override { return static_cast<double>(rows_); }
  RowRule rule(std::size_t i) const override {
    RowRule rule{.reads = {{0, i}}};
    if constexpr (way != UnaryWay::any) {
      rule.kind = way == UnaryWay::monotone ? RowRule::Kind::monotone : RowRule::Kind::steps;
      rule.map = [](Real x, Real) -> Real { return value(x); };
      if (way == UnaryWay::sign) rule.keys = {0};
    }
    return rule;
  }

 private:
  static constexpr bool smooth = !std::is_same_v<std::remove_cvref_t<decltype(slope)>, std::nullptr_t>;
  std::size_t rows_;
};

template <auto value, auto slope, UnaryWay way = UnaryWay::any>
std::unique_ptr<Operator> make(std::size_t rows) {
  return std::make_unique<Unary<value, slope, way>>(rows);
}

struct UnaryRow {
  std::string_view op;
  std::unique_ptr<Operator> (*make)(std::size_t rows);
  Type type = Type::real;
};

constexpr UnaryRow unary_rows[] = {
    {"Neg", make<[](Real x) { return -x; }, [](Real, Real) { return -1.0F; }, UnaryWay::monotone>},
    {"Abs", make<[](Real x) { return std::abs(x); },
                 [](Real x, Real) { return (x > 0)   ? 1.0F
                                           : (x < 0) ? -1.0F
                                                     : 0.0F; }>},
    {"Sqrt",
     make<[](Real x) { return std::sqrt(x); }, [](Real, Real y) { return (y > 0) ? 0.5F / y : 0.0F; }>},
    {"Exp", make<[](Real x) { return std::exp(x); }, [](Real, Real y) { return y; }>},
    {"Log", make<[](Real x) { return std::log(x); }, [](Real x, Real) { return 1.0F / x; }>},
    {"Reciprocal", make<[](Real x) { return 1.0F / x; }, [](Real, Real y) { return -y * y; }>},
    {"Sin", make<[](Real x) { return std::sin(x); }, [](Real x, Real) { return std::cos(x); }>},
    {"Cos", make<[](Real x) { return std::cos(x); }, [](Real x, Real) { return -std::sin(x); }>},
    {"Tan", make<[](Real x) { return std::tan(x); }, [](Real, Real y) { return 1.0F + y * y; }>},
    {"Asin",
     make<[](Real x) { return std::asin(x); }, [](Real x, Real) { return 1.0F / std::sqrt(1.0F - x * x); }>},
    {"Acos",
     make<[](Real x) { return std::acos(x); }, [](Real x, Real) { return -1.0F / std::sqrt(1.0F - x * x); }>},
    {"Atan", make<[](Real x) { return std::atan(x); }, [](Real x, Real) { return 1.0F / (1.0F + x * x); }>},
    {"Sinh", make<[](Real x) { return std::sinh(x); }, [](Real x, Real) { return std::cosh(x); }>},
    {"Cosh", make<[](Real x) { return std::cosh(x); }, [](Real x, Real) { return std::sinh(x); }>},
    {"Asinh",
     make<[](Real x) { return std::asinh(x); }, [](Real x, Real) { return 1.0F / std::sqrt(x * x + 1.0F); }>},
    {"Acosh",
     make<[](Real x) { return std::acosh(x); }, [](Real x, Real) { return 1.0F / std::sqrt(x * x - 1.0F); }>},
    {"Atanh", make<[](Real x) { return std::atanh(x); }, [](Real x, Real) { return 1.0F / (1.0F - x * x); }>},
    {"Floor", make<[](Real x) { return std::floor(x); }, nullptr, UnaryWay::monotone>},
    {"Ceil", make<[](Real x) { return std::ceil(x); }, nullptr, UnaryWay::monotone>},
    {"Round", make<[](Real x) { return std::nearbyint(x); }, nullptr, UnaryWay::monotone>},
    {"Trunc", make<[](Real x) { return std::trunc(x); }, nullptr, UnaryWay::monotone>},
    {"Sign", make<[](Real x) { return (x > 0)   ? 1.0F
                                      : (x < 0) ? -1.0F
                                                : x; }, nullptr, UnaryWay::sign>},
    {"Not", make<[](Real x) { return x == 0 ? 1.0F : 0.0F; }, nullptr, UnaryWay::sign>, Type::boolean},
    {"Bool", make<[](Real x) { return x != 0 ? 1.0F : 0.0F; }, nullptr, UnaryWay::sign>, Type::boolean},
    {"IsNaN", make<[](Real x) { return std::isnan(x) ? 1.0F : 0.0F; }, nullptr, UnaryWay::number>,
     Type::boolean},
    {"IsPositiveInf", make<[](Real x) { return std::isinf(x) && !std::signbit(x) ? 1.0F : 0.0F; }, nullptr>,
     Type::boolean},
    {"IsNegativeInf", make<[](Real x) { return std::isinf(x) && std::signbit(x) ? 1.0F : 0.0F; }, nullptr>,
     Type::boolean},
    {"False", make<[](Real) { return 0.0F; }, nullptr>, Type::boolean},
    {"IsInf", make<[](Real x) { return std::isinf(x) ? 1.0F : 0.0F; }, nullptr>, Type::boolean},
};

}  // namespace

Value unary(Builder& build, std::string_view op, const Value& x) {
  for (const UnaryRow& row : unary_rows)
    if (row.op == op) {
      const Type type = row.type == Type::boolean ? Type::boolean : x.type;
      return build.emit(row.make(x.rows()), {x}, x.shape, type);
    }
  throw Error("unary operator", "a known one", std::string(op));
}

void lower_unary(Site& site) {
  std::string op = site.node().op;
  if (op == "IsInf") {
    const bool below = site.integer("detect_negative", 1) != 0,
               above = site.integer("detect_positive", 1) != 0;
    op = below && above ? "IsInf" : above ? "IsPositiveInf" : below ? "IsNegativeInf" : "False";
  }
  site.out(0, unary(site.build, op, site.in(0)));
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
