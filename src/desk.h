// Solving rows of one wished class, and saying what was found.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "scfe/explanation.h"
#include "solve.h"

namespace scfe {

Wish wish_of(const Options& options, const Model& model, int target);

// All that solving the rows of one wished class again and again has in common.
struct Desk {
  const Setting& setting;
  Validity validity;
  Wished wished;
  int target;
  std::optional<double> floor;
  Deadline deadline;
  Pool& pool;

  Desk(const Setting& setting, const Options& options, int target, Deadline deadline, Pool& pool);

  std::vector<Explanation> solve(const Options& options, std::span<const Instance> instances) const;

 private:
  std::vector<Found> find(const Options& options, std::span<const Instance> instances) const;
  std::vector<Explanation> solve_stably(const Options& o, std::vector<Instance> instances) const;
};

}  // namespace scfe
