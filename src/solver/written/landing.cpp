#include "solver/written/landing.h"

#include <algorithm>
#include <cmath>

namespace scfe {
namespace {

bool is_inside(const Space& space, const Row& asked, std::size_t f, double value) {
  const std::size_t j = space.first(f);
  const double to = space.to_work(j, value) - asked.factual[j];
  const double tolerance = 1e-12 * (1 + std::abs(asked.factual[j]));
  return to >= asked.lo[j] - tolerance && to <= asked.hi[j] + tolerance;
}

}  // namespace

bool Landing::is_needed(const Space& space, const Row& asked) {
  return space.has_categories() || asked.links != nullptr || asked.demand.allows ||
         asked.demand.is_redundant || asked.demand.is_further();
}

bool Landing::operator()(const Row& asked, std::span<const double> w, const Attempt& attempt) {
  const Space& space = frame_.space;
  row_ = asked.values;
  for (std::size_t f = 0; f < row_.size(); ++f) {
    const double move = w[space.first(f)];
    if (space.is_category(f))
      row_[f] = level(asked, f, w);
    else if (move != 0)
      row_[f] = number(asked, f, move, attempt);
  }
  if (asked.links != nullptr) {
    part(asked, w);
    asked.links->complete(row_);
    if (!asked.links->hold(row_) && !repair(asked)) return false;
  }
  return !asked.rejects(row_);
}

// |x - e_l|² / 2 equals a constant minus x_l. The cost is divided by that of the dearest level, so that a
// vertex is mapped to itself.
double Landing::level(const Row& asked, std::size_t f, std::span<const double> w) const {
  const std::size_t first = frame_.space.first(f);
  const auto cost = [&](int l) { return frame_.space.cost(f, asked.values[f], l); };
  double dearest = 0;
  for (const int l : asked.levels[f]) dearest = std::max(dearest, cost(l));
  const double weight = dearest > 0 ? 0.5 / dearest : 0;
  const auto worth = [&](int l) {
    const std::size_t column = first + static_cast<std::size_t>(l);
    return asked.factual[column] + w[column] - weight * cost(l);
  };
  auto best = static_cast<int>(asked.values[f]);
  for (const int l : asked.levels[f])
    if (worth(l) > worth(best)) best = l;
  return best;
}

// Returns the factual's value if there is no writable number within the limits.
double Landing::number(const Row& asked, std::size_t f, double w, const Attempt& attempt) const {
  const Writing& writing = frame_.writing;
  const std::size_t j = frame_.space.first(f);
  const double move = std::clamp(w * attempt.stretch, asked.lo[j], asked.hi[j]);
  const double x = frame_.space.to_original(j, asked.factual[j] + move);
  double value = attempt.outward ? writing.neighbour(f, x, w < 0 ? -1 : 1) : writing.nearest(f, x);
  if (!is_inside(frame_.space, asked, f, value))
    value = writing.step[f] > 0 ? writing.neighbour(f, x, w < 0 ? 1 : -1) : x;
  return is_inside(frame_.space, asked, f, value) ? value : asked.values[f];
}

// Rules "at most N of these": undoes the shortest changes. The length of a category's change is over all its
// columns.
void Landing::part(const Row& asked, std::span<const double> w) {
  const Space& space = frame_.space;
  const auto length = [&](std::size_t f) {
    double cost = 0;
    for (std::size_t j = space.first(f); j < space.first(f) + space.width(f); ++j)
      cost += space.proximity().cost(space.weight()[j], w[j]);
    return cost;
  };
  for (const Together& group : asked.links->together())
    for (;;) {
      std::size_t changed = 0, shortest = row_.size();
      for (const std::size_t f : group.features) {
        if (row_[f] == asked.values[f]) continue;
        ++changed;
        if (shortest == row_.size() || length(f) < length(shortest)) shortest = f;
      }
      if (changed <= group.most) break;
      row_[shortest] = asked.values[shortest];
    }
}

int Landing::changes(const Row& asked) const {
  return static_cast<int>(frame_.space.changes(asked.values, row_));
}

// Solves each broken link for one of its numbers, preferably one that is changed already.
bool Landing::repair(const Row& asked) {
  const Links& links = *asked.links;
  for (const Link& link : links.links()) {
    if (!links.touched(link, row_) || link.excess(row_) == 0) continue;
    const auto by = [&](bool moved) {
      return std::ranges::any_of(link.terms, [&](const Link::Term& term) {
        return (row_[term.feature] != asked.values[term.feature]) == moved &&
               repair_with(asked, link, term.feature);
      });
    };
    if (!by(true) && !by(false)) return false;
  }
  for (const Implication& rule : links.implications())
    if (links.breaks(rule, row_) && !repair_implication(asked, rule)) return false;
  return links.hold(row_);
}

// Takes the shortest change of one feature that is within the limits and makes the implication hold. A
// feature that is changed already comes before one that is not, and undoing a change is the last resort.
bool Landing::repair_implication(const Row& asked, const Implication& rule) {
  const Space& space = frame_.space;
  std::vector<Links::Repair> repairs = asked.links->repairs(rule, row_);
  const auto order = [&](const Links::Repair& r) {
    const int way = r.value == asked.values[r.feature] ? 2 : row_[r.feature] == asked.values[r.feature];
    return std::pair(way, space.cost(r.feature, asked.values[r.feature], r.value));
  };
  std::ranges::stable_sort(repairs, {}, order);
  for (const Links::Repair& r : repairs) {
    const bool own = r.value == asked.values[r.feature];
    const bool open = space.is_category(r.feature)
                          ? std::ranges::find(asked.levels[r.feature], static_cast<int>(r.value)) !=
                                asked.levels[r.feature].end()
                          : is_inside(space, asked, r.feature, r.value);
    if (!own && !open) continue;
    before_ = row_;
    row_[r.feature] = r.value;
    asked.links->complete(row_);
    if (!asked.links->breaks(rule, row_) &&
        (frame_.most_changes == 0 || changes(asked) <= frame_.most_changes))
      return true;
    row_ = before_;
  }
  return false;
}

bool Landing::repair_with(const Row& asked, const Link& link, std::size_t f) {
  const Space& space = frame_.space;
  if (space.is_category(f) || space.is_derived(f)) return false;
  before_ = row_;
  row_[f] = asked.links->repair(link, f, row_);
  const bool finite = std::isfinite(row_[f]) && row_[f] != asked.values[f];  // that would take it back
  if (finite) asked.links->complete(row_);
  if (finite && is_inside(space, asked, f, row_[f]) && link.excess(row_) == 0 &&
      (frame_.most_changes == 0 || changes(asked) <= frame_.most_changes))
    return true;
  row_ = before_;
  return false;
}

}  // namespace scfe
