// Maps an iterate of `apg` to the nearest row that can be written and is allowed (it lands there).
//
//     one-hot group   the vertex  argmin over open levels l of  |x - e_l|² / 2 + cost(own -> l) / 2;
//                     the factual's own level on a tie
//     number          the nearest multiple of its step inside the limits;
//                     slightly further in the same direction if rounding made it invalid (Attempt)
//     rules           derived columns are computed;
//                     of changes that exclude each other the shortest are undone;
//                     a broken equation or inequality is solved for one of its numbers;
//                     of a broken implication one feature is changed, or a change undone
//
// An iterate does not land if its row still breaks a rule or is rejected by the row's demands.
#pragma once

#include <span>
#include <vector>

#include "actionability/links.h"
#include "actionability/space.h"
#include "actionability/writing.h"
#include "query/row.h"

namespace scfe {

class Landing {
 public:
  struct Frame {
    const Space& space;
    const Writing& writing;
    int most_changes = 0;  // 0: any number
  };
  struct Attempt {
    double stretch = 1;    // of w
    bool outward = false;  // true: round away from the factual; false: to the nearest
  };

  explicit Landing(const Frame& frame) : frame_(frame) {}

  // True if it lands; row() is then the allowed row.
  bool operator()(const Row& asked, std::span<const double> w, const Attempt& attempt);
  const std::vector<double>& row() const { return row_; }

  // True if an iterate must first be mapped to an allowed row: it has levels, rules or other demands to meet.
  static bool is_needed(const Space& space, const Row& asked);

 private:
  double level(const Row& asked, std::size_t f, std::span<const double> w) const;
  double number(const Row& asked, std::size_t f, double w, const Attempt& attempt) const;
  void part(const Row& asked, std::span<const double> w);
  bool repair(const Row& asked);
  bool repair_with(const Row& asked, const Link& link, std::size_t f);
  bool repair_implication(const Row& asked, const Implication& rule);
  int changes(const Row& asked) const;

  Frame frame_;
  std::vector<double> row_, before_;
};

}  // namespace scfe
