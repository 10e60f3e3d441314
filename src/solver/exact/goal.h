// Validity as sums over leaves: for each rival r of the target y
//
//     logits           base_y - base_r + sum (v_y - v_r)                    >= required
//     probabilities    base_y - e^required base_r + sum (v_y - e^required v_r)  >= 0
//
// which holds exactly where z_y - z_r >= required. A required probability sets y against all others together;
// an output that has to reach [lo, hi] has two rivals, z - lo and hi - z.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "model/trees/ensemble.h"

namespace scfe {

struct ExactOptions;

class ExactGoal {
 public:
  ExactGoal(const Ensemble& ensemble, const ExactOptions& options);

  std::size_t rivals() const { return base_.size(); }
  std::span<const double> base() const { return base_; }
  // What each sum has to reach, less the possible rounding error.
  double needed() const { return needed_ + (probabilities_ ? 0 : extra_); }
  // The extra margin of one row. It is checked on scores, because sums of probabilities cannot express it.
  void set_extra(double margin) { extra_ = margin; }
  bool sums_suffice() const { return extra_ == 0 || !probabilities_; }
  // The value of a leaf for each rival; leaves are counted in the order of the ensemble's nodes.
  std::span<const double> leaf_value(std::uint32_t number) const {
    return {leaf_values_->data() + number * rivals(), rivals()};
  }
  // True if the sums are valid, as far as sums can decide.
  bool granted(std::span<const double> sums) const;

  // The margin of the model's scores, and whether it suffices. A tie does not.
  double margin(std::span<const double> z) const;
  // The least and the largest margin over scores between two bounds.
  double least_margin(std::span<const double> least, std::span<const double> most) const {
    return margin_between(least, most);
  }
  double most_margin(std::span<const double> least, std::span<const double> most) const {
    return margin_between(most, least);
  }
  bool holds(double margin) const { return margin >= required_ + extra_ && (by_probability_ || margin > 0); }

 private:
  void add_leaves();
  double sum_of(std::span<const double> v, std::size_t rival, double one) const;
  double margin_between(std::span<const double> own, std::span<const double> others) const;

  const Ensemble& ensemble_;
  std::size_t scores_, target_;
  double required_, needed_ = 0, odds_ = 1, extra_ = 0;
  std::optional<double> lo_, hi_;
  bool by_probability_, probabilities_, reaches_;
  std::vector<double> base_;
  std::shared_ptr<const std::vector<double>> leaf_values_;  // copies share them
};

}  // namespace scfe
