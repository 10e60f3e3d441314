// The grammar of rules that are made of conditions, and of maps:
// rule        if all then all  |  all if and only if all  |  name := map(name, value: value, ...)
// all         condition and condition ...
// condition   name = value | name != value | name (<= | < | >= | >) value | name in (value, ...)
//             | name not in (value, ...) | name rises | name falls | name changes | name stays
// value       a number, or a level in quotes
#include <algorithm>
#include <array>
#include <set>

#include "actionability/rule_scanner.h"
#include "actionability/rules.h"
#include "scfe/error.h"

namespace scfe {
namespace {

constexpr std::string_view equivalence = "if and only if";

std::vector<int> rank_of_levels(const Feature& feature) {
  std::vector<int> rank(feature.order.size());
  for (std::size_t i = 0; i < rank.size(); ++i)
    rank[static_cast<std::size_t>(feature.order[i])] = static_cast<int>(i);
  return rank;
}

class ConditionReader {
 public:
  explicit ConditionReader(RuleScanner& scan) : scan_(scan) {}

  std::vector<Condition> all() {
    std::vector<Condition> conditions;
    do {
      conditions.push_back(condition());
    } while (scan_.takes_word("and"));
    return conditions;
  }

 private:
  using Kind = Condition::Kind;

  Condition condition() {
    const std::optional<std::size_t> feature = scan_.name();
    if (!feature) scan_.fail("a feature");
    Condition condition{.feature = *feature};
    if (reads_change(condition)) return condition;
    if (scan_.takes_word("not")) {
      if (!scan_.takes_word("in")) scan_.fail("'in' behind 'not'");
      condition.kind = Kind::not_among;
      read_list(condition);
    } else if (scan_.takes_word("in")) {
      read_list(condition);
    } else if (scan_.takes("!=")) {
      condition.kind = Kind::not_among;
      condition.values = {scan_.value_of(*feature)};
    } else if (scan_.takes("==") || scan_.takes("=")) {
      condition.values = {scan_.value_of(*feature)};
    } else {
      read_bound(condition);
    }
    return condition;
  }

  bool reads_change(Condition& condition) {
    constexpr std::array words = {std::pair{"rises", Kind::rises}, std::pair{"falls", Kind::falls},
                                  std::pair{"changes", Kind::changes}, std::pair{"stays", Kind::stays}};
    const auto word = std::ranges::find_if(words, [&](const auto& w) { return scan_.takes_word(w.first); });
    if (word == words.end()) return false;
    condition.kind = word->second;
    if (condition.kind != Kind::rises && condition.kind != Kind::falls) return true;
    require_order(condition.feature);
    condition.rank = rank_of_levels(scan_.feature(condition.feature));
    return true;
  }

  void require_order(std::size_t f) const {
    const Feature& feature = scan_.feature(f);
    if (feature.kind == scfe::Kind::categorical && feature.order.empty())
      throw Error("rule '" + scan_.text() + "'",
                  "numbers, or levels with an order (`order` in the schema gives them one)",
                  "'" + feature.name + "'");
  }

  void read_list(Condition& condition) {
    if (!scan_.takes("(")) scan_.fail("'(' and values");
    do {
      condition.values.push_back(scan_.value_of(condition.feature));
    } while (scan_.takes(","));
    if (!scan_.takes(")")) scan_.fail("a comma or ')'");
  }

  // A bound on levels becomes the list of those that keep it, so that it does not depend on their places.
  void read_bound(Condition& condition) {
    const bool at_most = scan_.takes("<="), at_least = !at_most && scan_.takes(">="),
               below = !at_most && !at_least && scan_.takes("<"),
               above = !at_most && !at_least && !below && scan_.takes(">");
    if (!at_most && !at_least && !below && !above)
      scan_.fail("one of =, !=, <=, <, >=, >, in, not in, rises, falls, changes, stays");
    const Feature& feature = scan_.feature(condition.feature);
    if (feature.is_category() || !feature.levels.empty()) require_order(condition.feature);
    const double bound = scan_.value_of(condition.feature);
    if (feature.levels.empty()) {
      condition.kind = Kind::between;
      if (at_most || below) condition.hi = below ? std::nextafter(bound, -INFINITY) : bound;
      if (at_least || above) condition.lo = above ? std::nextafter(bound, INFINITY) : bound;
      return;
    }
    const std::vector<int> rank = rank_of_levels(feature);
    const auto height = [&](std::size_t level) {
      return rank.empty() ? static_cast<int>(level) : rank[level];
    };
    const int limit = height(static_cast<std::size_t>(bound));
    for (std::size_t level = 0; level < feature.levels.size(); ++level) {
      const int own = height(level);
      if ((at_most && own <= limit) || (below && own < limit) || (at_least && own >= limit) ||
          (above && own > limit))
        condition.values.push_back(static_cast<double>(level));
    }
  }

