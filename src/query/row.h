// One row of a question: the factual with its limits, and what an answer for it has to reach. Made by
// query/make_row.h. Whoever asks for more, such as a larger margin, asks with a changed copy.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "actionability/factual.h"
#include "query/demand.h"
#include "scfe/choices.h"

namespace scfe {

struct Feature;

// The result of a search with fewer changes, from which the next search starts.
struct WarmStart {
  std::size_t changes = 0;                // limit of that search
  std::vector<double> answer;             // its closest answer, as written; empty: none found
  bool proven = false;                    // no answer with that many changes is closer
  std::vector<std::vector<double>> beam;  // its last candidates, to which one change more is added
};

struct Row : Factual {
  std::shared_ptr<const std::vector<Feature>> own;  // features with this row's own limits; null: it has none
  std::vector<float> anchor;                        // what the density precomputes from x_f
  std::optional<double> floor;                      // least log-density
  BelowFloor below_floor = BelowFloor::most_plausible;  // what is given if no answer reaches it
  double required = 0;                                  // least margin, with an allowance for rounding
  Demand demand;
  std::shared_ptr<const WarmStart> warm_start;  // null: none

  bool rejects(std::span<const double> other) const { return demand.rejects(*this, other); }
  // True if the rules between features hold, as far as their features differ from the factual.
  bool keeps_rules(std::span<const double> other) const;
};

}  // namespace scfe
