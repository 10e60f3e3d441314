// y = f(x) element by element; dx += dy f'(x). Steps (Floor, Sign, Not ...) have gradient zero.
#include <cmath>

#include "model/ops/elementwise.h"
#include "model/ops/lower.h"
#include "scfe/error.h"

namespace scfe::onnx {
namespace {

// slope is a function of x and y, or nullptr: gradient zero.
template <auto value, auto slope>
class Unary : public Operator {
 public:
  explicit Unary(std::size_t rows) : rows_(rows) {}

  void forward(const Forward& run) const override {
    for (std::size_t i = 0; i < rows_; ++i) {
      const float* x = row(run.x[0], i);
      float* y = row(run.y, i);
      for (std::size_t l = 0; l < run.lanes; ++l) y[l] = value(x[l]);
    }
  }
  void backward(const Backward& run) const override {
    if constexpr (smooth) {
      for (std::size_t i = 0; i < rows_; ++i) {
        const float *x = row(run.x[0], i), *y = row(run.y, i), *dy = row(run.dy, i);
        float* dx = row(run.dx[0], i);
        for (std::size_t l = 0; l < run.lanes; ++l) dx[l] = dy[l] * slope(x[l], y[l]);
      }
    } else {
      (void)run;
    }
  }
  bool differentiable() const override { return smooth; }
  bool overwrites() const override { return true; }
  bool reads_y() const override { return true; }
  double flops() const override { return static_cast<double>(rows_); }

 private:
  static constexpr bool smooth = !std::is_same_v<std::remove_cvref_t<decltype(slope)>, std::nullptr_t>;
  std::size_t rows_;
};

template <auto value, auto slope>
std::unique_ptr<Operator> make(std::size_t rows) {
  return std::make_unique<Unary<value, slope>>(rows);
}

struct Row {
  std::string_view op;
  std::unique_ptr<Operator> (*make)(std::size_t rows);
  Type type = Type::real;
};

constexpr Row rows[] = {
    {"Neg", make<[](float x) { return -x; }, [](float, float) { return -1.0F; }>},
    {"Abs", make<[](float x) { return std::abs(x); },
                 [](float x, float) { return (x > 0)   ? 1.0F
                                             : (x < 0) ? -1.0F
                                                       : 0.0F; }>},
    {"Sqrt",
     make<[](float x) { return std::sqrt(x); }, [](float, float y) { return (y > 0) ? 0.5F / y : 0.0F; }>},
    {"Exp", make<[](float x) { return std::exp(x); }, [](float, float y) { return y; }>},
    {"Log", make<[](float x) { return std::log(x); }, [](float x, float) { return 1.0F / x; }>},
    {"Reciprocal", make<[](float x) { return 1.0F / x; }, [](float, float y) { return -y * y; }>},
    {"Sin", make<[](float x) { return std::sin(x); }, [](float x, float) { return std::cos(x); }>},
    {"Cos", make<[](float x) { return std::cos(x); }, [](float x, float) { return -std::sin(x); }>},
    {"Tan", make<[](float x) { return std::tan(x); }, [](float, float y) { return 1.0F + y * y; }>},
    {"Asin", make<[](float x) { return std::asin(x); },
                  [](float x, float) { return 1.0F / std::sqrt(1.0F - x * x); }>},
    {"Acos", make<[](float x) { return std::acos(x); },
                  [](float x, float) { return -1.0F / std::sqrt(1.0F - x * x); }>},
    {"Atan",
     make<[](float x) { return std::atan(x); }, [](float x, float) { return 1.0F / (1.0F + x * x); }>},
    {"Sinh", make<[](float x) { return std::sinh(x); }, [](float x, float) { return std::cosh(x); }>},
    {"Cosh", make<[](float x) { return std::cosh(x); }, [](float x, float) { return std::sinh(x); }>},
    {"Asinh", make<[](float x) { return std::asinh(x); },
                   [](float x, float) { return 1.0F / std::sqrt(x * x + 1.0F); }>},
    {"Acosh", make<[](float x) { return std::acosh(x); },
                   [](float x, float) { return 1.0F / std::sqrt(x * x - 1.0F); }>},
    {"Atanh",
     make<[](float x) { return std::atanh(x); }, [](float x, float) { return 1.0F / (1.0F - x * x); }>},
    {"Floor", make<[](float x) { return std::floor(x); }, nullptr>},
    {"Ceil", make<[](float x) { return std::ceil(x); }, nullptr>},
    {"Round", make<[](float x) { return std::nearbyint(x); }, nullptr>},
    {"Trunc", make<[](float x) { return std::trunc(x); }, nullptr>},
    {"Sign", make<[](float x) { return (x > 0)   ? 1.0F
                                       : (x < 0) ? -1.0F
                                                 : x; }, nullptr>},
    {"Not", make<[](float x) { return x == 0 ? 1.0F : 0.0F; }, nullptr>, Type::boolean},
    {"Bool", make<[](float x) { return x != 0 ? 1.0F : 0.0F; }, nullptr>, Type::boolean},
    {"IsNaN", make<[](float x) { return std::isnan(x) ? 1.0F : 0.0F; }, nullptr>, Type::boolean},
    {"IsPositiveInf", make<[](float x) { return std::isinf(x) && !std::signbit(x) ? 1.0F : 0.0F; }, nullptr>,
     Type::boolean},
    {"IsNegativeInf", make<[](float x) { return std::isinf(x) && std::signbit(x) ? 1.0F : 0.0F; }, nullptr>,
     Type::boolean},
    {"False", make<[](float) { return 0.0F; }, nullptr>, Type::boolean},
    {"IsInf", make<[](float x) { return std::isinf(x) ? 1.0F : 0.0F; }, nullptr>, Type::boolean},
};

}  // namespace

Value unary(Builder& build, std::string_view op, const Value& x) {
  for (const Row& row : rows)
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

// Reals become integers by truncation: gradient zero. Everything is held as float, so that widening and
// narrowing within a kind change nothing.
void lower_cast(Site& site) {
  const Value& x = site.in(0);
  const bool like = site.node().op == "CastLike";
  const std::int64_t to = like ? 0 : site.integer("to", 1);
  Type type = like ? site.in(1).type : Type::real;
  if (!like) {
    if (to == 8)
      type = Type::text;
    else if (to == 9)
      type = Type::boolean;
    else if ((to >= 2 && to <= 7) || to == 12 || to == 13)
      type = Type::integer;
    else if (to != 1 && to != 10 && to != 11 && to != 16)
      site.fail("a type we take", "type " + std::to_string(to));
  }
  if (type == Type::text || x.type == Type::text) site.fail("numbers", "text");
  if (type == Type::boolean && x.type != Type::boolean) return site.out(0, unary(site.build, "Bool", x));
  if (type == x.type) return site.out(0, x);
  if (x.constant) {
    Tensor tensor;
    tensor.type = type;
    tensor.shape = x.shape;
    for (std::size_t i = 0; i < x.constant->size(); ++i)
      type == Type::real ? tensor.reals.push_back(x.constant->real(i))
                         : tensor.integers.push_back(x.constant->integer(i));
    return site.out(0, site.build.constant(std::move(tensor)));
  }
  Value result = type == Type::integer && x.type == Type::real ? unary(site.build, "Trunc", x) : x;
  result.type = type;
  site.out(0, result);
}

}  // namespace scfe::onnx
