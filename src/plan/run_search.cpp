#include "plan/run_search.h"

#include <algorithm>
#include <cstdint>

#include "solver/search/axis.h"

namespace scfe {
namespace {

SearchOptions search_options(const Problem& problem) {
  const Options& o = problem.options;
  return {.max_changes = o.max_changes,
          .fewest_first = o.fewest_first,
          .margin = problem.wished.validity.required(),
          .beam = o.beam,
          .screen = o.screen,
          .sweeps = o.sweeps,
          .rounds = o.rounds,
          .keep_beam = o.path};
}

// No gradient to follow: a tree ensemble, alone or somewhere inside a graph. Asked of the model alone, at
// points all over the work space, so that the choice does not depend on the rows.
bool is_flat(const Problem& problem) {
  if (problem.setting.model.ensemble() != nullptr) return true;
  constexpr std::size_t points = 16;
  const std::size_t columns = problem.setting.space.columns();
  Terms terms(problem.wished, points);
  Block u(columns, points), anchors(columns, points);
  std::uint32_t random = 1;
  for (std::size_t j = 0; j < columns; ++j)
    for (std::size_t lane = 0; lane < points; ++lane) {
      random = 1664525 * random + 1013904223;
      u[j][lane] = static_cast<float>(random >> 8) * 0x1p-24F;
    }
  terms.evaluate(u, anchors, {1, false, false});
  for (std::size_t j = 0; j < columns; ++j)
    for (std::size_t lane = 0; lane < points; ++lane)
      if (terms.margin_gradient(0)[j][lane] != 0) return false;
  return true;
}

}  // namespace

// The search over numbers alone knows supports, but no rules and no values to keep off, and needs gradients;
// otherwise the tables are the way.
bool needs_tables(const Problem& problem) {
  const bool ruled = std::ranges::any_of(
      problem.instances, [](const Instance& i) { return i.apart != nullptr || i.allowed != nullptr; });
  return ruled || is_flat(problem) || !problem.setting.rules.empty() ||
         has_listed_features(problem.setting.space, problem.setting.features);
}

namespace {

void search_once(const Problem& problem, std::span<const std::vector<Start>> starts, bool tables,
                 std::span<Found> found) {
  const SearchOptions options = search_options(problem);
  const SearchJob job{.wished = problem.wished,
                      .options = options,
                      .writing = problem.setting.writing,
                      .with_density = problem.options.density != DensityKind::none,
                      .starts = starts,
                      .deadline = problem.deadline,
                      .mixed = tables};
  search_rows(job, problem.instances, found, problem.pool);
}

// Another way of asking: typical answers first, which leads past other states, or more states at once.
struct Attempt {
  bool typical, wide;
};
constexpr Attempt attempts[] = {{true, false}, {false, true}, {true, true}};

// Below the floor only rules were seen to lead astray.
bool is_open(const Instance& instance, const Found& found) {
  if (instance.is_further()) return false;
  return found.status == Status::not_found ||
         (found.status == Status::below_floor && instance.links != nullptr);
}

// In the tables, where rules and levels make many dead ends. Of the open rows only answers that meet the
// question count.
void search_again(const Problem& problem, const Attempt& attempt, std::span<Found> found) {
  constexpr double guide = 0.1;  // quantile
  constexpr int beam = 32, screen = 48;
  std::vector<std::size_t> open;
  std::vector<Instance> instances;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Instance& instance = problem.instances[i];
    if (!is_open(instance, found[i]) || (attempt.typical && instance.floor)) continue;
    open.push_back(i);
    instances.push_back(instance);
    if (attempt.typical) instances.back().floor = floor_at(problem.setting.density, guide);
    instances.back().strict = !attempt.typical && instance.floor.has_value();
  }
  if (open.empty()) return;
  Options options = problem.options;
  if (attempt.wide) {
    options.beam = std::max(options.beam, beam);
    options.screen = std::max(options.screen, screen);
  }
  Problem rest{problem.setting, options,          problem.wished, problem.target,
               instances,       problem.deadline, problem.pool};
  std::vector<Found> other(open.size());
  search_once(rest, {}, true, other);
  for (std::size_t k = 0; k < open.size(); ++k) {
    Found& own = found[open[k]];
    const std::size_t gradients = own.gradients + other[k].gradients;
    const bool answered = other[k].status == Status::valid || other[k].status == Status::below_floor;
    if (answered) {
      own = std::move(other[k]);
      own.status = Status::valid;  // below a floor that nobody asked for
    }
    own.gradients = gradients;
  }
}

}  // namespace

void run_search(const Problem& problem, std::span<const std::vector<Start>> starts, std::span<Found> found) {
  const bool tables = needs_tables(problem);
  search_once(problem, starts, tables, found);
  if (!tables || !starts.empty()) return;
  const bool has_density = problem.options.density != DensityKind::none;
  const bool is_dear =
      problem.setting.model.ensemble() != nullptr;  // a state of its tables takes milliseconds
  for (const Attempt& attempt : attempts) {
    if (is_past(problem.deadline)) return;
    if ((!attempt.typical || has_density) && !(attempt.wide && is_dear))
      search_again(problem, attempt, found);
  }
}

}  // namespace scfe
