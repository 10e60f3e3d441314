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

namespace scfe {

struct Feature;

// What a search with fewer changes left behind: the next one begins there.
struct WarmStart {
  std::size_t changes = 0;                // that it was allowed
  std::vector<double> answer;             // its closest answer as written; empty: it found none
  bool proven = false;                    // the answer is the closest with so many changes
  std::vector<std::vector<double>> beam;  // rows with as many changes, which one more may complete
};

struct Row : Factual {
  std::shared_ptr<const std::vector<Feature>> own;  // features with limits of this row alone; null: none
  std::vector<float> anchor;                        // what the density needs to know of x_f
  std::optional<double> floor;                      // least log-density
  double required = 0;                              // least margin; includes what rounding may take away
  Demand demand;
  std::shared_ptr<const WarmStart> warm_start;  // null: none

  bool rejects(std::span<const double> other) const { return demand.rejects(*this, other); }
};

}  // namespace scfe
