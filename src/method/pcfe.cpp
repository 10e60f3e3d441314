// PCFE (Artelt and Hammer 2020): plausible counterfactuals of linear, softmax and decision-tree classifiers
// by convex programs (pcfe_program.h), one for each Gaussian (full covariance) of the target class's mixture.
// For a tree there is one for each Gaussian and each leaf of the class, with the limits narrowed to the leaf.
// The closest solution is the answer. BIC decides the number of Gaussians, up to max-components. The
// threshold on the density is that of their paper; their public code has a looser one.
#include <algorithm>
#include <cmath>
#include <optional>

#include "method/leaves.h"
#include "method/methods.h"
#include "method/pcfe_program.h"
#include "plausibility/mixture/mixture_fit.h"
#include "scfe/error.h"
#include "validity/rounding.h"

namespace scfe {
namespace {

class PcfeRow {
 public:
  PcfeRow(const Query& query, std::span<const Ellipsoid> ellipsoids)
      : query_(query), ellipsoids_(ellipsoids) {
    const Model& model = query.fitted.model;
    if (model.ensemble() != nullptr)
      leaves_ = leaves_of_class(*model.ensemble(), query.target);
    else
      pieces_.emplace(model, query.fitted.space, query.target);
  }

  void run(const Row& row, ApgFound& point) const {
    point.w.assign(row.factual.size(), 0.0);
    double best = INFINITY;
    for (const Ellipsoid& ellipsoid : ellipsoids_) {
      point.timed_out = is_past(query_.deadline);
      if (point.timed_out) return;
      if (pieces_) attempt(row, row.lo, row.hi, ellipsoid, best, point);
      for (const LeafBox& leaf : leaves_) {
        std::vector<double> lo = row.lo, hi = row.hi;
        if (narrow(row, leaf, lo, hi)) attempt(row, lo, hi, ellipsoid, best, point);
      }
    }
  }

 private:
  // Narrows the limits to a leaf. False if they do not reach it.
  bool narrow(const Row& row, const LeafBox& leaf, std::vector<double>& lo, std::vector<double>& hi) const {
    const Space& space = query_.fitted.space;
    for (std::size_t j = 0; j < lo.size(); ++j) {
      lo[j] = std::max(lo[j], space.to_work(j, leaf.above[j]) - row.factual[j] + no_move);
      hi[j] = std::min(hi[j], space.to_work(j, leaf.up_to[j]) - row.factual[j]);
      if (lo[j] > hi[j]) return false;
    }
    return true;
  }

  void attempt(const Row& row, std::span<const double> lo, std::span<const double> hi,
               const Ellipsoid& ellipsoid, double& best, ApgFound& point) const {
    const PcfeAnswer answer = solve_pcfe_program({.factual = row.factual,
                                                  .lo = lo,
                                                  .hi = hi,
                                                  .weight = query_.fitted.space.weight(),
                                                  .ellipsoid = ellipsoid,
                                                  .pieces = pieces_ ? &*pieces_ : nullptr,
                                                  .required = aimed_margin(row.required),
                                                  .l1 = query_.options.norm == Norm::l1});
    if (answer.w.empty() || answer.cost >= best) return;
    best = answer.cost;
    point.valid = point.meets_floor = true;
    point.w = answer.w;
    for (double& w : point.w)
      if (std::abs(w) < no_move) w = 0;
  }

  const Query& query_;
  std::span<const Ellipsoid> ellipsoids_;
  std::optional<Pieces> pieces_;
  std::vector<LeafBox> leaves_;
};

}  // namespace

void check_pcfe(const MethodQuestion& question) {
  const Model& model = question.model;
  const bool tree = model.ensemble() != nullptr && is_single_tree(*model.ensemble());
  if (model.linear() == nullptr && !tree)
    throw Error("method",
                "a linear or softmax classifier or one decision tree for pcfe: only there the class is a "
                "convex set",
                model.ensemble() != nullptr ? "a tree ensemble" : "another model, such as a network");
  check_linear_method(question, "pcfe");
}

void solve_pcfe(const Query& query, std::span<const Row> rows, std::span<Found> found) {
  const Options& o = query.options;
  const Matrix class_rows =
      query.fitted.space.columns_of_short(query.fitted.class_rows[static_cast<std::size_t>(query.target)]);
  DensityOptions how;
  how.seed = o.seed;
  how.max_components = o.max_components;
  const std::vector<Ellipsoid> ellipsoids =
      plausible_ellipsoids(fit_mixture(class_rows, true, how).mixture, class_rows);
  const PcfeRow solver(query, ellipsoids);
  std::vector<ApgFound> points(rows.size());
  query.pool.each(points.size(), [&](std::size_t i) { solver.run(rows[i], points[i]); });
  write_answers(query, rows, points, found);
}

}  // namespace scfe
