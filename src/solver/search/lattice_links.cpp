// Rules between features on the lattice: numbers that an equality determines, and where a line keeps the
// rules.
#include <algorithm>
#include <cmath>

#include "solver/search/lattice.h"

namespace scfe {

// The finest number of every equality depends on the others. These are removed from `fine` and returned.
std::vector<Lattice::Dependent> Lattice::take_dependents(std::vector<std::size_t>& fine) const {
  std::vector<Dependent> dependents;
  if (row_->links == nullptr) return dependents;
  for (const Link& link : row_->links->links()) {
    if (!link.is_equality()) continue;
    std::size_t best = fine.size();
    for (std::size_t i = 0; i < fine.size(); ++i)
      if (link.coefficient(fine[i]) != 0 && (best == fine.size() || fineness(fine[i]) < fineness(fine[best])))
        best = i;
    if (best == fine.size()) continue;
    dependents.push_back({fine[best], &link});
    fine.erase(fine.begin() + static_cast<std::ptrdiff_t>(best));
  }
  return dependents;
}

double Lattice::fineness(std::size_t feature) const {
  return axes_[feature].step / space_.scale(space_.first(feature));
}

// Sets the line's row to so many steps: solves the dependents and computes the derived columns.
void Lattice::place(Line& line, double steps) const {
  line.values[line.feature] = value_at(line, steps);
  for (const Dependent& d : line.dependents)
    line.values[d.feature] = row_->links->repair(*d.link, d.feature, line.values);
  row_->links->complete(line.values);
  line.row.set(space_, line.values);
}

// True if its numbers are within their limits and its row keeps the rules.
bool Lattice::keeps_limits(const Line& line) const {
  const auto inside = [&](std::size_t f) {
    const double value = line.values[f];
    return value == row_->values[f] || (value >= axes_[f].lo && value <= axes_[f].hi);
  };
  return inside(line.feature) &&
         std::ranges::all_of(line.dependents, [&](const Dependent& d) { return inside(d.feature); }) &&
         (row_->links == nullptr || row_->links->hold(line.values));
}

namespace {

// The part of 0 <= t <= 1 where lo <= a + t (b - a) <= hi.
struct Stretch {
  double from = 0, to = 1;

  void keep(double a, double b, double lo, double hi) {
    const double tolerance = 1e-9 * (std::abs(a) + std::abs(b));
    if (std::abs(b - a) <= tolerance) {
      if (a < lo - tolerance || a > hi + tolerance) from = 2;
      return;
    }
    double enter = (lo - a) / (b - a), leave = (hi - a) / (b - a);
    if (b < a) std::swap(enter, leave);
    if (std::isfinite(enter)) from = std::max(from, enter);
    if (std::isfinite(leave)) to = std::min(to, leave);
  }
};

}  // namespace

// Restricts the line to the steps that keep the rules: one interval, since rules are linear in the steps.
// Rules with derived columns are not used here, only checked later. False if the interval is empty.
bool Lattice::clip(Line& line) const {
  const Links& links = *row_->links;
  const auto row_at = [&](double steps) {
    std::vector<double> values = line.values;
    values[line.feature] = row_->values[line.feature] + line.side * steps * axes_[line.feature].step;
    for (const Dependent& d : line.dependents) values[d.feature] = links.solve(*d.link, d.feature, values);
    return values;
  };
  const std::vector<double> start = row_at(0), end = row_at(line.last);
  Stretch stretch;
  for (const Link& link : links.links()) {
    const bool derived =
        std::ranges::any_of(link.terms, [&](const Link::Term& t) { return space_.is_derived(t.feature); });
    if (!derived && (links.touched(link, start) || links.touched(link, end)))
      stretch.keep(link.sum(start), link.sum(end), link.lo, link.hi);
  }
  for (const Dependent& d : line.dependents)
    stretch.keep(start[d.feature], end[d.feature], axes_[d.feature].lo, axes_[d.feature].hi);
  if (stretch.from > stretch.to + 1e-9) return false;
  line.first = std::ceil(stretch.from * line.last - 1e-6);
  line.last = std::floor(stretch.to * line.last + 1e-6);
  line.at = std::clamp(line.at, line.first, std::max(line.first, line.last));
  return line.first <= line.last;
}

}  // namespace scfe
