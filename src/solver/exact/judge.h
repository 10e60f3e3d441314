// The incumbent (best answer so far) of one row. A candidate replaces it if it is cheaper (or, if that is
// asked for, more plausible), valid by the ensemble itself, plausible enough and not rejected by the row's
// other demands.
#pragma once

#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "scfe/block.h"
#include "solver/exact/exact.h"
#include "solver/exact/goal.h"
#include "solver/exact/leaves.h"

namespace scfe {

struct Choice {
  double cost = 0;
  std::array<double, ExactLeaves::most_changes> value{};  // of the support's features, in order
};

class ExactJudge {
 public:
  static constexpr std::size_t batch = 64;
  enum class Mode { cheapest, cheapest_above_floor, most_plausible };

  ExactJudge(const ExactJob& job, const ExactGoal& goal);

  // Evaluates the factual. Returns false if its margin or its density is not finite.
  bool begin(const Row& row);
  bool factual_holds() const { return factual_holds_; }
  // True if it does but for its log q, or nobody can tell.
  bool factual_is_valid() const { return factual_unknown_ || goal_.holds(factual_margin_); }
  // Nobody can tell whether the factual holds for the library that trained the trees.
  bool factual_unknown() const { return factual_unknown_; }
  void set_mode(Mode mode);
  // Takes a known answer as the incumbent, if it is one in this mode too.
  void begin_with(std::span<const double> answer);
  Mode mode() const { return mode_; }

  void set_support(std::span<const std::uint16_t> features) {
    support_.assign(features.begin(), features.end());
  }
  // Only candidates cheaper than this can still matter.
  double limit() const { return limit_; }
  // Only candidates with at least this log q can still matter.
  double least_density() const {
    if (mode_ == Mode::cheapest_above_floor) return *row_->floor;
    return mode_ == Mode::most_plausible ? -merit_ : -INFINITY;
  }
  // True if the first candidate that is valid by its sums is the answer, up to rounding.
  bool plain() const {
    return mode_ == Mode::cheapest && !may_differ_ && row_->links == nullptr && !row_->demand.allows &&
           !row_->demand.differs && !row_->demand.is_redundant && goal_.sums_suffice();
  }
  // Takes at most `batch` candidates in ascending cost. True if one became the incumbent and no later one
  // can.
  bool look(std::span<const Choice> choices);
  bool out_of_time() const { return is_past(job_.deadline); }
  // How many more densities may be evaluated; a support that needs more is not finished.
  void allow(std::size_t densities) { allowed_densities_ = densities_ + densities; }
  bool exhausted() const { return densities_ >= allowed_densities_; }
  std::size_t densities() const { return densities_; }

  bool found() const { return found_; }
  double cost() const { return cost_; }
  // The cheapest candidate that holds for the file's own runtime and of which nobody can tell whether it does
  // for the library that trained the trees; infinite if there is none.
  double least_unknown() const { return least_unknown_; }
  // Fills values, support, margin and log-density.
  void answer(Found& found);

 private:
  void fill_values(const Choice& choice);
  // Evaluates values_. True if it holds both in the file's own runtime and in the training library.
  bool walk();
  void place(std::size_t lane);
  void evaluate_densities(std::size_t count);
  void keep(double cost, double log_density);

  const ExactJob& job_;
  const ExactGoal& goal_;
  const Row* row_ = nullptr;
  Mode mode_ = Mode::cheapest;
  std::vector<std::uint16_t> support_;
  bool may_differ_;
  std::vector<double> values_, inputs_, z_, least_z_, most_z_, columns_;
  Block u_, anchors_;
  std::vector<float> log_density_, scratch_;
  double margin_ = 0, factual_density_ = 0, factual_margin_ = 0;
  bool factual_holds_ = false, found_ = false, unknown_ = false, factual_unknown_ = false;
  double least_unknown_ = 0;
  double limit_ = 0, cost_ = 0, merit_ = 0;
  double best_margin_ = 0, best_density_ = 0;
  std::vector<double> best_values_;
  std::vector<std::uint16_t> best_support_;
  std::size_t densities_ = 0, allowed_densities_ = 0;
};

}  // namespace scfe
