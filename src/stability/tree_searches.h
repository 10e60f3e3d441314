// What the searches in one ensemble share: its cells, made when first needed, and the last few displacements
// within a box that made a row lose its class. Threads share them; which displacements are there changes how
// soon an unstable row is found, never whether it is one.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "stability/tree_cells.h"

namespace scfe {

class TreeSearches {
 public:
  // Needs the ensemble for as long as it lives.
  explicit TreeSearches(const Ensemble& ensemble) : ensemble_(ensemble) {}

  const TreeCells& cells() {
    std::call_once(made_, [this] { cells_.emplace(ensemble_); });
    return *cells_;
  }

  using Way = std::shared_ptr<const std::vector<double>>;  // by input, from the middle of the box

  // The latest first.
  std::vector<Way> recent(const LeastTotal::Score& score) {
    const std::scoped_lock lock(mutex_);
    return of(score);
  }
  // Puts a way to the front.
  void use(const LeastTotal::Score& score, const Way& way) {
    const std::scoped_lock lock(mutex_);
    std::vector<Way>& ways = of(score);
    std::erase(ways, way);
    ways.insert(ways.begin(), way);
    if (ways.size() > most) ways.pop_back();
  }

 private:
  static constexpr std::size_t most = 8;

  std::vector<Way>& of(const LeastTotal::Score& score) {
    const auto known =
        std::ranges::find(ways_, score, &std::pair<LeastTotal::Score, std::vector<Way>>::first);
    if (known != ways_.end()) return known->second;
    return ways_.emplace_back(score, std::vector<Way>()).second;
  }

  const Ensemble& ensemble_;
  std::once_flag made_;
  std::optional<TreeCells> cells_;
  std::mutex mutex_;
  std::vector<std::pair<LeastTotal::Score, std::vector<Way>>> ways_;
};

}  // namespace scfe
