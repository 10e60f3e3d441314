#include "validity/validity.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <string>

#include "scfe/error.h"

namespace scfe {
namespace {

// log sum_{i != skip} exp z_i of one lane, computed relative to the largest z_i.
float log_sum_exp_except(const Block& scores, std::size_t lane, std::size_t skip) {
  float peak = -INFINITY;
  for (std::size_t i = 0; i < scores.features(); ++i)
    if (i != skip) peak = std::max(peak, scores[i][lane]);
  if (std::isinf(peak)) return peak;
  float sum = 0;
  for (std::size_t i = 0; i < scores.features(); ++i)
    if (i != skip) sum += std::exp(scores[i][lane] - peak);
  return peak + std::log(sum);
}

}  // namespace

std::optional<Reach> parse_reach(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto fail = [&] { throw Error("reach", "LO:HI, either may be empty", "'" + text + "'"); };
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos || text.size() == 1) fail();
  const auto side = [&](const std::string& cell) -> std::optional<double> {
    if (cell.empty()) return std::nullopt;
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value)) fail();
    return value;
  };
  const Reach reach{side(text.substr(0, colon)), side(text.substr(colon + 1))};
  if (reach.lo && reach.hi && !(*reach.lo < *reach.hi)) fail();
  return reach;
}

Validity::Validity(std::size_t scores, const TargetSpec& spec)
    : scores_(scores),
      target_(static_cast<std::size_t>(spec.target)),
      required_(spec.margin),
      reach_(spec.reach) {
  if (reach_) {
    if (scores != 1) throw Error("reach", "a model with one output", std::to_string(scores));
    rivals_ = reach_->lo && reach_->hi ? 2 : 1;
    return;
  }
  const std::size_t classes = scores == 1 ? 2 : scores;
  if (spec.target < 0 || target_ >= classes)
    throw Error("target", "a class from 0 to " + std::to_string(classes - 1), std::to_string(spec.target));
  if (!std::isfinite(spec.margin) || spec.margin < 0)
    throw Error("margin", "a number >= 0", std::to_string(spec.margin));
  by_probability_ = spec.probability.has_value() && scores > 1;
  rivals_ = scores == 1 || by_probability_ ? 1 : std::min(max_rivals, scores - 1);
  if (spec.probability) {
    const double p = *spec.probability;
    if (!(p > 0 && p < 1)) throw Error("probability", "a number between 0 and 1", std::to_string(p));
    decision_margin_ = std::log(p / (1 - p));
    required_ += decision_margin_;
  }
}

double Validity::least_margin(double lo, double hi) const {
  if (!reach_) return target_ == 1 ? lo : -hi;
  return std::min(reach_->lo ? lo - *reach_->lo : INFINITY, reach_->hi ? *reach_->hi - hi : INFINITY);
}

void Validity::margins(const Block& scores, Block& margins, std::vector<int>& rival) const {
  assert(margins.stride() == scores.stride());
  if (scores_ == 1 && !reach_) {
    const float sign = target_ == 1 ? 1.0F : -1.0F;
    for (std::size_t lane = 0; lane < scores.lanes(); ++lane) margins[0][lane] = sign * scores[0][lane];
    return;
  }
  for (std::size_t lane = 0; lane < scores.lanes(); ++lane) {
    if (reach_)
      measure_reach(scores, lane, margins, rival);
    else if (by_probability_)
      margins[0][lane] = scores[target_][lane] - log_sum_exp_except(scores, lane, target_);
    else
      rank_rivals(scores, lane, margins, rival);
  }
}

// Rival 0 is the lower end and rival 1 the upper end; the end with the smaller margin comes first.
void Validity::measure_reach(const Block& scores, std::size_t lane, Block& margins,
                             std::vector<int>& rival) const {
  const float z = scores[0][lane];
  const float above = reach_->lo ? z - static_cast<float>(*reach_->lo) : INFINITY,
              below = reach_->hi ? static_cast<float>(*reach_->hi) - z : INFINITY;
  const int first = below < above || std::isnan(z) ? 1 : 0;
  for (std::size_t r = 0; r < rivals_; ++r) {
    const bool upper = (r == 0) == (first == 1);
    margins[r][lane] = upper ? below : above;
    rival[r * margins.stride() + lane] = upper;
  }
}

// Insertion sort of the strongest rivals; a tie goes to the lower class. A NaN margin comes first, so that
// the row is invalid.
void Validity::rank_rivals(const Block& scores, std::size_t lane, Block& margins,
                           std::vector<int>& rival) const {
  const std::size_t stride = margins.stride();
  std::size_t found = 0;
  for (std::size_t i = 0; i < scores_; ++i) {
    if (i == target_) continue;
    const float margin = scores[target_][lane] - scores[i][lane];
    std::size_t place = found;
    while (place > 0 && (std::isnan(margin) || margin < margins[place - 1][lane])) --place;
    if (place >= rivals_) continue;
    found = std::min(found + 1, rivals_);
    for (std::size_t r = found - 1; r > place; --r) {
      margins[r][lane] = margins[r - 1][lane];
      rival[r * stride + lane] = rival[(r - 1) * stride + lane];
    }
    margins[place][lane] = margin;
    rival[place * stride + lane] = static_cast<int>(i);
  }
}

void Validity::seed(const Block& scores, const std::vector<int>& rival, std::size_t r, Block& seed) const {
  if (scores_ == 1 && !reach_) {
    std::fill_n(seed[0], scores.lanes(), target_ == 1 ? 1.0F : -1.0F);
    return;
  }
  for (std::size_t lane = 0; lane < scores.lanes(); ++lane) {
    if (reach_) {
      seed[0][lane] = rival[r * scores.stride() + lane] == 1 ? -1.0F : 1.0F;
    } else if (by_probability_) {
      const float total = log_sum_exp_except(scores, lane, target_);
      for (std::size_t k = 0; k < scores_; ++k)
        seed[k][lane] = k == target_ ? 1.0F : -std::exp(scores[k][lane] - total);
    } else {
      for (std::size_t k = 0; k < scores_; ++k) seed[k][lane] = 0;
      seed[target_][lane] = 1;
      seed[static_cast<std::size_t>(rival[r * scores.stride() + lane])][lane] = -1;
    }
  }
}

}  // namespace scfe
