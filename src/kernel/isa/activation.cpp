// Elementwise activations and their derivatives: y = f(x), dx = dy f'(x).
//
// There is one struct per activation; the formulas are in model/network/activation.cpp. Each is written so
// that it stays accurate for large |x| and nothing overflows into NaN: only e^-|x| is computed. NaN stays
// NaN.
#include "kernel/activation.h"

#include "kernel/isa/loops.h"

namespace scfe::kernel::SCFE_ISA {
namespace {

struct None {
  static Vec value(Vec x, float) { return x; }
  static Vec slope(Vec, float) { return spread(1.0F); }
};

struct Relu {
  static Vec value(Vec x, float) { return max(x, Vec{}); }
  static Vec slope(Vec x, float) { return x > 0.0F ? spread(1.0F) : Vec{}; }
};

struct Relu6 {
  static Vec value(Vec x, float upper) { return min(max(x, Vec{}), spread(upper)); }
  static Vec slope(Vec x, float upper) { return x > 0.0F && x < upper ? spread(1.0F) : Vec{}; }
};

struct LeakyRelu {
  static Vec value(Vec x, float slope) { return x > 0.0F ? x : x * slope; }
  static Vec slope(Vec x, float slope) { return x > 0.0F ? spread(1.0F) : spread(slope); }
};

struct Elu {
  static Vec value(Vec x, float alpha) { return x > 0.0F ? x : alpha * expm1(min(x, Vec{})); }
  static Vec slope(Vec x, float alpha) { return x > 0.0F ? spread(1.0F) : alpha * exp(min(x, Vec{})); }
};

struct Selu {
  static constexpr float alpha = 1.67326319217681884765625F, gamma = 1.05070102214813232421875F;
  static Vec value(Vec x, float) { return gamma * Elu::value(x, alpha); }
  static Vec slope(Vec x, float) { return gamma * Elu::slope(x, alpha); }
};

struct Celu {
  static Vec value(Vec x, float alpha) { return x > 0.0F ? x : alpha * expm1(min(x / alpha, Vec{})); }
  static Vec slope(Vec x, float alpha) { return x > 0.0F ? spread(1.0F) : exp(min(x / alpha, Vec{})); }
};

struct Sigmoid {
  static Vec value(Vec x, float) { return sigmoid(x); }
  static Vec slope(Vec x, float) {
    const Vec e = exp(-abs(x)), s = 1.0F / (e + 1.0F);
    return e * s * s;
  }
};

struct HardSigmoid {
  static Vec value(Vec x, float alpha) { return min(max(fma(x, alpha, 0.5F), Vec{}), spread(1.0F)); }
  static Vec slope(Vec x, float alpha) {
    const Vec line = fma(x, alpha, 0.5F);
    return line > 0.0F && line < 1.0F ? spread(alpha) : Vec{};
  }
};

struct HardSwish {
  static Vec value(Vec x, float) { return x * min(max(x / 6.0F + 0.5F, Vec{}), spread(1.0F)); }
  static Vec slope(Vec x, float) { return x <= -3.0F ? Vec{} : x < 3.0F ? x / 3.0F + 0.5F : spread(1.0F); }
};

struct Silu {
  static Vec value(Vec x, float beta) { return x * sigmoid(x * beta); }
  static Vec slope(Vec x, float beta) {
    const Vec bx = x * beta;
    return fma(bx, Sigmoid::slope(bx, 0), sigmoid(bx));
  }
};

struct Tanh {
  static Vec value(Vec x, float) { return tanh(x); }
  static Vec slope(Vec x, float) {  // 1 - tanh² = 4 e / (1 + e)², e = e^(-2|x|)
    return 4.0F * Sigmoid::slope(2.0F * x, 0);
  }
};

struct Softplus {
  static Vec value(Vec x, float) { return log1p_unit_plus(exp(-abs(x)), max(x, Vec{})); }
  static Vec slope(Vec x, float) { return sigmoid(x); }
};

struct Softsign {
  static Vec value(Vec x, float) { return x / (abs(x) + 1.0F); }
  static Vec slope(Vec x, float) {
    const Vec s = 1.0F / (abs(x) + 1.0F);
    return s * s;
  }
};

struct Gelu {
  // Phi(-|x|), the tail of the normal distribution, from the e^(-x²/2) that its density needs too.
  static Vec tail(Vec x, Vec bell) { return 0.5F * bell * erfc_scaled(abs(x) * 0.70710678118654752F); }
  static Vec bell(Vec x) { return exp(-0.5F * x * x); }
  static Vec cumulative(Vec x, Vec bell) {
    const Vec p = tail(x, bell);
    return x < 0.0F ? p : 1.0F - p;
  }
  static Vec value(Vec x, float) { return x * cumulative(x, bell(x)); }
  static Vec slope(Vec x, float) {
    const Vec b = bell(x);
    return fma(x, 0.39894228040143268F * b, cumulative(x, b));
  }
};

// 1/2 (1 + tanh u) = sigmoid(2u), which stays accurate for very negative u.
struct GeluTanh {
  static constexpr float scale = 1.5957691216057308F, cube = 0.044715F;             // 2 sqrt(2/pi)
  static Vec bounded(Vec x) { return max(min(x, spread(12.0F)), spread(-12.0F)); }  // saturated beyond
  static Vec value(Vec x, float) {
    const Vec b = bounded(x);
    return x * sigmoid(scale * b * fma(cube * b, b, 1.0F));
  }
  static Vec slope(Vec x, float) {
    const Vec b = bounded(x), u = scale * b * fma(cube * b, b, 1.0F);
    return fma(b * Sigmoid::slope(u, 0), scale * fma(3.0F * cube * b, b, 1.0F), sigmoid(u));
  }
};

// tanh(log(1 + e^x)) = n / (n + 2), n = e^x (e^x + 2); for x > 0 both are scaled by e^(-2x).
struct Mish {
  static Vec value(Vec x, float) {
    const Vec e = exp(-abs(x));
    const Vec n = x < 0.0F ? e * (e + 2.0F) : 2.0F * e + 1.0F;
    return x * (n / (n + (x < 0.0F ? spread(2.0F) : 2.0F * e * e)));
  }
  static Vec slope(Vec x, float) {  // t + x (1 - t²) sigmoid(x)
    const Vec e = exp(-abs(x)), one = spread(1.0F);
    const Vec n = x < 0.0F ? e * (e + 2.0F) : 2.0F * e + 1.0F;
    const Vec d = n + (x < 0.0F ? spread(2.0F) : 2.0F * e * e);
    const Vec s = (x < 0.0F ? e : one) / (e + 1.0F);
    const Vec f = (e + 1.0F) / d;
    return fma(x, s * (4.0F * f * f) * (x < 0.0F ? one : e * e), n / d);
  }
};

struct Erf {
  static Vec value(Vec x, float) { return erf(x); }
  static Vec slope(Vec x, float) { return 1.1283791670955126F * exp(-(x * x)); }
};

template <class F>
struct Forward {
  static Vec at(Vec x, Vec, float p) { return keep_nan(x, F::value(x, p)); }
};
template <class F>
struct Backward {
  static Vec at(Vec x, Vec dy, float p) { return keep_nan(x, dy * F::slope(x, p)); }
};

// Never inlined, so that whole vectors and the tail run the same instructions and give the same bits.
template <class F>
__attribute__((noinline)) void run(float p, const float* x, const float* dy, float* to, size_t count) {
  for (size_t i = 0; i < count; i += vec_lanes) store(to + i, F::at(load(x + i), load(dy + i), p));
}

template <class F>
void each(float p, const float* x, const float* dy, float* to, size_t count) {
  const size_t whole = count / vec_lanes * vec_lanes;
  run<F>(p, x, dy, to, whole);
  if (whole == count) return;
  float rest_x[vec_lanes] = {}, rest_dy[vec_lanes] = {}, rest[vec_lanes];
  for (size_t i = whole; i < count; ++i) rest_x[i - whole] = x[i], rest_dy[i - whole] = dy[i];
  run<F>(p, rest_x, rest_dy, rest, vec_lanes);
  for (size_t i = whole; i < count; ++i) to[i] = rest[i - whole];
}

using Loop = void (*)(float p, const float* x, const float* dy, float* to, size_t count);
struct Row {
  Loop value, slope;
};
template <class F>
constexpr Row row{each<Forward<F>>, each<Backward<F>>};

// In the order of kernel/activation.h.
constexpr Row rows[] = {row<None>,     row<Relu>,     row<Relu6>,       row<LeakyRelu>, row<Elu>,  row<Selu>,
                        row<Celu>,     row<Sigmoid>,  row<HardSigmoid>, row<HardSwish>, row<Silu>, row<Tanh>,
                        row<Softplus>, row<Softsign>, row<Gelu>,        row<GeluTanh>,  row<Mish>, row<Erf>};
static_assert(sizeof(rows) / sizeof(rows[0]) == activation_count);

}  // namespace

void activate(int kind, float parameter, const float* x, float* y, size_t count) {
  rows[kind].value(parameter, x, x, y, count);
}

void activate_gradient(int kind, float parameter, const float* x, const float* dy, float* dx, size_t count) {
  rows[kind].slope(parameter, x, dy, dx, count);
}

}  // namespace scfe::kernel::SCFE_ISA
