// Learns the rules of a table: maps, orders and exclusions, with one correction for all of them.
#include <algorithm>
#include <cmath>

#include "actionability/rules.h"
#include "dependency/chance.h"
#include "dependency/exclusions.h"
#include "dependency/implications.h"
#include "dependency/maps.h"
#include "dependency/orders.h"
#include "dependency/wording.h"
#include "scfe/learned_rules.h"
#include "support/text.h"

namespace scfe {
namespace {

constexpr std::size_t most_features = 100;

struct Scored {
  LearnedRule rule;
  double surplus;  // rows that chance would break and the table does not
};

class Learner {
 public:
  Learner(const Matrix& rows, std::span<const Feature> features, std::span<const std::string> known)
      : rows_(rows), features_(features), known_({known.begin(), known.end()}, features), chance_(rows.rows) {
    for (std::size_t f = 0; f < features.size(); ++f) columns_.push_back(cells_of(rows, f, features[f]));
  }

  std::vector<LearnedRule> learn() {
    ColumnMaps maps = maps_between(rows_, features_, chance_);
    ColumnOrders orders = orders_between(rows_, features_);
    std::vector<Pair> pairs;
    std::size_t tests = maps.tests + orders.tests;
    for (std::size_t a = 0; a < features_.size(); ++a)
      for (std::size_t b = a + 1; b < features_.size(); ++b) {
        Exclusions exclusions = exclusions_between(columns_[a], columns_[b], chance_);
        tests += exclusions.tests;
        if (!exclusions.found.empty()) pairs.push_back({a, b, std::move(exclusions.found)});
      }
    const double most =
        std::log(false_alarm_rate) - std::log(static_cast<double>(std::max<std::size_t>(tests, 1)));
    const auto by_chance = [&](const auto& found) { return found.log_probability > most; };
    std::erase_if(maps.found, by_chance);
    std::erase_if(orders.found, by_chance);
    for (Pair& pair : pairs) std::erase_if(pair.exclusions, by_chance);
    keep_maps(maps.found);
    keep_orders(orders.found);
    for (const Pair& pair : pairs) keep_exclusions(pair);
    return sorted();
  }

 private:
  struct Pair {
    std::size_t a, b;
    std::vector<Exclusion> exclusions;
  };

  void keep(const std::string& text, std::size_t broken, std::size_t rows, double expected) {
    if (std::ranges::find(known_.texts, text) != known_.texts.end()) return;
    found_.push_back({{text, evidence_text(broken, rows, expected)}, expected - static_cast<double>(broken)});
  }

  // A column that the user derives, or derives others from, keeps its rules.
  bool is_free(std::size_t f) const {
    return std::ranges::none_of(known_.derived, [&](const Derivation& d) {
      return d.feature == f || std::ranges::find(d.sources, f) != d.sources.end();
    });
  }

  void keep_maps(const std::vector<ColumnMap>& found) {
    std::vector<char> free;
    for (std::size_t f = 0; f < features_.size(); ++f) free.push_back(is_free(f) ? 1 : 0);
    for (const ColumnMap& map : independent_maps(found, features_, free)) {
      const auto source = name_in_rule(features_[map.source]), target = name_in_rule(features_[map.target]);
      std::vector<std::string> entries;
      for (const auto& [key, value] : map.value) {
        const auto from = value_in_rule(features_[map.source], key),
                   to = value_in_rule(features_[map.target], value);
        if (from && to) entries.push_back(*from + ": " + *to);
      }
      if (!source || !target || entries.size() < map.value.size()) continue;
      keep(*target + " := map(" + *source + ", " + join(entries, ", ") + ")", map.exceptions, map.rows,
           map.expected);
      maps_.push_back(map);
      if (is_one_to_one(map, found)) copies_.push_back(map.target);
    }
  }

