#include "solver/lanes.h"

#include <algorithm>

namespace scfe {

Point::Point(const Wished& wished, std::size_t max_changes)
    : margin_gradient(wished.validity.rivals() * wished.model.features()),
      density_gradient(wished.model.features()),
      weights(wished.density.weights()) {
  support.reserve(max_changes);
  w.reserve(max_changes);
}

Lanes::Lanes(Terms& terms, bool density, Clock::time_point deadline)
    : terms_(terms),
      density_(density),
      deadline_(deadline),
      u_(terms.features(), terms.max_lanes()),
      x_(terms.features(), terms.max_lanes()),
      anchors_(terms.features(), terms.max_lanes()) {}

bool Lanes::out_of_time() const { return deadline_ != Clock::time_point::max() && Clock::now() >= deadline_; }

void Lanes::enqueue(Request& request) {
  for (Point* point : request.points) queue_.push_back({&request, point});
}

// Unchanged features keep the factual's own bits; written rows are taken as the runtime will read them.
void Lanes::gather(std::size_t lane, const Instance& instance, const Point& point) {
  const Scaling& scaling = terms_.wished().scaling;
  for (std::size_t j = 0; j < u_.features(); ++j) {
    const double x = point.written ? (*point.written)[j] : instance.original[j];
    x_[j][lane] = static_cast<float>(x);
    u_[j][lane] = static_cast<float>(point.written ? scaling.to_work(j, x) : instance.factual[j]);
    anchors_[j][lane] = instance.anchor[j];
  }
  if (point.written) return;
  for (std::size_t i = 0; i < point.support.size(); ++i) {
    const auto j = static_cast<std::size_t>(point.support[i]);
    const double u = instance.factual[j] + point.w[i];
    u_[j][lane] = static_cast<float>(u);
    x_[j][lane] = static_cast<float>(scaling.to_original(j, u));
  }
}

void Lanes::scatter(std::size_t lane, Point& point) const {
  const std::size_t d = u_.features(), rivals = terms_.margins().features();
  for (std::size_t r = 0; r < rivals; ++r) {
    point.margin[r] = terms_.margins()[r][lane];
    for (std::size_t j = 0; j < d; ++j) point.margin_gradient[r * d + j] = terms_.margin_gradient(r)[j][lane];
  }
  if (!density_) return;
  point.log_density = terms_.log_density()[lane];
  for (std::size_t j = 0; j < d; ++j) point.density_gradient[j] = terms_.density_gradient()[j][lane];
  for (std::size_t k = 0; k < point.weights.size(); ++k) point.weights[k] = terms_.weights()[k][lane];
}

void Lanes::step() {
  const std::size_t lanes = std::min(waiting(), width());
  for (Block* block : {&u_, &x_, &anchors_}) block->set_lanes(lanes);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const Entry& entry = queue_[head_ + lane];
    gather(lane, entry.request->instance, *entry.point);
  }
  terms_.evaluate(u_, x_, anchors_, {terms_.margins().features(), density_, density_});
  ready_.clear();
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const Entry& entry = queue_[head_ + lane];
    scatter(lane, *entry.point);
    if (--entry.request->open == 0) ready_.push_back(entry.request->row);
  }
  head_ += lanes;
  if (2 * head_ >= queue_.size()) {
    queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(head_));
    head_ = 0;
  }
  // A resumed row may enqueue more, but nobody touches ready_ until the next step.
  for (const std::coroutine_handle<> row : ready_) row.resume();
}

}  // namespace scfe
