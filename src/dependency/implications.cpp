#include "dependency/implications.h"

#include <algorithm>
#include <utility>

#include "dependency/wording.h"

namespace scfe {
namespace {

// Exclusions seen from the column that is asked in the premise.
struct Side {
  const Feature &premise, &consequence;
  const CellColumn &premise_cells, &consequence_cells;
};

struct Line {
  std::vector<Event> premises;  // several only if each is a level or a value
  std::vector<Event> excluded;
  std::size_t broken = 0, rows = 0;
  double expected = 0;
};

bool same(const std::vector<Event>& one, const std::vector<Event>& other) {
  return std::ranges::equal(
      one, other, [](const Event& a, const Event& b) { return a.first == b.first && a.last == b.last; });
}

std::vector<Line> lines_by_premise(std::span<const Exclusion> exclusions) {
  std::vector<Line> lines;
  for (const Exclusion& e : exclusions) {
    const auto own = std::ranges::find_if(lines, [&](const Line& l) {
      return l.premises[0].first == e.a.first && l.premises[0].last == e.a.last;
    });
    Line& line = own == lines.end() ? lines.emplace_back(Line{{e.a}, {}}) : *own;
    line.excluded.push_back(e.b);
    line.broken += e.together;
    line.rows = e.rows;
    line.expected += e.expected;
  }
  std::vector<Line> merged;
  for (Line& line : lines) {
    const auto like = std::ranges::find_if(merged, [&](const Line& l) {
      return l.premises[0].is_single() && line.premises[0].is_single() && same(l.excluded, line.excluded);
    });
    if (like == merged.end()) {
      merged.push_back(std::move(line));
      continue;
    }
    like->premises.push_back(line.premises[0]);
    like->broken += line.broken;
    like->expected += line.expected;
  }
  return merged;
}

// The values in the run of cells, as a premise.
Allowed values_in(const Line& line, const CellColumn& column) {
  Allowed allowed;
  const Event& first = line.premises[0];
  if (first.is_single())
    for (const Event& event : line.premises) allowed.among.push_back(column.cells[event.first].lo);
  else if (first.first > 0)
    allowed.above = column.cells[first.first - 1].hi;
  else
    allowed.below = column.cells[first.last + 1].lo;
  return allowed;
}

// The values in none of the excluded runs, as a consequence.
Allowed values_outside(const Line& line, const CellColumn& column) {
  Allowed allowed;
  const std::size_t last = column.cells.size() - 1;
  std::size_t from = 0, to = last;
  for (const Event& event : line.excluded) {
    if (event.is_single())
      allowed.not_among.push_back(column.cells[event.first].lo);
    else if (event.first == 0)
      from = std::max(from, event.last + 1);
    else
      to = std::min(to, event.first - 1);
  }
  const bool one_value = from <= to && column.cells[from].lo == column.cells[to].hi;
  if (one_value && (from > 0 || to < last)) {
    allowed.only = column.cells[from].lo;
    return allowed;
  }
  if (from > 0) allowed.above = column.cells[from - 1].hi;
  if (to < last) allowed.at_most = column.cells[to].hi;
  return allowed;
}

std::vector<ImplicationLine> written(const Side& side, const std::vector<Line>& lines) {
  std::vector<ImplicationLine> texts;
  for (const Line& line : lines) {
    const auto premise = condition_in_rule(side.premise, values_in(line, side.premise_cells));
    const auto consequence =
        condition_in_rule(side.consequence, values_outside(line, side.consequence_cells));
    if (premise && consequence)
      texts.push_back({"if " + *premise + " then " + *consequence, line.broken, line.rows, line.expected});
  }
  return texts;
}

std::vector<Exclusion> turned(std::vector<Exclusion> exclusions) {
  for (Exclusion& e : exclusions) std::swap(e.a, e.b);
  return exclusions;
}

}  // namespace

std::vector<ImplicationLine> implications_of(const TwoColumns& columns,
                                             std::span<const Exclusion> exclusions) {
  const Side by_a{columns.a, columns.b, columns.a_cells, columns.b_cells};
  const Side by_b{columns.b, columns.a, columns.b_cells, columns.a_cells};
  // A tail is always the consequence. The others may be written both ways.
  std::vector<Exclusion> from_a, from_b, either;
  for (const Exclusion& e : exclusions)
    (e.b.kind == Event::Kind::tail ? from_a : e.a.kind == Event::Kind::tail ? from_b : either).push_back(e);
  const auto joined = [&](std::vector<Exclusion> list) {
    list.insert(list.end(), either.begin(), either.end());
    return list;
  };
  const std::vector<Line> all_a = lines_by_premise(joined(from_a)), rest_b = lines_by_premise(turned(from_b));
  const std::vector<Line> rest_a = lines_by_premise(from_a), all_b = lines_by_premise(turned(joined(from_b)));
  const bool levels_lead = has_levels(columns.a) && !has_levels(columns.b),
             numbers_lead = !has_levels(columns.a) && has_levels(columns.b);
  const bool a_asks =
      levels_lead || (!numbers_lead && all_a.size() + rest_b.size() <= rest_a.size() + all_b.size());
  std::vector<ImplicationLine> lines = written(by_a, a_asks ? all_a : rest_a);
  for (ImplicationLine& line : written(by_b, a_asks ? rest_b : all_b)) lines.push_back(std::move(line));
  return lines;
}

}  // namespace scfe
