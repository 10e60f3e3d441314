#include "method/pcfe_program.h"

#include <algorithm>
#include <cmath>

#include "method/cholesky.h"
#include "method/convex.h"

namespace scfe {
namespace {

class Builder {
 public:
  explicit Builder(const PcfeProgram& p) : p_(p) {
    for (std::size_t j = 0; j < p.factual.size(); ++j)
      if (p.hi[j] - p.lo[j] > no_room) free_.push_back(j);
  }

  ConvexProgram build() const {
    ConvexProgram program(p_.l1 ? 2 * free_.size() : free_.size());
    add_distance(program);
    add_class(program);
    return program;
  }

  // Adds the ellipsoid's section with the fixed columns held. False if they do not meet.
  bool add_ellipsoid(ConvexProgram& program) const {
    const std::size_t n = free_.size(), d = p_.factual.size();
    const Ellipsoid& e = p_.ellipsoid;
    std::vector<double> rest(d), factor(n * n), pull(n);
    double radius = e.radius;
    for (std::size_t j = 0; j < d; ++j) rest[j] = is_free(j) ? 0 : p_.factual[j] + p_.lo[j] - e.centre[j];
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < d; ++j) radius -= rest[i] * e.shape[i * d + j] * rest[j];
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = 0; i < n; ++i) factor[k * n + i] = e.shape[free_[k] * d + free_[i]];
      for (std::size_t j = 0; j < d; ++j) pull[k] += e.shape[free_[k] * d + j] * rest[j];
    }
    std::vector<double> shift = pull;
    std::vector<double> shape = factor;
    if (!factorise(factor, n)) return false;
    solve_factorised(factor, n, shift);
    for (std::size_t k = 0; k < n; ++k) radius += pull[k] * shift[k];
    if (radius <= 0) return false;
    const std::size_t variables = program.variables();
    program.radius = radius;
    program.shape.assign(variables * variables, 0.0);
    program.centre.assign(variables, 0.0);
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = 0; i < n; ++i) program.shape[k * variables + i] = shape[k * n + i];
      program.centre[k] = e.centre[free_[k]] - p_.factual[free_[k]] - shift[k];
    }
    return true;
  }

  std::vector<double> start(const ConvexProgram& program) const {
    const std::size_t n = free_.size();
    std::vector<double> x(program.variables());
    for (std::size_t k = 0; k < n; ++k) {
      x[k] = std::clamp(program.centre[k], p_.lo[free_[k]], p_.hi[free_[k]]);
      if (p_.l1) x[n + k] = std::abs(x[k]) + 0.5;
    }
    return x;
  }

  std::vector<double> moves(std::span<const double> x) const {
    std::vector<double> w(p_.lo.begin(), p_.lo.end());
    for (std::size_t k = 0; k < free_.size(); ++k) w[free_[k]] = x[k];
    return w;
  }

 private:
  bool is_free(std::size_t j) const { return p_.hi[j] - p_.lo[j] > no_room; }

  void add_distance(ConvexProgram& program) const {
    const std::size_t n = free_.size();
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t j = free_[k];
      program.add_box(k, p_.lo[j], p_.hi[j]);
      if (!p_.l1) {
        program.q[k] = p_.weight[j];
        continue;
      }
      program.c[n + k] = std::sqrt(p_.weight[j]);
      for (const double side : {1.0, -1.0}) {
        const std::span<double> row = program.add_row(0);
        row[k] = side;
        row[n + k] = -1;
      }
      program.add_row(1 + std::max(std::abs(p_.lo[j]), std::abs(p_.hi[j])))[n + k] = 1;
    }
  }

  void add_class(ConvexProgram& program) const {
    if (p_.pieces == nullptr) return;
    const Matrix& slope = p_.pieces->layers[0].weight;
    for (std::size_t r = 0; r < slope.rows; ++r) {
      double offset = p_.pieces->layers[0].bias[r];
      for (std::size_t j = 0; j < p_.factual.size(); ++j)
        offset += slope[r][j] * (p_.factual[j] + (is_free(j) ? 0 : p_.lo[j]));
      const std::span<double> row = program.add_row(offset - p_.required);
      for (std::size_t k = 0; k < free_.size(); ++k) row[k] = -slope[r][free_[k]];
    }
  }

  const PcfeProgram& p_;
  std::vector<std::size_t> free_;
};

}  // namespace

std::vector<Ellipsoid> plausible_ellipsoids(const GaussianMixture& mixture, const Matrix& rows) {
  const std::size_t d = mixture.features();
  const Whitened whitened = whiten(mixture);
  std::vector<double> exponents(mixture.components()), least;
  // e_k of plausibility/mixture/gaussian.h is -1/2 (Mahalanobis² + c_k).
  for (std::size_t i = 0; i < rows.rows; ++i) {
    (void)log_density(mixture, whitened, rows[i], exponents);
    least.push_back(-2 * *std::max_element(exponents.begin(), exponents.end()));
  }
  std::sort(least.begin(), least.end());
  const std::size_t half = least.size() / 2;
  const double threshold = least.size() % 2 == 1 ? least[half] : (least[half - 1] + least[half]) / 2;
  std::vector<Ellipsoid> ellipsoids;
  for (std::size_t k = 0; k < mixture.components(); ++k) {
    Ellipsoid e{std::vector<double>(d * d),
                {mixture.means[k].begin(), mixture.means[k].end()},
                threshold + 2 * whitened.log_weights[k]};
    const std::span<const double> a = mixture.part(whitened.factors, k);
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < d; ++j)
        for (std::size_t r = 0; r < d; ++r) e.shape[i * d + j] += a[r * d + i] * a[r * d + j];
    if (e.radius > 0) ellipsoids.push_back(std::move(e));
  }
  return ellipsoids;
}

PcfeAnswer solve_pcfe_program(const PcfeProgram& p) {
  const Builder builder(p);
  ConvexProgram program = builder.build();
  if (program.variables() == 0 || !builder.add_ellipsoid(program)) return {};
  const ConvexAnswer solved = solve_convex(program, builder.start(program));
  if (!solved.feasible) return {};
  return {builder.moves(solved.x), solved.value};
}

}  // namespace scfe
