// Many rows side by side: each thread has its own lanes and a few searches in flight, enough to fill a
// block; whoever is free takes the next row.
#include <atomic>
#include <optional>

#include "solver/mixed.h"
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
      const auto seeds = job.seeds.empty() ? std::span<const std::vector<int>>{} : job.seeds[row];
      slot.task.emplace(slot.search.run(instances[row], seeds, found[row]));
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

}  // namespace

void search_rows(const SearchJob& job, std::span<const Instance> instances, std::span<Found> found,
                 Pool& pool) {
  if (job.mixed)
    run_rows<MixedSearch>(job, instances, found, pool);
  else
    run_rows<Search>(job, instances, found, pool);
}

}  // namespace scfe
