// How changes are counted: the columns of a one-hot group count as one, other columns by themselves.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "sparsity/prox.h"

namespace scfe {

class Groups {
 public:
  // Groups are ordered by their first column. If Sparsity::group is empty, each column is its own group.
  explicit Groups(const Sparsity& sparsity) : one_hot_(sparsity.one_hot) {
    const std::vector<int>& group = sparsity.group;
    std::vector<int> numbers;
    for (const int number : group)
      if (std::find(numbers.begin(), numbers.end(), number) == numbers.end()) numbers.push_back(number);
    for (const int number : numbers) {
      start_.push_back(columns_.size());
      for (std::size_t j = 0; j < group.size(); ++j)
        if (group[j] == number) columns_.push_back(j);
    }
    if (!group.empty()) start_.push_back(columns_.size());
  }

  // True if the group's columns are shares of one whole (one_hot.h) instead of separate variables in a box.
  bool is_one_hot(std::size_t g) const { return one_hot_ && !single() && start_[g + 1] - start_[g] > 1; }
  bool single() const { return start_.empty(); }
  std::size_t count(std::size_t features) const { return start_.empty() ? features : start_.size() - 1; }

  template <class Visit>
  void for_each_column(std::size_t g, Visit visit) const {
    if (start_.empty()) {
      visit(g);
    } else {
      for (std::size_t i = start_[g]; i < start_[g + 1]; ++i) visit(columns_[i]);
    }
  }

  // The number of groups of a lane that change.
  std::size_t moved(const Block& w, std::size_t lane) const {
    std::size_t changes = 0;
    for (std::size_t g = 0; g < count(w.features()); ++g) {
      bool moves = false;
      for_each_column(g, [&](std::size_t j) { moves = moves || w[j][lane] != 0; });
      changes += moves;
    }
    return changes;
  }

 private:
  bool one_hot_;
  std::vector<std::size_t> columns_, start_;
};

// The decrease of (v - w)² from w = 0 to w = z:  v² - (v - z)²  =  z (2 v - z). The product avoids
// cancellation for huge v.
inline double gain(float v, double z) { return z * (2.0 * v - z); }

}  // namespace scfe
