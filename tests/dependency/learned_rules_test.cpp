// Rules that were planted are found, with their evidence counted once more by the rules themselves; tables of
// independent columns have none.
#include "scfe/learned_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "actionability/rules.h"
#include "scfe/rules.h"

namespace scfe {
namespace {

class Draw {
 public:
  explicit Draw(unsigned seed) : engine_(seed) {}
  // The same numbers for every standard library.
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  int below(int n) { return static_cast<int>(uniform() * n); }
  double normal() {
    return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(6.283185307179586 * uniform());
  }

 private:
  std::mt19937_64 engine_;
};

Feature levels_of(const std::string& name, int count) {
  Feature feature{.name = name, .kind = Kind::categorical};
  for (int i = 0; i < count; ++i) feature.levels.push_back("l" + std::to_string(i));
  return feature;
}

bool has(const std::vector<LearnedRule>& rules, const std::string& text, const std::string& evidence = "") {
  return std::ranges::any_of(rules, [&](const LearnedRule& rule) {
    return rule.text == text && (evidence.empty() || rule.evidence == evidence);
  });
}

std::string all(const std::vector<LearnedRule>& rules) {
  std::string text;
  for (const LearnedRule& rule : rules) text += rule.evidence + "  " + rule.text + "\n";
  return text;
}

// Rows of the table that break the rule. A column of the table that is not its formula's value counts.
std::size_t broken(const Matrix& rows, std::span<const Feature> features, const std::string& text) {
  const Rules rules({text}, features);
  std::size_t count = 0;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    bool kept = true;
    for (const Link& link : rules.links) kept = kept && link.excess(rows[i]) == 0;
    for (const Implication& rule : rules.implications) kept = kept && rule.holds(rows[i], rows[i]);
    for (const Derivation& d : rules.derived) kept = kept && d.formula.value(rows[i]) == rows[i][d.feature];
    count += kept ? 0 : 1;
  }
  return count;
}

// Twenty independent columns: categories of 2 to 12 levels with uneven shares, whole numbers, counts with
// many zeros, continuous ones, and rounded ones.
Matrix independent(std::size_t rows, unsigned seed, std::vector<Feature>& features) {
  Draw draw(seed);
  features.clear();
  std::vector<std::function<double()>> columns;
  for (int f = 0; f < 20; ++f) {
    const std::string name = "f" + std::to_string(f);
    switch (f % 5) {
      case 0: {
        const int count = 2 + draw.below(11);
        features.push_back(levels_of(name, count));
        columns.push_back([&draw, count] {
          const double u = draw.uniform();
          return std::floor(u * u * count);
        });
        break;
      }
      case 1:
        features.push_back({.name = name, .kind = Kind::integer});
        columns.push_back([&draw] { return static_cast<double>(draw.below(6)); });
        break;
      case 2:
        features.push_back({.name = name, .kind = Kind::integer});
        columns.push_back([&draw] { return draw.uniform() < 0.7 ? 0.0 : 1.0 + draw.below(50); });
        break;
      case 3:
        features.push_back({.name = name});
        columns.push_back([&draw] { return draw.normal(); });
        break;
      default:
        features.push_back({.name = name, .kind = Kind::binary});
        columns.push_back([&draw] { return draw.uniform() < 0.2 ? 1.0 : 0.0; });
    }
  }
  Matrix table(rows, columns.size());
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t f = 0; f < columns.size(); ++f) table[i][f] = columns[f]();
  return table;
}

TEST(LearnedRules, independent_columns_have_none) {
  int tables = 0;
  std::size_t found = 0;
  for (const std::size_t rows : {200U, 1000U, 5000U})
    for (unsigned seed = 0; seed < 20; ++seed) {
      std::vector<Feature> features;
      const Matrix table = independent(rows, 1000 * static_cast<unsigned>(rows) + seed, features);
      const std::vector<LearnedRule> rules = learn_rules(table, features);
      found += rules.size();
      ++tables;
      EXPECT_TRUE(rules.empty()) << rows << " rows, seed " << seed << ":\n" << all(rules);
    }
  EXPECT_EQ(tables, 60);
  EXPECT_LE(found, 1U);  // of 100 tables, one may have a rule
}

