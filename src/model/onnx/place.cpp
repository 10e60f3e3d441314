#include "model/onnx/place.h"

#include <numeric>

namespace {

// Only this many of the largest buffers share memory: the search for gaps takes quadratic time. The others
// get memory of their own.
constexpr std::size_t most_fitted = 4096;

}  // namespace

namespace scfe::onnx {

std::size_t place(std::vector<Life>& lives) {
  std::vector<std::size_t> order(lives.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return lives[a].rows > lives[b].rows; });
  std::vector<const Life*> placed;
  std::size_t total = 0;
  for (const std::size_t index : order) {
    Life& life = lives[index];
    if (!life.used) continue;
    if (placed.size() == most_fitted) {
      life.offset = total;
      total += life.rows;
      continue;
    }
    life.offset = 0;
    for (const Life* other : placed) {  // sorted by offset
      if (other->end < life.begin || life.end < other->begin) continue;
      if (other->offset >= life.offset + life.rows) continue;
      life.offset = std::max(life.offset, other->offset + other->rows);
    }
    const auto spot = std::upper_bound(placed.begin(), placed.end(), &life,
                                       [](const Life* a, const Life* b) { return a->offset < b->offset; });
    placed.insert(spot, &life);
    total = std::max(total, life.offset + life.rows);
  }
  return total;
}

}  // namespace scfe::onnx
