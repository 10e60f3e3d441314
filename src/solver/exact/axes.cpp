#include "solver/exact/axes.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "actionability/links.h"

namespace scfe {

AxisRange ExactAxis::all() const {
  if (!levels) return AxisRange::between(0, value.size());
  return {value.size() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << value.size()) - 1};
}

AxisRange ExactAxis::common(AxisRange a, AxisRange b) const {
  if (levels) return {a.bits & b.bits};
  return AxisRange::between(std::max(a.first(), b.first()), std::min(a.last(), b.last()));
}

std::size_t ExactAxis::count(AxisRange range) const {
  if (levels) return static_cast<std::size_t>(std::popcount(range.bits));
  return range.last() > range.first() ? range.last() - range.first() : 0;
}

// The cost of a number grows on either side of x_f.
double ExactAxis::least(AxisRange range) const {
  if (!levels) {
    if (range.last() <= own) return cost[range.last() - 1];
    if (range.first() >= own) return cost[range.first()];
    return std::min(cost[own - 1], cost[own]);
  }
  double best = INFINITY;
  for (std::uint64_t bits = range.bits; bits != 0; bits &= bits - 1)
    best = std::min(best, cost[static_cast<std::size_t>(std::countr_zero(bits))]);
  return best;
}

AxisRange ExactAxis::cheaper(AxisRange range, double limit) const {
  if (!levels) {
    std::size_t begin = range.first(), end = range.last();
    while (begin < end && cost[begin] >= limit) ++begin;
    while (begin < end && cost[end - 1] >= limit) --end;
    return AxisRange::between(begin, end);
  }
  std::uint64_t kept = 0;
  for (std::uint64_t bits = range.bits; bits != 0; bits &= bits - 1)
    if (cost[static_cast<std::size_t>(std::countr_zero(bits))] < limit) kept |= bits & (~bits + 1);
  return {kept};
}

std::uint64_t ExactAxis::by_candidate(std::uint64_t places) const {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < value.size(); ++i)
    bits |= (places >> (static_cast<std::uint64_t>(value[i]) % 64) & 1) << i;
  return bits;
}

namespace {

// A feature that no tree looks at may still have to change, to keep an implication.
bool is_ruled(const Row& row, std::size_t feature) {
  return row.links != nullptr && std::ranges::any_of(row.links->implications(), [&](const Implication& rule) {
           return std::ranges::find(rule.features, feature) != rule.features.end();
         });
}

}  // namespace

void ExactAxes::set(const Row& row, std::size_t further) {
  axes_.clear();
  first_axis_.clear();
  own_cell_.assign(space_.features(), 0);
  missing_.assign(space_.features(), 0);
  for (std::size_t f = 0; f < space_.features(); ++f) {
    first_axis_.push_back(axes_.size());
    missing_[f] = std::isnan(row.values[f]);
    if (missing_[f]) continue;
    own_cell_[f] =
        space_.is_category(f) ? static_cast<std::size_t>(row.values[f]) : cells_.cell(f, row.values[f]);
    if (further == 0 && !cells_.column(f).split && !is_ruled(row, f)) continue;
    if (space_.is_category(f))
      add_levels(row, f);
    else
      add_number(row, f, further);
  }
  first_axis_.push_back(axes_.size());
}

void ExactAxes::add_number(const Row& row, std::size_t f, std::size_t further) {
  const std::size_t column = space_.first(f);
  if (!(row.lo[column] < 0 || row.hi[column] > 0)) return;
  const double x = row.values[f];
  // A writable limit has a rounding error after the way through the work space.
  const auto limit = [&](double w) {
    const double bound = space_.to_original(column, row.factual[column] + w);
    const double written = writing_.nearest(f, bound);
    return std::abs(written - bound) <= 1e-9 * space_.range(f) ? written : bound;
  };
  const double lo = row.lo[column] < 0 ? limit(row.lo[column]) : x,
               hi = row.hi[column] > 0 ? limit(row.hi[column]) : x;
  const ExactCells::Column& cells = cells_.column(f);
  const std::size_t own = cells_.piece(f, x), count = cells.cuts.size() + 1;
  values_.clear();
  const auto add = [&](double value) {
    if (value >= lo && value <= hi && value != x) values_.push_back(value);
  };
  for (std::size_t p = cells_.piece(f, lo); p <= cells_.piece(f, hi); ++p)
    if (p != own) add(p > own ? cells.from_below[p] : cells.from_above[p]);
  for (std::size_t i = 0; i <= further && further > 0; ++i)
    add(writing_.nearest(f, lo + (hi - lo) * static_cast<double>(i) / static_cast<double>(further)));
  if (row.links != nullptr) std::ranges::for_each(row.links->marks(f), add);
  std::ranges::sort(values_);
  values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
  if (values_.empty()) return;

  ExactAxis& axis = axes_.emplace_back();
  axis.feature = f;
  axis.value = values_;
  for (const double value : values_) {
    axis.cost.push_back(space_.cost(f, x, value));
    axis.in_work.push_back(static_cast<float>(space_.to_work(column, value)));
  }
  axis.own = static_cast<std::uint32_t>(std::ranges::lower_bound(values_, x) - values_.begin());
  axis.first.assign(count + 1, static_cast<std::uint32_t>(values_.size()));
  for (std::size_t i = values_.size(); i-- > 0;)
    axis.first[cells_.cell(f, values_[i])] = static_cast<std::uint32_t>(i);
  for (std::size_t c = count; c-- > 0;) axis.first[c] = std::min(axis.first[c], axis.first[c + 1]);
}

void ExactAxes::add_levels(const Row& row, std::size_t f) {
  const double own = row.values[f];
  for (std::size_t word = 0; word < cells_.column(f).words(); ++word) {
    ExactAxis axis;
    axis.feature = f;
    axis.levels = true;
    axis.word_index = word;
    for (const int level : row.levels[f]) {
      const auto place = static_cast<std::size_t>(level);
      if (place / 64 != word || static_cast<double>(level) == own) continue;
      axis.value.push_back(static_cast<double>(level));
      axis.cost.push_back(space_.cost(f, own, static_cast<double>(level)));
      axis.column.push_back(static_cast<std::uint32_t>(space_.first(f) + place));
      axis.word |= std::uint64_t{1} << (place % 64);
    }
    if (!axis.value.empty()) axes_.push_back(std::move(axis));
  }
}

}  // namespace scfe
