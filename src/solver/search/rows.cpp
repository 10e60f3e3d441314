// Many rows side by side: each thread has its own lanes and a few searches in flight, enough to fill a
// block; whoever is free takes the next row.
#include <algorithm>
#include <atomic>
#include <optional>

#include "solver/search/mixed.h"
#include "support/parallel.h"

namespace scfe {
namespace {

constexpr std::size_t block_lanes = 64;
constexpr std::size_t rows_in_flight = 12;

template <class Solver>
struct Slot {
  Solver search;
  std::optional<Task> task;
};

template <class Solver>
void run_rows(const SearchJob& job, std::span<const Instance> instances, std::span<Found> found, Pool& pool) {
  std::atomic<std::size_t> next = 0;
  pool.run([&](std::size_t) {
    Terms terms(job.wished, block_lanes);
    Lanes lanes(terms, job.with_density, job.deadline);
    std::vector<Slot<Solver>> slots;
    slots.reserve(rows_in_flight);
    const auto take_row = [&](Slot<Solver>& slot) {
      const std::size_t row = next++;
      if (row >= instances.size()) return false;
      const auto starts = job.starts.empty() ? std::span<const Start>{} : job.starts[row];
      slot.task.emplace(slot.search.run(instances[row], starts, found[row]));
      slot.task->start();
      return true;
    };
    for (std::size_t i = 0; i < std::min(rows_in_flight, instances.size()); ++i) {
      Slot<Solver>& slot =
          slots.emplace_back(Slot<Solver>{Solver(lanes, job.options, job.writing), std::nullopt});
      if (!take_row(slot)) break;
    }
    while (lanes.waiting()) {
      lanes.step();
      for (Slot<Solver>& slot : slots) {
        if (!slot.task || !slot.task->finished()) continue;
        slot.task->rethrow();
        slot.task.reset();
        take_row(slot);
      }
    }
  });
}

// Further answers lie off the straight way, where rounding and the neighbouring supports cost more: the
// tables of moves around each.
void refine_further(const SearchJob& job, std::span<const Instance> instances, std::span<Found> found,
                    Pool& pool) {
  std::vector<std::size_t> open;
  std::vector<Instance> around;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!instances[i].is_further() || found[i].status != Status::valid) continue;
    open.push_back(i);
    const auto all = static_cast<std::size_t>(job.options.max_changes);
    around.emplace_back(instances[i]).footing = std::make_shared<const Footing>(
        Footing{.changes = all, .answer = found[i].values, .beam = {found[i].values}});
  }
  std::vector<Found> refined(open.size());
  run_rows<MixedSearch>(job, around, refined, pool);
  for (std::size_t k = 0; k < open.size(); ++k) {
    if (refined[k].status != Status::valid) continue;
    refined[k].gradients += found[open[k]].gradients;
    found[open[k]] = std::move(refined[k]);
  }
}

}  // namespace

void search_rows(const SearchJob& job, std::span<const Instance> instances, std::span<Found> found,
                 Pool& pool) {
  if (job.mixed) return run_rows<MixedSearch>(job, instances, found, pool);
  run_rows<Search>(job, instances, found, pool);
  if (std::ranges::any_of(instances, &Instance::is_further)) refine_further(job, instances, found, pool);
}

}  // namespace scfe
