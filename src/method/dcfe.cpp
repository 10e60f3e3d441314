// DCFE (Zhang et al. 2023), reconstructed from its description in the S-CFE paper; there is no public code.
//
//     min  |d|²  +  beta |d|_1  +  tau |x - G(x_f)|²  +  gamma · loss(f(x), y)        d = x - x_f
//     G(x_f): density gravity of the k nearest rows of the wished class (plausibility/knn.h)
//
// The p = 1 case of the equation with the kNN term: `apg` with the soft threshold. Nothing limits the number
// of changes, so answers are dense.
#include "method/answer.h"
#include "method/methods.h"
#include "plausibility/knn/knn.h"

namespace scfe {

void check_dcfe(const MethodQuestion& /*question*/) {}

void solve_dcfe(const Problem& problem, std::span<Found> found) {
  const Options& o = problem.options;
  const Setting& setting = problem.setting;
  DensityOptions how;
  how.neighbours = o.neighbours;
  how.plain_gravity = o.plain_gravity;
  how.paper = o.paper_density;
  if (setting.space.has_categories()) how.group = setting.space.groups();
  const FittedDensity gravity = fit_knn(setting.class_rows[static_cast<std::size_t>(problem.target)], how);
  const Wished wished{setting.model, setting.space, problem.wished.validity, *gravity.density};

  const std::vector<Instance> instances = without_floor(problem.instances);
  Problem free = problem;
  free.instances = instances;
  Options l1 = o;
  l1.sparsity = SparsityKind::l1;
  l1.density = DensityKind::knn;
  const std::vector<ApgFound> points = run_apg(free, wished, l1);
  write_answers(problem, points, found);
}

}  // namespace scfe
