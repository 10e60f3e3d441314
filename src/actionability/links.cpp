#include "actionability/links.h"

#include <algorithm>

#include "actionability/limits.h"
#include "support/text.h"

namespace scfe {
namespace {

// The limits of a derived column as a link: its range extended by the factual, one way, or fixed.
Link limits_of(const Feature& feature, std::size_t position, double factual) {
  Link link{.terms = {{position, 1.0}}, .text = "the limits of " + feature.name};
  const bool falls = !feature.immutable && feature.direction != Direction::up,
             rises = !feature.immutable && feature.direction != Direction::down;
  link.lo = falls ? std::min(*feature.min, factual) : factual;
  link.hi = rises ? std::max(*feature.max, factual) : factual;
  return link;
}

}  // namespace

Links::Links(const Frame& frame, std::span<const Feature> features, std::span<const double> factual)
    : frame_(frame), factual_(factual.begin(), factual.end()), links_(frame.rules.links) {
  for (const Derivation& derivation : derived()) {
    const Feature& feature = features[derivation.feature];
    const double from = factual[derivation.feature];
    std::vector<char>& allowed = may_take_.emplace_back();
    if (feature.is_category())
      for (std::size_t level = 0; level < feature.level_count(); ++level)
        allowed.push_back(may_go(feature, from, static_cast<double>(level)));
    else
      links_.push_back(limits_of(feature, derivation.feature, from));
  }
  for (const Link& link : links_) {
    double most = 0;
    for (const Link::Term& term : link.terms) {
      const bool category = frame.space.is_category(term.feature);
      const double scale = category ? 1 : frame.space.scale(frame.space.first(term.feature));
      most = std::max(most, std::abs(term.coefficient) * scale);
    }
    unit_.push_back(1 / most);
  }
}

// True if a source was changed, so that the column must follow its formula.
bool Links::stale(const Derivation& derivation, std::span<const double> values) const {
  return std::ranges::any_of(derivation.sources, [&](std::size_t f) { return values[f] != factual_[f]; });
}

double Links::written_value(const Derivation& derivation, std::span<const double> values) const {
  return stale(derivation, values) ? formula_value(derivation, values) : factual_[derivation.feature];
}

double Links::formula_value(const Derivation& derivation, std::span<const double> values) const {
  const double exact = derivation.formula.value(values);
  const bool stepped = frame_.writing.step[derivation.feature] > 0 && std::isfinite(exact);
  return stepped ? frame_.writing.nearest(derivation.feature, exact) : exact;
}

void Links::fill(std::span<double> values, bool written) const {
  for (const Derivation& d : derived()) {
    const double value = written || !stale(d, values) ? written_value(d, values) : d.formula.value(values);
    // A level has to be one to be evaluated at all; follows() does not accept the row.
    const bool unknown = std::isnan(value) && !d.formula.table.empty();
    values[d.feature] = unknown ? factual_[d.feature] : value;
  }
}

bool Links::touched(const Link& link, std::span<const double> values) const {
  return std::ranges::any_of(link.terms,
                             [&](const Link::Term& t) { return values[t.feature] != factual_[t.feature]; });
}

bool Links::follows(const Derivation& derivation, std::span<const double> values) const {
  const double x = values[derivation.feature], expected = written_value(derivation, values);
  const std::vector<char>& allowed = may_take_[static_cast<std::size_t>(&derivation - derived().data())];
  if (!allowed.empty()) return x == expected && allowed[static_cast<std::size_t>(expected)] != 0;
  return std::isfinite(expected) && std::abs(x - expected) <= 1e-12 * std::abs(expected);
}

bool Links::kept(const Together& group, std::span<const double> values) const {
  const auto changed =
      std::ranges::count_if(group.features, [&](std::size_t f) { return values[f] != factual_[f]; });
  return static_cast<std::size_t>(changed) <= group.most;
}

bool Links::hold(std::span<const double> values) const {
  return std::ranges::all_of(derived(), [&](const Derivation& d) { return follows(d, values); }) &&
         std::ranges::all_of(links_,
                             [&](const Link& l) { return !touched(l, values) || l.excess(values) == 0; }) &&
         std::ranges::all_of(frame_.rules.together,
                             [&](const Together& group) { return kept(group, values); }) &&
         std::ranges::none_of(implications(), [&](const Implication& i) { return breaks(i, values); });
}

std::vector<std::string> Links::broken(std::span<const double> values) const {
  std::vector<std::string> texts;
  for (const Derivation& d : derived())
    if (!follows(d, values)) texts.push_back(d.text + ", which is " + number(written_value(d, values)));
  for (const Link& link : links_)
    if (touched(link, values) && link.excess(values) != 0)
      texts.push_back(link.text + ", off by " + number(std::abs(link.excess(values))));
  for (const Together& group : frame_.rules.together)
    if (!kept(group, values)) texts.push_back(group.text);
  for (const Implication& rule : implications())
    if (breaks(rule, values)) texts.push_back(rule.text);
  return texts;
}

double Links::violation(std::span<const double> values) const {
  double sum = 0;
  for (std::size_t i = 0; i < links_.size(); ++i)
    if (touched(links_[i], values)) sum += unit_[i] * std::abs(links_[i].excess(values));
  for (const Implication& rule : implications())
    if (breaks(rule, values)) sum += shortest_repair(rule, values);
  return sum;
}

double Links::slope(const Link& link, std::span<const double> values, std::size_t column) const {
  const std::size_t feature = frame_.space.feature_of(column);
  // Chain rule through the derived columns, from the last to the first.
  double total = link.coefficient(feature);
  if (!derived().empty()) {
    std::vector<double> weight(values.size());
    for (const Link::Term& term : link.terms) weight[term.feature] = term.coefficient;
    for (auto d = derived().rbegin(); d != derived().rend(); ++d)
      for (const std::size_t source : d->sources)
        if (weight[d->feature] != 0) weight[source] += weight[d->feature] * d->formula.slope(values, source);
    total = weight[feature];
  }
  return total * frame_.space.scale(column);
}

bool Links::may_join(std::span<const int> support, std::size_t feature) const {
  return std::ranges::none_of(frame_.rules.together, [&](const Together& group) {
    const auto member = [&](std::size_t f) {
      return std::ranges::find(group.features, f) != group.features.end();
    };
    const auto changed =
        std::ranges::count_if(support, [&](int f) { return member(static_cast<std::size_t>(f)); });
    return member(feature) && static_cast<std::size_t>(changed) >= group.most;
  });
}

namespace {

double nearest_bound(const Link& link, double sum) {
  return sum > link.hi || link.lo == -INFINITY ? link.hi : link.lo;
}

}  // namespace

double Links::solve(const Link& link, std::size_t feature, std::span<const double> values) const {
  const double a = link.coefficient(feature), sum = link.sum(values);
  double rest = 0;
  for (const Link::Term& term : link.terms)
    if (term.feature != feature) rest += term.coefficient * values[term.feature];
  return (nearest_bound(link, sum) - rest) / a;
}

double Links::repair(const Link& link, std::size_t feature, std::span<const double> values) const {
  const double a = link.coefficient(feature), bound = nearest_bound(link, link.sum(values));
  const double exact = solve(link, feature, values);
  if (!std::isfinite(exact) || !(frame_.writing.step[feature] > 0)) return exact;
  // Round down for an upper bound and up for a lower one; a negative coefficient reverses this.
  const bool downwards = (bound == link.hi) == (a > 0);
  return link.is_equality() ? frame_.writing.nearest(feature, exact)
                            : frame_.writing.neighbour(feature, exact, downwards ? -1 : 1);
}

void set_rules(const Links::Frame& frame, std::span<const Feature> features, Factual& row) {
  if (frame.rules.empty()) return;
  const auto links = std::make_shared<const Links>(frame, features, row.values);
  for (const Derivation& d : links->derived()) {
    const std::size_t column = frame.space.first(d.feature);
    for (std::size_t j = column; j < column + frame.space.width(d.feature); ++j) row.lo[j] = row.hi[j] = 0;
    if (frame.space.is_category(d.feature)) row.levels[d.feature] = {static_cast<int>(row.values[d.feature])};
  }
  row.links = links;
}

}  // namespace scfe
