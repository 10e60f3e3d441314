// What a solver found for one row, and where a search may begin.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scfe/explanation.h"

namespace scfe {

// A solver or a stage of the plan (plan/plan.cpp) that was asked for a row.
struct Tried {
  std::string_view name;
  bool kept = false;  // its answer took the place of the one before
};

struct Found {
  Status status = Status::not_found;
  std::vector<int> support;    // the features that change; `nearest_support` and Point hold columns
  std::vector<double> values;  // the whole row, as written
  double margin = 0, log_density = 0;
  std::vector<int> nearest_support;  // columns of the point that came closest, where nothing was found
  std::vector<double> nearest_w;
  std::size_t gradients = 0;
  bool timed_out = false;  // the answer stands, but there was no time to look for a closer one
  // The largest log q of a valid row, where that was searched for because none reaches the floor.
  std::optional<double> best_log_density;
  bool out_of_reach = false;      // no valid row within the limits reaches the floor, whatever its values
  bool proven = false;            // no other answer within the limits is closer
  double lower_bound = 0;         // of the cost of any answer (Space::cost)
  std::string note;               // for people, beside an answer
  std::string certificate;        // how close to the closest answer this one is, where that was asked
  Proof certified = Proof::none;  // what the certificate proves
  std::vector<std::vector<double>> beam = {};  // of a path: rows that one more change may complete
  std::vector<Tried> way = {};                 // all that was asked, in order; read by tests

  bool answered() const { return status == Status::valid || status == Status::below_floor; }
};

// Where a search begins instead of growing supports from nothing.
struct Start {
  std::vector<int> support;
  std::vector<double> w;
  bool uses_density = true;  // false: a start for the search that ignores the density
};

}  // namespace scfe