// A table of people: school and its grade in years, contact days that are -1 where there was none, a spouse's
// role by sex and marriage, and used credit below the limit.
struct People {
  std::vector<Feature> features;
  Matrix rows;
};

People people(std::size_t count, std::size_t exceptions) {
  Draw draw(7);
  People p;
  p.features = {levels_of("school", 6),
                {.name = "grade", .kind = Kind::integer},
                {.name = "contact days", .kind = Kind::integer},
                {.name = "previous", .kind = Kind::integer},
                {.name = "role", .kind = Kind::categorical, .levels = {"child", "husband", "other", "wife"}},
                {.name = "sex", .kind = Kind::binary, .levels = {"f", "m"}},
                {.name = "married", .kind = Kind::categorical, .levels = {"no", "once", "yes"}},
                {.name = "used"},
                {.name = "limit"},
                {.name = "age", .kind = Kind::integer},
                levels_of("district", 18)};
  p.features.push_back(levels_of("region", 3));
  p.rows = Matrix(count, p.features.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<double> x = p.rows[i];
    const bool odd = i < exceptions;
    x[0] = draw.below(6);
    x[1] = 3 + 2 * x[0] + (odd ? 1 : 0);
    const bool contacted = draw.uniform() < 0.3;
    x[2] = contacted ? 1 + draw.below(300) : -1;
    x[3] = contacted ? 1 + draw.below(5) : 0;
    x[5] = draw.below(2);
    x[6] = draw.below(3);
    x[9] = 18 + draw.below(60);
    x[4] = x[6] == 2 && draw.uniform() < 0.9 ? (x[5] == 1 ? 1 : 3) : 2;
    if (x[6] == 0 && x[9] < 30 && draw.uniform() < 0.5) x[4] = 0;
    if (odd && (x[4] == 1 || x[4] == 3)) x[4] = 4 - x[4];
    x[8] = 100 * draw.uniform();
    x[7] = x[8] * draw.uniform();
    x[10] = draw.below(18);
    x[11] = std::floor(x[10] / 6);
  }
  return p;
}

TEST(LearnedRules, planted_rules_are_found_and_counted) {
  for (const std::size_t exceptions : {0U, 5U}) {
    const People p = people(4000, exceptions);
    const std::vector<LearnedRule> rules = learn_rules(p.rows, p.features);
    EXPECT_TRUE(has(rules, R"(grade := map(school, "l0": 3, "l1": 5, "l2": 7, "l3": 9, "l4": 11, "l5": 13))"))
        << all(rules);
    EXPECT_TRUE(std::ranges::any_of(rules, [](const LearnedRule& rule) {
      return rule.text.starts_with("region := map(district, ");
    })) << all(rules);
    EXPECT_TRUE(has(rules, "used <= limit")) << all(rules);
    EXPECT_TRUE(has(rules, "if `contact days` = -1 then previous = 0")) << all(rules);
    EXPECT_TRUE(has(rules, "if `contact days` > -1 then previous != 0") ||
                has(rules, "if previous = 0 then `contact days` = -1"))
        << all(rules);
    const Rules together = [&] {
      std::vector<std::string> texts;
      for (const LearnedRule& rule : rules) texts.push_back(rule.text);
      return Rules(texts, p.features);
    }();
    // A man is no wife, a woman no husband, and neither is unmarried.
    const auto forbids = [&](double role, std::size_t other, double value) {
      std::vector<double> row(p.rows[100].begin(), p.rows[100].end());
      row[4] = role;
      row[other] = value;
      return std::ranges::any_of(together.implications, [&](const Implication& rule) {
        return rule.features == std::vector<std::size_t>{4, other} && !rule.holds(row, row);
      });
    };
    EXPECT_TRUE(forbids(3, 5, 1) && forbids(1, 5, 0) && forbids(1, 6, 0) && forbids(3, 6, 1)) << all(rules);
    EXPECT_FALSE(forbids(2, 5, 1) || forbids(2, 5, 0) || forbids(1, 6, 2)) << all(rules);
    for (const LearnedRule& rule : rules) {
      const std::string count = std::to_string(broken(p.rows, p.features, rule.text)) + " of 4,000 rows; ";
      EXPECT_EQ(rule.evidence.substr(0, count.size()), count) << rule.text;
    }
    EXPECT_GE(rules.size(), 7U);
    EXPECT_LE(rules.size(), 16U) << all(rules);
  }
}

