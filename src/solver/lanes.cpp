#include "solver/lanes.h"

#include <algorithm>

namespace scfe {

Point::Point(const Query& query, std::size_t max_changes)
    : margin_gradient(query.validity.rivals() * query.fitted.space.columns()),
      density_gradient(query.fitted.space.columns()),
      weights(query.density().weights()) {
  support.reserve(max_changes);
  w.reserve(max_changes);
}

void RowForms::set(const Space& space, std::span<const double> row) {
  for (std::size_t f = 0; f < space.features(); ++f) set(space, f, row[f]);
}

void RowForms::set(const Space& space, std::size_t feature, double value) {
  values[feature] = value;
  space.set(feature, value, columns, inputs);
}

Lanes::Lanes(Terms& terms, bool density, Deadline deadline)
    : terms_(terms),
      density_(density),
      deadline_(std::move(deadline)),
      u_(terms.columns(), terms.max_lanes()),
      x_(terms.query().fitted.space.inputs(), terms.max_lanes()),
      anchors_(terms.columns(), terms.max_lanes()),
      row_(terms.query().fitted.space) {}

void Lanes::enqueue(Request& request, std::span<Point* const> points) {
  for (Point* point : points) points_.entries.push_back({&request, point});
}

void Lanes::enqueue(Request& request, std::span<Probe> probes) {
  for (Probe& probe : probes) probes_.entries.push_back({&request, &probe});
}

void Lanes::load(std::size_t lane, const RowForms& row) {
  for (std::size_t c = 0; c < row.columns.size(); ++c) u_[c][lane] = row.columns[c];
  for (std::size_t i = 0; i < row.inputs.size(); ++i) x_[i][lane] = row.inputs[i];
}

// Neighbours in a block often share their row: then only what the last one changed is restored.
void Lanes::stand_at(const std::vector<double>& values) {
  const Space& space = terms_.query().fitted.space;
  if (standing_ == &values)
    for (const std::size_t f : changed_) row_.set(space, f, values[f]);
  else
    row_.set(space, values);
  standing_ = &values;
  changed_.clear();
}

// Unchanged features keep the factual's bits; written rows are used as the model will read them.
void Lanes::gather(std::size_t lane, const Row& asked, const Point& point) {
  const Space& space = terms_.query().fitted.space;
  const Row& base = point.base != nullptr ? *point.base : asked;
  stand_at(point.written != nullptr ? *point.written : base.values);
  if (point.written == nullptr) {
    for (std::size_t i = 0; i < point.support.size(); ++i) {
      const auto column = static_cast<std::size_t>(point.support[i]);
      const std::size_t feature = space.feature_of(column);
      const double u = base.factual[column] + point.w[i], value = space.to_original(column, u);
      row_.columns[column] = static_cast<float>(u);
      row_.inputs[space.input_of(feature)] = static_cast<float>(value);
      row_.values[feature] = value;
      changed_.push_back(feature);
    }
    if (asked.links != nullptr) {
      asked.links->complete_relaxed(row_.values);
      for (const Derivation& d : asked.links->derived()) {
        row_.set(space, d.feature, row_.values[d.feature]);
        changed_.push_back(d.feature);
      }
    }
  }
  terms_.set_values(lane, row_.values);
  load(lane, row_);
  for (std::size_t c = 0; c < space.columns(); ++c) anchors_[c][lane] = asked.anchor[c];
}

// The lanes first .. first + count - 1 at this row.
void Lanes::spread(std::size_t first, std::size_t count, const Row& asked, const RowForms& row) {
  for (std::size_t c = 0; c < row.columns.size(); ++c) std::fill_n(u_[c] + first, count, row.columns[c]);
  for (std::size_t i = 0; i < row.inputs.size(); ++i) std::fill_n(x_[i] + first, count, row.inputs[i]);
  for (std::size_t c = 0; c < row.columns.size(); ++c)
    std::fill_n(anchors_[c] + first, count, asked.anchor[c]);
}

void Lanes::gather(const Queue<Point>& queue, std::size_t count) {
  for (std::size_t lane = 0; lane < count; ++lane) {
    const auto& entry = queue.entries[queue.head + lane];
    gather(lane, entry.request->asked, *entry.item);
  }
}

// Probes come in long stretches of one row, each with another feature changed: the row is set for the whole
// stretch at once, along the lanes, where memory is contiguous.
void Lanes::gather(const Queue<Probe>& queue, std::size_t first_lane, std::size_t count) {
  const auto* const entries = queue.entries.data() + queue.head;
  for (std::size_t first = 0, end = 0; first < count; first = end) {
    const Row& asked = entries[first].request->asked;
    const RowForms* const row = entries[first].item->row;
    const auto same = [&](const auto& entry) {
      return &entry.request->asked == &asked && entry.item->row == row;
    };
    while (end < count && same(entries[end])) ++end;
    spread(first_lane + first, end - first, asked, *row);
    for (std::size_t i = first; i < end; ++i) gather(first_lane + i, asked, *entries[i].item);
  }
}

// The lane holds the probe's row; sets what the probe changes.
void Lanes::gather(std::size_t lane, const Row& asked, const Probe& probe) {
  const Space& space = terms_.query().fitted.space;
  if (probe.feature < 0) return terms_.set_values(lane, probe.row->values);
  const auto f = static_cast<std::size_t>(probe.feature);
  row_.set(space, f, probe.value);
  load(lane, f);
  if (asked.links == nullptr && !terms_.query().fitted.model.in_double()) return;
  row_.values = probe.row->values;
  row_.values[f] = probe.value;
  if (asked.links != nullptr) asked.links->complete(row_.values);
  terms_.set_values(lane, row_.values);
  if (asked.links == nullptr) return;
  for (const Derivation& d : asked.links->derived()) {
    row_.set(space, d.feature, row_.values[d.feature]);
    load(lane, d.feature);
  }
}

// One feature of the row.
void Lanes::load(std::size_t lane, std::size_t f) {
  const Space& space = terms_.query().fitted.space;
  for (std::size_t c = space.first(f); c < space.first(f) + space.width(f); ++c)
    u_[c][lane] = row_.columns[c];
  for (std::size_t i = space.input_of(f); i < space.input_of(f) + space.input_width(f); ++i)
    x_[i][lane] = row_.inputs[i];
}

// Chain rule: adds the slope of each derived column to its sources.
void Lanes::pull_back(std::size_t lane, const Links& links, std::span<float> gradient) {
  const Space& space = terms_.query().fitted.space;
  for (auto d = links.derived().rbegin(); d != links.derived().rend(); ++d) {
    const std::size_t column = space.first(d->feature);
    for (const std::size_t f : d->sources) row_.values[f] = x_[space.input_of(f)][lane];
    for (const std::size_t f : d->sources) {
      const double slope = d->formula.slope(row_.values, f) / space.scale(column);
      if (!space.is_category(f))
        gradient[space.first(f)] +=
            static_cast<float>(slope * space.scale(space.first(f)) * gradient[column]);
    }
    gradient[column] = 0;
  }
}

void Lanes::scatter(std::size_t lane, const Row& asked, Point& point) {
  const std::size_t d = u_.features(), rivals = terms_.margins().features();
  for (std::size_t r = 0; r < rivals; ++r) {
    point.margin[r] = terms_.margins()[r][lane];
    for (std::size_t j = 0; j < d; ++j) point.margin_gradient[r * d + j] = terms_.margin_gradient(r)[j][lane];
    if (asked.links != nullptr)
      pull_back(lane, *asked.links, std::span(point.margin_gradient).subspan(r * d, d));
  }
  if (!density_) return;
  point.log_density = terms_.log_density()[lane];
  for (std::size_t j = 0; j < d; ++j) point.density_gradient[j] = terms_.density_gradient()[j][lane];
  if (asked.links != nullptr) pull_back(lane, *asked.links, point.density_gradient);
  for (std::size_t k = 0; k < point.weights.size(); ++k) point.weights[k] = terms_.weights()[k][lane];
}

void Lanes::scatter(std::size_t lane, const Row& /*asked*/, Probe& probe) {
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
void Lanes::scatter(Queue<Item>& queue, std::size_t first_lane, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto& entry = queue.entries[queue.head + i];
    scatter(first_lane + i, entry.request->asked, *entry.item);
    if (--entry.request->open == 0) ready_.push_back(entry.request->row);
  }
  queue.drop(count);
}

// Evaluates a block, points before probes, and resumes the rows that have all they asked for.
void Lanes::answer(std::size_t points, std::size_t probes) {
  for (Block* block : {&u_, &x_, &anchors_}) block->set_lanes(points + probes);
  standing_ = nullptr;  // its values may have changed since the last block
  gather(points_, points);
  gather(probes_, points, probes);
  const std::size_t gradients = points > 0 ? terms_.margins().features() : 0;
  terms_.evaluate(u_, x_, anchors_, {gradients, density_, density_ && points > 0, points});
  ready_.clear();
  scatter(points_, 0, points);
  scatter(probes_, points, probes);
  // A resumed row may enqueue more points, but ready_ does not change until the next step.
  for (const std::coroutine_handle<> row : ready_) row.resume();
}

// Points or probes, whichever fill more of a block, so that no gradient is computed in vain; both if a call
// of the model is expensive.
void Lanes::step() {
  std::size_t points = std::min(points_.waiting(), width()), probes = std::min(probes_.waiting(), width());
  if (terms_.query().fitted.model.preferred_lanes() > Model::usual_lanes)
    probes = std::min(probes, width() - points);
  else
    (points >= probes ? probes : points) = 0;
  answer(points, probes);
}

}  // namespace scfe
