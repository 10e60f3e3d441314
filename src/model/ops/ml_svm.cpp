// ai.onnx.ml: SVMClassifier and SVMRegressor with linear, polynomial, sigmoid and radial kernels.
//
//     D_ij(x) = sum over the vectors of classes i and j of coefficient · K(x, vector) + rho_ij
//
// Regression: sum over the vectors of coefficient · K(x, vector) + rho.
// Two classes: D > 0 means class 0, so the score is -D. Several classes: see ops/duels.h.
// Output 1 equals that of ONNX Runtime: probabilities (ops/duels.h), or (-D, D), or all D_ij.
#include <algorithm>

#include "model/ops/activation.h"
#include "model/ops/dense.h"
#include "model/ops/duels.h"
#include "model/ops/elementwise.h"
#include "model/ops/lower.h"
#include "model/ops/ml_post.h"
#include "model/ops/sparse.h"

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

constexpr std::size_t max_weights = std::size_t{1} << 26;  // limit on pairs of classes x support vectors

// y_v = |x - vector_v|²
class SquaredDistances : public Operator {
 public:
  SquaredDistances(std::vector<Real> vectors, std::size_t features)
      : vectors_(std::move(vectors)), features_(features) {}

  void forward(const Forward& run) const override {
    for (std::size_t v = 0; v < vectors_.size() / features_; ++v) {
      Real* y = row(run.y, v);
      std::fill_n(y, run.lanes, 0.0F);
      for (std::size_t j = 0; j < features_; ++j) {
        const Real* x = row(run.x[0], j);
        const Real at = vectors_[v * features_ + j];
        for (std::size_t l = 0; l < run.lanes; ++l) y[l] += (x[l] - at) * (x[l] - at);
      }
    }
  }
  void backward(const Backward& run) const override {
    for (std::size_t v = 0; v < vectors_.size() / features_; ++v) {
      const Real* dy = row(run.dy, v);
      for (std::size_t j = 0; j < features_; ++j) {
        const Real* x = row(run.x[0], j);
        Real* dx = row(run.dx[0], j);
        const Real at = vectors_[v * features_ + j];
        for (std::size_t l = 0; l < run.lanes; ++l) dx[l] += 2.0F * dy[l] * (x[l] - at);
      }
    }
  }
  double flops() const override { return 3.0 * static_cast<double>(vectors_.size()); }
  std::size_t parameters() const override { return vectors_.size(); }

 private:
  std::vector<Real> vectors_;
  std::size_t features_;
};

struct Machine {
  std::size_t features, vectors, classes, pairs;
  std::vector<std::int64_t> per_class;
  std::vector<Real> support, coefficients, rho;
  std::vector<std::size_t> owner;  // the class of each vector
};

// Reorders the support vectors so that the classes alternate. In a duel, the coefficients of one class are
// positive and those of the other negative; summed class by class in single precision they would cancel
// badly.
void interleave(Machine& m) {
  std::vector<std::pair<double, std::size_t>> order;  // relative position within its class, vector
  std::vector<std::size_t> owner;
  for (std::size_t k = 0; k < m.classes; ++k)
    for (std::int64_t i = 0; i < m.per_class[k]; ++i) {
      order.emplace_back((static_cast<double>(i) + 0.5) / static_cast<double>(m.per_class[k]), owner.size());
      owner.push_back(k);
    }
  std::sort(order.begin(), order.end());
  const Machine old = m;
  m.owner.resize(m.vectors);
  for (std::size_t to = 0; to < m.vectors; ++to) {
    const std::size_t from = order[to].second;
    m.owner[to] = owner[from];
    for (std::size_t j = 0; j < m.features; ++j)
      m.support[to * m.features + j] = old.support[from * m.features + j];
    for (std::size_t k = 0; k + 1 < m.classes; ++k)
      m.coefficients[k * m.vectors + to] = old.coefficients[k * m.vectors + from];
  }
}

Machine read_machine(Site& site, std::size_t features) {
  Machine m{features,
            0,
            0,
            0,
            site.integers("vectors_per_class"),
            site.reals("support_vectors"),
            site.reals("coefficients"),
            site.reals("rho"),
            {}};
  m.classes = m.per_class.size();
  if (m.classes < 2 || m.classes > 4096)
    site.fail("support vectors of at least two classes", std::to_string(m.classes));
  for (const std::int64_t count : m.per_class) {
    if (count < 0 || count > (1 << 24)) site.fail("counts of support vectors", std::to_string(count));
    m.vectors += static_cast<std::size_t>(count);
  }
  m.pairs = m.classes * (m.classes - 1) / 2;
  if (features == 0 || m.vectors == 0 || m.support.size() != m.vectors * features)
    site.fail(std::to_string(m.vectors) + " support vectors of " + std::to_string(features) + " features",
              std::to_string(m.support.size()) + " numbers");
  if (m.coefficients.size() != m.vectors * (m.classes - 1) || m.rho.size() != m.pairs)
    site.fail("coefficients and rho for each pair of classes", "others");
  if (m.vectors > max_weights / m.pairs)
    site.fail("at most " + std::to_string(max_weights) + " weights",
              std::to_string(m.vectors) + " support vectors for " + std::to_string(m.pairs) + " pairs");
  interleave(m);
  return m;
}

