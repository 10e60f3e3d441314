// Many rows side by side: each thread has its own lanes and enough searches at a time to fill a block; a
// search that is done takes the next row.
#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>

#include "solver/search/mixed.h"
#include "solver/search/search.h"

namespace scfe {
namespace {

constexpr std::size_t block_lanes = 64;
constexpr std::size_t rows_in_flight = 12;

struct Slot {
  std::unique_ptr<RowSearch> search;
  std::optional<Task> task;
};

std::unique_ptr<RowSearch> make_search(Lanes& lanes, const SearchWay& way) {
  if (way.tables) return std::make_unique<MixedSearch>(lanes, way.effort);
  return std::make_unique<Search>(lanes, way.effort);
}

}  // namespace

void search_rows(const Query& query, const SearchWay& way, std::span<const Row> rows,
                 std::span<Found> found) {
  std::atomic<std::size_t> next = 0;
  query.pool.run([&](std::size_t) {
    Terms terms(query, block_lanes);
    Lanes lanes(terms, query.has_density(), query.deadline);
    std::vector<Slot> slots;
    slots.reserve(rows_in_flight);
    const auto take_row = [&](Slot& slot) {
      const std::size_t row = next++;
      if (row >= rows.size()) return false;
      const auto starts = way.starts.empty() ? std::span<const Start>{} : way.starts[row];
      slot.task.emplace(slot.search->run(rows[row], starts, found[row]));
      slot.task->start();
      return true;
    };
    for (std::size_t i = 0; i < std::min(rows_in_flight, rows.size()); ++i)
      if (!take_row(slots.emplace_back(Slot{make_search(lanes, way), std::nullopt}))) break;
    while (lanes.waiting()) {
      lanes.step();
      for (Slot& slot : slots) {
        if (!slot.task || !slot.task->finished()) continue;
        slot.task->rethrow();
        slot.task.reset();
        take_row(slot);
      }
    }
  });
}

}  // namespace scfe
