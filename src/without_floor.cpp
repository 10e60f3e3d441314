#include "without_floor.h"

#include <utility>
#include <vector>

#include "run_search.h"
#include "solver/row_check.h"

namespace scfe {
namespace {

constexpr double few = 0.02;  // of the class: one row in fifty

}  // namespace

void ask_without_floor(const Problem& problem, std::span<Found> found) {
  if (problem.options.density == "none" || is_past(problem.deadline)) return;
  const bool tables = needs_tables(problem);
  std::vector<std::size_t> open;
  std::vector<Instance> instances;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Instance& instance = problem.instances[i];
    if (!instance.floor || instance.strict || instance.is_further()) continue;
    const bool faint = found[i].status == Status::below_floor &&
                       quantile_of(problem.setting.density, found[i].log_density) < few;
    if (!faint && !(found[i].status == Status::not_found && tables)) continue;
    open.push_back(i);
    instances.push_back(instance);
    instances.back().floor.reset();
  }
  if (open.empty()) return;
  Problem rest = problem;
  rest.instances = instances;
  std::vector<Found> other(open.size());
  solve(rest, other);
  for (std::size_t k = 0; k < open.size(); ++k) {
    Found& own = found[open[k]];
    const std::size_t gradients = own.gradients + other[k].gradients;
    if (other[k].status == Status::valid) {
      const Instance* asked = &problem.instances[open[k]];
      const Checked checked = RowCheck(problem.wished, 1)({&asked, 1}, {other[k].values})[0];
      own = std::move(other[k]);
      own.log_density = checked.log_density;
      own.status = checked.meets_floor ? Status::valid : Status::below_floor;
    }
    own.gradients = gradients;
  }
}

}  // namespace scfe
