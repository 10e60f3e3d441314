#include "solver/lanes.h"

#include <algorithm>

namespace scfe {

Point::Point(const Wished& wished, std::size_t max_changes)
    : margin_gradient(wished.validity.rivals() * wished.space.columns()),
      density_gradient(wished.space.columns()),
      weights(wished.density.weights()) {
  support.reserve(max_changes);
  w.reserve(max_changes);
}

void Row::set(const Space& space, std::span<const double> values) {
  for (std::size_t f = 0; f < space.features(); ++f) set(space, f, values[f]);
}

void Row::set(const Space& space, std::size_t feature, double value) {
  space.set(feature, value, columns, inputs);
}

Lanes::Lanes(Terms& terms, bool density, Clock::time_point deadline)
    : terms_(terms),
      density_(density),
      deadline_(deadline),
      u_(terms.columns(), terms.max_lanes()),
      x_(terms.wished().space.inputs(), terms.max_lanes()),
      anchors_(terms.columns(), terms.max_lanes()),
      row_(terms.wished().space) {}

bool Lanes::out_of_time() const { return deadline_ != Clock::time_point::max() && Clock::now() >= deadline_; }

void Lanes::enqueue(Request& request, std::span<Point* const> points) {
  for (Point* point : points) points_.entries.push_back({&request, point});
}

void Lanes::enqueue(Request& request, std::span<Probe> probes) {
  for (Probe& probe : probes) probes_.entries.push_back({&request, &probe});
}

void Lanes::load(std::size_t lane, const Row& row) {
  for (std::size_t c = 0; c < row.columns.size(); ++c) u_[c][lane] = row.columns[c];
  for (std::size_t i = 0; i < row.inputs.size(); ++i) x_[i][lane] = row.inputs[i];
}

// Unchanged features keep the factual's own bits; written rows are taken as the runtime will read them.
void Lanes::gather(std::size_t lane, const Instance& instance, const Point& point) {
  const Space& space = terms_.wished().space;
  const Instance& base = point.base != nullptr ? *point.base : instance;
  row_.set(space, point.written != nullptr ? *point.written : base.values);
  if (point.written == nullptr) {
    for (std::size_t i = 0; i < point.support.size(); ++i) {
      const auto column = static_cast<std::size_t>(point.support[i]);
      const double u = base.factual[column] + point.w[i];
      row_.columns[column] = static_cast<float>(u);
      row_.inputs[space.input_of(space.feature_of(column))] =
          static_cast<float>(space.to_original(column, u));
    }
  }
  load(lane, row_);
  for (std::size_t c = 0; c < space.columns(); ++c) anchors_[c][lane] = instance.anchor[c];
}

void Lanes::gather(std::size_t lane, const Instance& instance, const Probe& probe) {
  const Space& space = terms_.wished().space;
  load(lane, *probe.row);
  for (std::size_t c = 0; c < space.columns(); ++c) anchors_[c][lane] = instance.anchor[c];
  if (probe.feature < 0) return;
  const auto f = static_cast<std::size_t>(probe.feature);
  row_.set(space, f, probe.value);
  for (std::size_t c = space.first(f); c < space.first(f) + space.width(f); ++c)
    u_[c][lane] = row_.columns[c];
  for (std::size_t i = space.input_of(f); i < space.input_of(f) + space.input_width(f); ++i)
    x_[i][lane] = row_.inputs[i];
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

void Lanes::scatter(std::size_t lane, Probe& probe) const {
  probe.margin = terms_.margins()[0][lane];
  if (density_) probe.log_density = terms_.log_density()[lane];
}

template <class Item>
void Lanes::Queue<Item>::drop(std::size_t count) {
  head += count;
  if (2 * head < entries.size()) return;
  entries.erase(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(head));
  head = 0;
}

template <class Item>
void Lanes::answer(Queue<Item>& queue, const Ask& ask) {
  const std::size_t lanes = std::min(queue.waiting(), width());
  for (Block* block : {&u_, &x_, &anchors_}) block->set_lanes(lanes);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const auto& entry = queue.entries[queue.head + lane];
    gather(lane, entry.request->instance, *entry.item);
  }
  terms_.evaluate(u_, x_, anchors_, ask);
  ready_.clear();
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const auto& entry = queue.entries[queue.head + lane];
    scatter(lane, *entry.item);
    if (--entry.request->open == 0) ready_.push_back(entry.request->row);
  }
  queue.drop(lanes);
  // A resumed row may enqueue more, but nobody touches ready_ until the next step.
  for (const std::coroutine_handle<> row : ready_) row.resume();
}

// Whichever fills more of a block.
void Lanes::step() {
  if (points_.waiting() >= std::min(probes_.waiting(), width()))
    answer(points_, {terms_.margins().features(), density_, density_});
  else
    answer(probes_, {0, density_, false});
}

}  // namespace scfe
