// Where an iterate of `apg` comes down: the nearest row that can be written and is allowed.
//
//     one-hot group   the vertex  argmin over open levels l of  |x - e_l|² / 2 + cost(own -> l) / 2;
//                     the own one on a tie
//     number          the nearest multiple of its step inside the limits;
//                     a little further along the same way where rounding lost the decision (attempts)
//     rules           derived columns follow; of changes that may not stand together the shortest go back;
//                     a sum or an inequality that breaks is solved for one of its numbers
//
// A row that still breaks a rule, or that a further answer may not be, does not land.
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
    bool outward = false;  // round away from the factual, or to the nearest
  };

  explicit Landing(const Frame& frame) : frame_(frame) {}

  // Whether it lands; the row then stands in row().
  bool operator()(const Row& instance, std::span<const double> w, const Attempt& attempt);
  const std::vector<double>& row() const { return row_; }

  // True if an iterate must first be mapped to an allowed row: it has levels, rules or other demands to meet.
  static bool is_needed(const Space& space, const Row& instance);

 private:
  double level(const Row& instance, std::size_t f, std::span<const double> w) const;
  double number(const Row& instance, std::size_t f, double w, const Attempt& attempt) const;
  void part(const Row& instance, std::span<const double> w);
  bool repair(const Row& instance);
  bool repair_with(const Row& instance, const Link& link, std::size_t f);
  int changes(const Row& instance) const;

  Frame frame_;
  std::vector<double> row_, before_;
};

}  // namespace scfe