TEST(LearnedRules, missing_cells_are_left_out) {
  People p = people(3000, 0);
  std::size_t present = 0;
  for (std::size_t i = 0; i < p.rows.rows; ++i) {
    if (i % 3 == 0) p.rows[i][1] = NAN;
    present += i % 3 == 0 ? 0 : 1;
  }
  const std::vector<LearnedRule> rules = learn_rules(p.rows, p.features);
  const auto map = std::ranges::find_if(
      rules, [](const LearnedRule& rule) { return rule.text.starts_with("grade := map(school"); });
  ASSERT_NE(map, rules.end()) << all(rules);
  EXPECT_EQ(map->evidence.substr(0, 15), "0 of 2,000 rows");
  EXPECT_EQ(present, 2000U);
}

TEST(LearnedRules, many_exceptions_are_no_rule) {
  const People p = people(4000, 400);
  const std::vector<LearnedRule> rules = learn_rules(p.rows, p.features);
  EXPECT_TRUE(std::ranges::none_of(rules, [](const LearnedRule& rule) {
    return rule.text.starts_with("grade :=");
  })) << all(rules);
}

TEST(LearnedRules, rules_of_the_user_come_first) {
  const People p = people(4000, 0);
  const std::vector<std::string> known = {
      R"(school := map(grade, 3: "l0", 5: "l1", 7: "l2", 9: "l3", 11: "l4", 13: "l5"))", "used <= limit"};
  std::vector<std::string> texts = known;
  for (const LearnedRule& rule : learn_rules(p.rows, p.features, known)) {
    EXPECT_FALSE(rule.text.starts_with("grade :=")) << rule.text;
    EXPECT_NE(rule.text, "used <= limit");
    texts.push_back(rule.text);
  }
  EXPECT_GT(texts.size(), 4U);
  check_rules(texts, p.features);
}

TEST(LearnedRules, names_and_levels_are_quoted) {
  Draw draw(3);
  const std::vector<Feature> features = {
      {.name = "if", .kind = Kind::categorical, .levels = {"say \"a\"", "it's", "plain", "`tick`"}},
      {.name = "2nd \"x\"", .kind = Kind::categorical, .levels = {"1", "2", "3", "4"}}};
  Matrix rows(1000, 2);
  for (std::size_t i = 0; i < rows.rows; ++i) rows[i][0] = rows[i][1] = draw.below(4);
  const std::vector<LearnedRule> rules = learn_rules(rows, features);
  ASSERT_EQ(rules.size(), 1U) << all(rules);
  EXPECT_EQ(broken(rows, features, rules[0].text), 0U) << rules[0].text;
}

TEST(LearnedRules, equal_numbers_follow) {
  Draw draw(4);
  const std::vector<Feature> features = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
  Matrix rows(500, 3);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    rows[i][0] = rows[i][1] = draw.normal();
    rows[i][2] = rows[i][0] + draw.uniform();
  }
  const std::vector<LearnedRule> rules = learn_rules(rows, features);
  EXPECT_EQ(rules.size(), 2U) << all(rules);
  EXPECT_TRUE(has(rules, "b := a")) << all(rules);
  EXPECT_TRUE(has(rules, "a <= c")) << all(rules);
}

}  // namespace
}  // namespace scfe
