// DCFE (Zhang et al. 2023), reconstructed from its description in the S-CFE paper; there is no public code.
//
//     min  |d|²  +  beta |d|_1  +  tau |x - G(x_f)|²  +  gamma · loss(f(x), y)        d = x - x_f
//     G(x_f): density gravity of the k nearest rows of the target class (plausibility/knn/knn.h)
//
// This is the equation with p = 1 and the kNN term, solved by `apg` with soft thresholding. The number of
// changes has no limit, so answers are dense.
#include "method/methods.h"
#include "plan/paper.h"
#include "plausibility/knn/knn.h"
#include "query/make_row.h"

namespace scfe {

void solve_dcfe(const Query& query, std::span<const Row> rows, std::span<Found> found) {
  const Options& o = query.options;
  const Fitted& fitted = query.fitted;
  DensityOptions how;
  how.neighbours = o.neighbours;
  how.plain_gravity = o.plain_gravity;
  how.gravity_metric = o.gravity_metric;
  how.paper = o.paper_density;
  if (fitted.space.has_categories()) how.group = fitted.space.groups();
  const FittedDensity gravity =
      fit_knn(fitted.space.columns_of_short(fitted.class_rows[static_cast<std::size_t>(query.target)]), how);

  const Fitted near = fitted.with(gravity);
  std::vector<Row> free = without_floor(rows);
  for (Row& row : free) set_anchor(near, row);
  Options l1 = o;
  l1.sparsity = SparsityKind::l1;
  l1.density = DensityKind::knn;
  const std::vector<ApgFound> points = run_apg(query.with(near).with(l1), free);
  write_answers(query, rows, points, found);
}

}  // namespace scfe