  void keep_orders(const std::vector<ColumnOrder>& found) {
    for (const ColumnOrder& order : found) {
      const auto is_reverse = [&](const ColumnOrder& o) {
        return o.low == order.high && o.high == order.low;
      };
      if (order.low < order.high && std::ranges::any_of(found, is_reverse)) keep_equal(order);
    }
    std::vector<ColumnOrder> open;
    for (const ColumnOrder& order : found)
      if (!is_copy(order.low) && !is_copy(order.high) && !is_derived(order.low, order.high))
        open.push_back(order);
    orders_ = without_implied(open);
    for (const ColumnOrder& order : orders_) {
      const auto low = name_in_rule(features_[order.low]), high = name_in_rule(features_[order.high]);
      if (low && high) keep(*low + " <= " + *high, 0, order.rows, order.expected);
    }
  }

  // Two columns with the same numbers: the later one follows.
  void keep_equal(const ColumnOrder& order) {
    const auto low = name_in_rule(features_[order.low]), high = name_in_rule(features_[order.high]);
    if (!low || !high || !is_free(order.high) || is_copy(order.low) || is_copy(order.high)) return;
    keep(*high + " := " + *low, 0, order.rows, order.expected);
    copies_.push_back(order.high);
  }

  void keep_exclusions(const Pair& pair) {
    if (is_copy(pair.a) || is_copy(pair.b) || is_derived(pair.a, pair.b)) return;
    std::vector<Exclusion> open;
    for (const Exclusion& e : pair.exclusions)
      if (!follows_from_order(pair, e)) open.push_back(e);
    const TwoColumns columns{features_[pair.a], features_[pair.b], columns_[pair.a], columns_[pair.b]};
    for (const ImplicationLine& line : implications_of(columns, largest_of(open)))
      keep(line.text, line.broken, line.rows, line.expected);
  }

  bool is_copy(std::size_t f) const { return std::ranges::find(copies_, f) != copies_.end(); }

  // True if one of the two columns follows from the other.
  bool is_derived(std::size_t a, std::size_t b) const {
    const auto joins = [&](std::size_t target, std::size_t source) {
      return (target == a && source == b) || (target == b && source == a);
    };
    return std::ranges::any_of(maps_, [&](const ColumnMap& map) { return joins(map.target, map.source); }) ||
           std::ranges::any_of(known_.derived, [&](const Derivation& d) {
             return std::ranges::any_of(d.sources,
                                        [&](std::size_t source) { return joins(d.feature, source); });
           });
  }

  bool follows_from_order(const Pair& pair, const Exclusion& e) const {
    const auto &a = columns_[pair.a].cells, &b = columns_[pair.b].cells;
    return std::ranges::any_of(orders_, [&](const ColumnOrder& order) {
      return (order.low == pair.a && order.high == pair.b && a[e.a.first].lo > b[e.b.last].hi) ||
             (order.low == pair.b && order.high == pair.a && b[e.b.first].lo > a[e.a.last].hi);
    });
  }

  std::vector<LearnedRule> sorted() {
    std::ranges::stable_sort(found_, [](const Scored& a, const Scored& b) { return a.surplus > b.surplus; });
    std::vector<LearnedRule> rules;
    for (Scored& scored : found_) rules.push_back(std::move(scored.rule));
    return rules;
  }

  const Matrix& rows_;
  std::span<const Feature> features_;
  Rules known_;
  Chance chance_;
  std::vector<CellColumn> columns_;
  std::vector<ColumnMap> maps_;
  std::vector<ColumnOrder> orders_;
  std::vector<std::size_t> copies_;  // columns that follow one-to-one from another: its rules are theirs
  std::vector<Scored> found_;
};

}  // namespace

std::vector<LearnedRule> learn_rules(const Matrix& rows, std::span<const Feature> features,
                                     std::span<const std::string> known) {
  if (features.size() > most_features || rows.rows == 0) return {};
  return Learner(rows, features, known).learn();
}

}  // namespace scfe
