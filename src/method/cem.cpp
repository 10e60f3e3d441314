#include "method/cem.h"

#include <algorithm>
#include <cmath>

namespace scfe {

Cem::Cem(std::size_t features, std::size_t max_lanes, const CemOptions& options)
    : options_(options),
      best_(features, max_lanes),
      d_(features, max_lanes),
      next_(features, max_lanes),
      y_(features, max_lanes),
      gradient_(features, max_lanes),
      section_(max_lanes, Section(options.c)),
      step_(padded(max_lanes), 1.0F),
      value_(padded(max_lanes)),
      cost_(padded(max_lanes)),
      all_(max_lanes, 1),
      valid_(max_lanes) {}

bool Cem::solve(Smooth& smooth, const Prox& prox, const Box& box, const std::function<bool()>& should_stop) {
  const std::size_t lanes = smooth.gamma().size();
  for (Block* block : {&d_, &next_, &y_, &gradient_}) block->set_lanes(lanes);
  best_.set_lanes(lanes);
  for (std::size_t lane = 0; lane < lanes; ++lane) best_.start(lane, {});
  std::fill(section_.begin(), section_.end(), Section(options_.c));
  gradients_ = 0;
  for (int i = 0; i < options_.sections; ++i)
    if (!run(smooth, prox, box, should_stop)) return false;
  return true;
}

bool Cem::run(Smooth& smooth, const Prox& prox, const Box& box, const std::function<bool()>& should_stop) {
  for (Block* block : {&d_, &y_}) std::fill_n(block->data(), block->features() * block->stride(), 0.0F);
  std::fill(valid_.begin(), valid_.end(), 0);
  for (std::size_t lane = 0; lane < d_.lanes(); ++lane)
    smooth.gamma()[lane] = static_cast<float>(section_[lane].gamma());
  for (int k = 0; k < options_.iterations; ++k) {
    if (should_stop && should_stop()) return false;
    step(smooth, prox, box, k);
  }
  for (std::size_t lane = 0; lane < d_.lanes(); ++lane) section_[lane].record(valid_[lane] != 0);
  return true;
}

void Cem::step(Smooth& smooth, const Prox& prox, const Box& box, int k) {
  const double rate = options_.step * std::sqrt(1 - static_cast<double>(k) / options_.iterations);
  const auto step = static_cast<float>(rate), momentum = static_cast<float>(k / (k + 3.0));
  std::fill(step_.begin(), step_.end(), step);
  smooth.evaluate(y_, value_.data(), &gradient_);
  ++gradients_;
  for (std::size_t j = 0; j < y_.features(); ++j)
    for (std::size_t lane = 0; lane < y_.lanes(); ++lane) y_[j][lane] -= step * gradient_[j][lane];
  prox.prox(y_, step_.data(), box, next_);
  smooth.evaluate(next_, value_.data(), nullptr);
  prox.value(next_, cost_.data());
  for (std::size_t lane = 0; lane < next_.lanes(); ++lane) {
    cost_[lane] += smooth.cost()[lane];
    if (smooth.margin()[lane] >= 0) valid_[lane] = 1;
  }
  best_.keep(next_, {smooth.margin(), smooth.log_density(), cost_.data()}, all_);
  for (std::size_t j = 0; j < y_.features(); ++j)
    for (std::size_t lane = 0; lane < y_.lanes(); ++lane) {
      const float moved = next_[j][lane] + momentum * (next_[j][lane] - d_[j][lane]);
      y_[j][lane] = bounded(moved, box.lo[j][lane], box.hi[j][lane]);
      d_[j][lane] = next_[j][lane];
    }
}

}  // namespace scfe