  RuleScanner& scan_;
};

// Position of "if and only if" outside of quotes.
std::size_t find_equivalence(const std::string& text) {
  char open = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (open != 0)
      open = c == open ? '\0' : open;
    else if (c == '"' || c == '\'' || c == '`')
      open = c;
    else if (text.compare(i, equivalence.size(), equivalence) == 0)
      return i;
  }
  return std::string::npos;
}

void add_implication(RuleScanner& scan, bool both_ways, Rules& rules) {
  ConditionReader reader(scan);
  Implication rule{.premise = reader.all(), .consequence = {}, .both_ways = both_ways, .text = scan.text()};
  if (both_ways) {
    for (const char* word : {"if", "and", "only", "if"})
      if (!scan.takes_word(word)) scan.fail("'if and only if'");
  } else if (!scan.takes_word("then")) {
    scan.fail("'and' or 'then'");
  }
  rule.consequence = reader.all();
  if (!scan.at_end()) scan.fail("'and' or the end");
  std::set<std::size_t> features;
  for (const std::vector<Condition>* side : {&rule.premise, &rule.consequence})
    for (const Condition& condition : *side) features.insert(condition.feature);
  rule.features.assign(features.begin(), features.end());
  if (features.size() < 2)
    throw Error("rule '" + scan.text() + "'", "conditions on two features or more",
                "'" + scan.feature(rule.premise[0].feature).name + "' alone");
  rules.implications.push_back(std::move(rule));
}

// The rest of a rule  name := map(
void add_map(RuleScanner& scan, std::size_t target, Rules& rules) {
  const std::optional<std::size_t> source = scan.name();
  if (!source) scan.fail("a feature");
  const Feature& from = scan.feature(*source);
  if (from.kind == Kind::continuous)
    throw Error("rule '" + scan.text() + "'", "a map of levels or whole numbers",
                "'" + from.name + "', which is continuous");
  Expression formula;
  formula.steps.push_back({Expression::Op::feature, 0, *source});
  formula.steps.push_back({Expression::Op::map});
  if (!scan.takes(",")) scan.fail("a comma");
  do {
    const std::size_t at = scan.at();
    const double key = scan.value_of(*source);
    if (key != std::round(key)) scan.fail("a level or a whole number");
    if (!scan.takes(":")) scan.fail("':' and a value");
    const double value = scan.value_of(target);
    if (formula.table.emplace(key, value).second) continue;
    scan.go_to(at);
    scan.fail("each value of '" + from.name + "' once");
  } while (scan.takes(","));
  if (!scan.takes(")")) scan.fail("a comma or ')'");
  if (!scan.at_end()) scan.fail("the end");
  rules.derived.push_back({target, std::move(formula), {*source}, scan.text()});
}

}  // namespace

bool read_conditional(RuleScanner& scan, Rules& rules) {
  if (find_equivalence(scan.text()) != std::string::npos) {
    add_implication(scan, true, rules);
    return true;
  }
  // A feature may be called "if", too: then an operator follows.
  const auto is_operator = [&] {
    return std::ranges::any_of(std::array{"<", ">", "=", ":", "+", "-", "*", "/"},
                               [&](const char* sign) { return scan.takes(sign); });
  };
  if (scan.takes_word("if")) {
    const std::size_t behind = scan.at();
    if (!is_operator()) {
      scan.go_to(behind);
      add_implication(scan, false, rules);
      return true;
    }
    scan.go_to(0);
  }
  const bool begins_with_at_most = scan.takes_word("at") && scan.takes_word("most");
  scan.go_to(0);
  const std::optional<std::size_t> target = begins_with_at_most ? std::nullopt : scan.name();
  if (target && scan.takes(":=") && scan.takes_word("map") && scan.takes("(")) {
    add_map(scan, *target, rules);
    return true;
  }
  scan.go_to(0);
  return false;
}

}  // namespace scfe