// K(x, vector) for each support vector.
Value kernel_values(Site& site, const Value& x, const Machine& m) {
  Builder& build = site.build;
  const std::string kind = site.text("kernel_type", "LINEAR"), where = label(site.node());
  std::vector<Real> parameters = site.reals("kernel_params");
  parameters.resize(3, 0.0F);
  const Shape shape = {1, static_cast<std::int64_t>(m.vectors)};
  if (kind == "RBF") {
    const Value squares = build.emit(std::make_unique<SquaredDistances>(m.support, m.features), {x}, shape);
    return unary(build, "Exp", binary(build, "Mul", squares, scalar(build, -parameters[0]), where));
  }
  Value dot = dense(build, x, {m.vectors, m.features, m.support, {}}, 1, 1, shape);
  if (kind == "LINEAR") return dot;
  const Value line = binary(build, "Add", binary(build, "Mul", dot, scalar(build, parameters[0]), where),
                            scalar(build, parameters[1]), where);
  if (kind == "POLY") return binary(build, "Pow", line, scalar(build, parameters[2]), where);
  if (kind == "SIGMOID") return activate(build, line, kernel::activation_tanh);
  site.fail("LINEAR, POLY, RBF or SIGMOID", kind);
}

// D_ij for the pairs i < j in order: linear in the kernel values.
LinearMap duels(const Machine& m) {
  LinearMap map{m.pairs, m.vectors, std::vector<Real>(m.pairs * m.vectors, 0.0F), m.rho};
  std::size_t pair = 0;
  for (std::size_t i = 0; i < m.classes; ++i)
    for (std::size_t j = i + 1; j < m.classes; ++j, ++pair)
      for (std::size_t v = 0; v < m.vectors; ++v) {
        if (m.owner[v] == i) map.weight[pair * m.vectors + v] = m.coefficients[(j - 1) * m.vectors + v];
        if (m.owner[v] == j) map.weight[pair * m.vectors + v] = m.coefficients[i * m.vectors + v];
      }
  return map;
}

Value row_of(Site& site) {
  Value x = site.in(0);
  x.type = Type::real;
  if (x.shape.empty() || x.shape.size() > 2 || (x.shape.size() == 2 && x.shape[0] != 1))
    site.fail("a row of features", to_text(x.shape));
  return x;
}

}  // namespace

// Without support vectors, the coefficients are the weights of a linear function of x.
void lower_svm_regressor(Site& site) {
  const Value x = row_of(site);
  const std::int64_t supports = site.integer("n_supports", 0);
  Machine m{x.rows(),          0, 0, 0, {}, site.reals("support_vectors"), site.reals("coefficients"),
            site.reals("rho"), {}};
  if (site.integer("one_class", 0) != 0) site.fail("a regression", "one_class");
  if (supports < 0 || supports > (1 << 24) ||
      m.support.size() != static_cast<std::size_t>(supports) * m.features)
    site.fail(std::to_string(supports) + " support vectors of " + std::to_string(m.features) + " features",
              std::to_string(m.support.size()) + " numbers");
  m.vectors = static_cast<std::size_t>(supports);
  const std::size_t terms = m.vectors > 0 ? m.vectors : m.features;
  if (terms == 0 || m.coefficients.size() != terms || m.rho.size() != 1)
    site.fail(std::to_string(terms) + " coefficients and one rho", std::to_string(m.coefficients.size()));
  const Value of = m.vectors > 0 ? kernel_values(site, x, m) : x;
  site.out(0, dense(site.build, of, {1, terms, m.coefficients, m.rho}, 1, 1, {1, 1}));
}

void lower_svm_classifier(Site& site) {
  const Value x = row_of(site);
  const Machine m = read_machine(site, x.rows());
  Builder& build = site.build;
  const Value duel =
      dense(build, kernel_values(site, x, m), duels(m), 1, 1, {1, static_cast<std::int64_t>(m.pairs)});
  const bool two = m.classes == 2;
  const Value raw = two ? unary(build, "Neg", duel) : tournament(build, duel, m.classes);
  site.set_raw(raw);
  if (!site.wants(1) || m.classes > max_platt_classes) return;
  if (site.has("prob_a"))
    site.out(1, platt(site, duel, m.classes, site.reals("prob_a"), site.reals("prob_b")));
  else
    site.out(1, post_transform(site, two ? concat(build, {raw, duel}, 1) : duel));
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
