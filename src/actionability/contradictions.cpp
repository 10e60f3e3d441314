// Finds rules that no row can satisfy: contradictory bounds on a sum, or ranges that become empty when
//
//     lo <= sum a_j x_j <= hi   narrows the range of   a_j x_j   to   [lo, hi] - sum of the others' ranges
#include <algorithm>
#include <vector>

#include "actionability/rules.h"
#include "scfe/rules.h"
#include "support/text.h"

namespace scfe {
namespace {

constexpr double range_tolerance = 1e-9;

struct Range {
  double lo, hi;
};

bool is_empty(const Range& r) {
  return r.lo > r.hi + range_tolerance * (1 + std::abs(r.lo) + std::abs(r.hi));
}

std::vector<Range> ranges_of(std::span<const Feature> features) {
  std::vector<Range> ranges;
  for (const Feature& f : features) {
    const bool levels = f.is_category() || !f.levels.empty();
    const double last =
        levels ? static_cast<double>(std::max<std::size_t>(f.level_count(), 1)) - 1 : INFINITY;
    ranges.push_back({f.min.value_or(levels ? 0 : -INFINITY), f.max.value_or(last)});
  }
  return ranges;
}

Range times(const Range& r, double a) {
  return a > 0 ? Range{a * r.lo, a * r.hi} : Range{a * r.hi, a * r.lo};
}

// The range of a link's sum without its term `own`; of the whole sum if own is null.
Range rest_of(const Link& link, std::span<const Range> ranges, const Link::Term* own) {
  Range rest{0, 0};
  for (const Link::Term& term : link.terms) {
    if (&term == own) continue;
    const Range part = times(ranges[term.feature], term.coefficient);
    rest.lo += part.lo;
    rest.hi += part.hi;
  }
  return rest;
}

bool misses(const Link& link, std::span<const Range> ranges) {
  const Range sum = rest_of(link, ranges, nullptr);
  return is_empty({std::max(sum.lo, link.lo), std::min(sum.hi, link.hi)});
}

void narrow(const Link& link, std::vector<Range>& ranges) {
  for (const Link::Term& term : link.terms) {
    const Range rest = rest_of(link, ranges, &term);
    const Range left = times({link.lo - rest.hi, link.hi - rest.lo}, 1 / term.coefficient);
    Range& own = ranges[term.feature];
    if (left.lo > own.lo) own.lo = left.lo;
    if (left.hi < own.hi) own.hi = left.hi;
  }
}

// True if both links bound the same sum, up to a factor, and their bounds do not overlap.
bool exclude(const Link& a, const Link& b) {
  if (a.terms.size() != b.terms.size()) return false;
  const double scale = b.coefficient(a.terms[0].feature) / a.terms[0].coefficient;
  if (scale == 0) return false;
  for (const Link::Term& term : a.terms)
    if (std::abs(b.coefficient(term.feature) - scale * term.coefficient) >
        range_tolerance * std::abs(scale * term.coefficient))
      return false;
  const Range other = times({b.lo, b.hi}, 1 / scale);
  return is_empty({std::max(a.lo, other.lo), std::min(a.hi, other.hi)});
}

}  // namespace

std::vector<std::string> contradictions(std::span<const std::string> texts, std::span<const Feature> features,
                                        std::span<const std::string> learned) {
  const Rules rules({texts.begin(), texts.end()}, features);
  const auto is_learned = [&](const std::string& text) {
    return std::ranges::find(learned, text) != learned.end();
  };
  std::vector<Range> ranges = ranges_of(features);
  std::vector<std::string> lines = implication_conflicts(rules, features, learned);
  std::vector<const Link*> open;
  for (const Link& link : rules.links) {
    if (misses(link, ranges) && is_learned(link.text)) continue;
    if (misses(link, ranges))
      lines.push_back("rule '" + link.text +
                      "' cannot be met within the ranges: no answer changes its features");
    else
      open.push_back(&link);
  }
  for (std::size_t i = 0; i < open.size(); ++i)
    for (std::size_t j = i + 1; j < open.size(); ++j)
      if (exclude(*open[i], *open[j]))
        lines.push_back("rules '" + open[i]->text + "' and '" + open[j]->text +
                        "' contradict each other: no answer changes their features");
  if (!lines.empty()) return lines;
  constexpr int rounds = 100;
  for (int round = 0; round < rounds; ++round)
    for (const Link* link : open) {
      narrow(*link, ranges);
      for (const Link::Term& term : link->terms)
        if (is_empty(ranges[term.feature]) && !is_learned(link->text))
          return {"rules leave no value for '" + features[term.feature].name + "' (the last: '" + link->text +
                  "'): no answer changes it"};
    }
  return lines;
}

}  // namespace scfe
