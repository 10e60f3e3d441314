// Solving rows of one wished class, and saying what was found.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "scfe/explanation.h"
#include "plan/solve.h"

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

  // Where the next search may begin from this one's end, `footing` gets what it left (but for robust
  // answers).
  std::vector<Explanation> solve(const Options& options, std::span<const Instance> instances,
                                 std::vector<std::shared_ptr<const Footing>>* footing = nullptr) const;

  // Each row with other values as an answer, if it meets everything that is asked (and if there is time to
  // see that); certified where that is asked for.
  std::vector<std::optional<Explanation>> confirm(const Options& options, std::span<const Instance> instances,
                                                  std::span<const std::vector<double>> values) const;

 private:
  std::vector<Found> find(const Options& options, std::span<const Instance> instances) const;
  std::vector<Explanation> solve_stably(const Options& o, std::vector<Instance> instances) const;
  bool may_be(const Options& o, const Instance& instance, std::span<const double> values) const;
};

}  // namespace scfe
