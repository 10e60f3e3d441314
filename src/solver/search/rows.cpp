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

// So many searches fill a block of the usual size. A model that prefers larger blocks gets as many more, but
// every thread its share of the rows.
std::size_t rows_in_flight(const Query& query, std::size_t rows) {
  constexpr std::size_t usual = 12;
  const std::size_t lanes = query.fitted.model.preferred_lanes(), threads = query.pool.threads();
  if (lanes <= Model::usual_lanes) return usual;
  return std::clamp((rows + threads - 1) / threads, usual, usual * lanes / Model::usual_lanes);
}

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
  const std::size_t most = std::min(rows_in_flight(query, rows.size()), rows.size());
  std::atomic<std::size_t> next = 0;
  query.pool.run([&](std::size_t) {
    Terms terms(query, query.fitted.model.preferred_lanes());
    Lanes lanes(terms, query.has_density(), query.deadline);
    std::vector<Slot> slots;
    slots.reserve(most);
    const auto take_row = [&](Slot& slot) {
      const std::size_t row = next++;
      if (row >= rows.size()) return false;
      const auto starts = way.starts.empty() ? std::span<const Start>{} : way.starts[row];
      slot.task.emplace(slot.search->run(rows[row], starts, found[row]));
      slot.task->start();
      return true;
    };
    for (std::size_t i = 0; i < most; ++i)
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
