#include "validity/rounded_margins.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/stepped.h"
#include "model/trees/ensemble.h"
#include "support/random.h"

namespace scfe {
namespace {

// If two members lie on a threshold, some copy should fail both; with eight copies that is not likely enough.
constexpr std::size_t copies = 16, lanes_at_once = 4;
constexpr double of_range = 1e-6, ulps = 8;

std::size_t lanes_of(std::size_t max_lanes) { return copies * std::min(max_lanes, lanes_at_once); }

// A few of the last bits of what the runtime holds: a double is no help where the file rounds it.
double of_value(const InputUse& use, bool in_double) {
  return ulps * (in_double && !use.single ? std::numeric_limits<double>::epsilon()
                                          : static_cast<double>(std::numeric_limits<float>::epsilon()));
}

std::vector<RoundedMargins::Jitter> jitters(const Model& model, const Space& space) {
  const std::span<const InputUse> uses = input_uses(model);
  std::vector<RoundedMargins::Jitter> jitter(space.inputs());
  if (uses.empty()) return jitter;
  for (std::size_t f = 0; f < space.features(); ++f) {
    const std::size_t first = space.input_of(f), width = space.is_category(f) ? space.input_width(f) : 1;
    for (std::size_t i = first; i < first + width; ++i)
      if (uses[i].computed && !(uses[i].compared && space.is_category(f)))
        jitter[i] = {of_range * (space.is_category(f) ? 1 : space.range(f)),
                     of_value(uses[i], model.in_double())};
  }
  return jitter;
}

// Every second copy moves opposite to the one before.
double sign_of(std::span<const float> signs, std::size_t input, std::size_t copy) {
  const float sign = signs[input * (copies / 2) + copy / 2];
  return copy % 2 == 0 ? sign : -sign;
}

// A NaN in any score makes the margin minus infinity.
float margin_of(const Block& scores, const Block& margins, std::size_t lane) {
  bool numbers = !std::isnan(margins[0][lane]);
  for (std::size_t k = 0; k < scores.features(); ++k) numbers = numbers && !std::isnan(scores[k][lane]);
  return numbers ? margins[0][lane] : -std::numeric_limits<float>::infinity();
}

}  // namespace

bool RoundedMargins::are_needed(const Model& model) {
  return has_steps(model) || (model.ensemble() != nullptr && model.ensemble()->may_differ());
}

RoundedMargins::RoundedMargins(const Model& model, const Space& space, const Validity& validity,
                               std::size_t max_lanes)
    : model_(model),
      validity_(validity),
      tape_(model.tape(lanes_of(max_lanes))),
      x_(space.inputs(), lanes_of(max_lanes)),
      scores_(model.scores(), lanes_of(max_lanes)),
      margins_(validity.rivals(), lanes_of(max_lanes)),
      rival_(validity.rivals() * margins_.stride()),
      jitter_(jitters(model, space)),
      moved_(space.inputs()),
      least_(model.scores()),
      most_(model.scores()) {
  if (model.in_double()) score_one_.emplace(model);
  valid_.reserve(max_lanes);
  Random random(1);
  for (std::size_t k = 0; k < jitter_.size() * (copies / 2); ++k)
    signs_.push_back(random.uniform() < 0.5 ? -1.0F : 1.0F);
}

void RoundedMargins::lower(const Block& x, Unrounded unrounded, Block& margins) {
  valid_.clear();
  for (std::size_t lane = 0; lane < x.lanes(); ++lane)
    if (static_cast<double>(margins[0][lane]) >= validity_.decision_margin()) valid_.push_back(lane);
  if (model_.ensemble() != nullptr) {
    for (const std::size_t lane : valid_) lower_trees(x, unrounded, lane, margins);
    return;
  }
  for (Lanes rest = valid_; !rest.empty();) {
    const std::size_t count = std::min(rest.size(), lanes_at_once);
    lower_some(x, unrounded, rest.first(count), margins);
    rest = rest.subspan(count);
  }
}

// One score is bounded on both sides; of several, the target has its least and the others have their most.
void RoundedMargins::lower_trees(const Block& x, Unrounded unrounded, std::size_t lane, Block& margins) {
  for (std::size_t i = 0; i < moved_.size(); ++i)
    moved_[i] = unrounded[lane].empty() ? static_cast<double>(x[i][lane]) : unrounded[lane][i];
  model_.ensemble()->score_bounds(moved_, least_, most_);
  for (Block* block : {&scores_, &margins_}) block->set_lanes(2);
  const bool several = least_.size() > 1;
  const double peak = several ? std::ranges::max(most_) : 0;
  for (std::size_t k = 0; k < least_.size(); ++k) {
    const double low = several && k != validity_.target() ? most_[k] : least_[k];
    scores_[k][0] = static_cast<float>(low - peak);
    scores_[k][1] = several ? scores_[k][0] : static_cast<float>(most_[k]);
  }
  validity_.margins(scores_, margins_, rival_);
  for (std::size_t c = 0; c < 2; ++c)
    margins[0][lane] = std::min(margins[0][lane], margin_of(scores_, margins_, c));
}

void RoundedMargins::lower_some(const Block& x, Unrounded unrounded, Lanes lanes, Block& margins) {
  for (Block* block : {&x_, &scores_, &margins_}) block->set_lanes(copies * lanes.size());
  for (std::size_t i = 0; i < jitter_.size(); ++i)
    for (std::size_t k = 0; k < lanes.size(); ++k) {
      const float value = x[i][lanes[k]], move = static_cast<float>(slack(i, value));
      for (std::size_t c = 0; c < copies; ++c)
        x_[i][k * copies + c] = value + static_cast<float>(sign_of(signs_, i, c)) * move;
    }
  model_.forward(x_, scores_, *tape_);
  for (std::size_t k = 0; k < lanes.size(); ++k)
    if (score_one_ && !unrounded[lanes[k]].empty()) score_unrounded(unrounded[lanes[k]], k * copies);
  validity_.margins(scores_, margins_, rival_);
  for (std::size_t c = 0; c < x_.lanes(); ++c) {
    float& margin = margins[0][lanes[c / copies]];
    margin = std::min(margin, margin_of(scores_, margins_, c));
  }
}

void RoundedMargins::score_unrounded(std::span<const double> x, std::size_t first_copy) {
  for (std::size_t c = 0; c < copies; ++c) {
    for (std::size_t i = 0; i < x.size(); ++i) moved_[i] = x[i] + sign_of(signs_, i, c) * slack(i, x[i]);
    (*score_one_)(moved_, scores_, first_copy + c);
  }
}

double RoundedMargins::slack(std::size_t input, double value) const {
  return jitter_[input].fixed + jitter_[input].of_value * std::abs(value);
}

}  // namespace scfe
