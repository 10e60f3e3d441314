#include "actionability/rules.h"

#include <gtest/gtest.h>

#include "actionability/links.h"
#include "scfe/error.h"
#include "scfe/rules.h"
#include "tests/data/scratch.h"
#include "tests/helper/uniform.h"

namespace scfe {
namespace {

using test::error_of;

std::vector<Feature> features() {
  std::vector<Feature> all(6);
  const char* names[] = {"used", "limit", "hours-per-week", "net income", "ratio", "job"};
  for (std::size_t f = 0; f < all.size(); ++f) {
    all[f].name = names[f];
    all[f].min = 0;
    all[f].max = 100;
    all[f].step = 1;
  }
  all[4].step = 0.01;
  all[5].kind = Kind::categorical;
  all[5].levels = {"a", "b"};
  all[5].max = 1;
  return all;
}

Rules rules_of(const std::vector<std::string>& texts) { return {texts, features()}; }

TEST(Rules, that_no_row_can_meet_are_named) {
  const auto lines = [](const std::vector<std::string>& texts) { return contradictions(texts, features()); };
  EXPECT_TRUE(lines({}).empty());
  EXPECT_TRUE(
      lines({"used <= limit", "used + limit = 200", "at most 1 of used, job", "ratio := used / limit"})
          .empty());
  EXPECT_TRUE(lines({"if job = 'a' then used <= 3", "if used <= 3 then job = 'a'",
                     "limit = 0 if and only if job = 'b'"})
                  .empty());
  EXPECT_EQ(
      lines({"if job = 'a' then used <= 3", "if used <= 5 then limit >= 9", "if job = 'a' then limit = 2"}),
      (std::vector<std::string>{
          "rules 'if job = 'a' then used <= 3' and 'if job = 'a' then limit = 2': no row meets both where "
          "the condition of the first holds",
          "rule 'if job = 'a' then limit = 2': no row meets it where its condition holds"}));
  EXPECT_EQ(lines({"if used > 100 then job = 'a'"}),
            (std::vector<std::string>{"rule 'if used > 100 then job = 'a'': a condition holds for no value "
                                      "within the levels and ranges"}));
  EXPECT_TRUE(lines({"used <= limit", "used >= limit"}).empty());  // equal
  for (const char* text :
       {"used <= -1", "used + limit >= 201", "used - limit = 101", "2 * used >= limit + 300"}) {
    ASSERT_EQ(lines({"used <= limit", text}).size(), 1U) << text;
    EXPECT_NE(lines({"used <= limit", text})[0].find(text), std::string::npos) << lines({text})[0];
  }
  // Each rule can be satisfied, but not both.
  const std::vector<std::string> both =
      lines({"used <= limit", "hours-per-week <= 3", "2 * limit <= 2 * used - 1"});
  ASSERT_EQ(both.size(), 1U);
  EXPECT_NE(both[0].find("'used <= limit' and '2 * limit <= 2 * used - 1'"), std::string::npos) << both[0];
  // Not contradictory alone or in pairs on one sum, but the ranges that remain are empty.
  const std::vector<std::string> three = lines({"used >= 60", "limit >= 50", "used + limit <= 100"});
  ASSERT_EQ(three.size(), 1U);
  EXPECT_NE(three[0].find("no value for"), std::string::npos) << three[0];
}

TEST(Rules, linear_ones_are_read_from_both_sides) {
  const Rules rules = rules_of({"used <= limit", "2 * used - (limit + 3) / 2 >= -0.5 * hours-per-week + 1",
                                "`net income` + 'used' + \"limit\" = 10", "- -used == 1 + 2*3"});
  ASSERT_EQ(rules.links.size(), 4U);
  EXPECT_EQ(rules.links[0].coefficient(0), 1);
  EXPECT_EQ(rules.links[0].coefficient(1), -1);
  EXPECT_EQ(rules.links[0].hi, 0);
  EXPECT_EQ(rules.links[0].lo, -INFINITY);
  EXPECT_EQ(rules.links[1].coefficient(0), 2);
  EXPECT_EQ(rules.links[1].coefficient(1), -0.5);
  EXPECT_EQ(rules.links[1].coefficient(2), 0.5);
  EXPECT_EQ(rules.links[1].lo, 2.5);
  EXPECT_EQ(rules.links[1].hi, INFINITY);
  EXPECT_TRUE(rules.links[2].is_equality());
  EXPECT_EQ(rules.links[2].lo, 10);
  EXPECT_EQ(rules.links[2].terms.size(), 3U);
  EXPECT_EQ(rules.links[3].lo, 7);
}

TEST(Rules, names_of_several_words_need_no_quotes_where_they_are_known) {
  const Rules rules = rules_of({"net income >= used", "at most 1 of hours-per-week, net income, job"});
  EXPECT_EQ(rules.links[0].coefficient(3), 1);
  EXPECT_EQ(rules.together[0].features, (std::vector<std::size_t>{2, 3, 5}));
  EXPECT_EQ(rules.together[0].most, 1U);
}

TEST(Rules, errors_name_the_rule_the_position_and_what_was_expected) {
  const std::pair<std::string, std::string> cases[] = {
      {"used <=", "rule 'used <=', position 8: expected a name, a number or '(', got its end"},
      {"used < limit", "rule 'used < limit', position 6: expected <=, >=, = or :=, got '< limit'"},
      {"used <= limt", "rule 'used <= limt', position 9: unknown feature 'limt': did you mean 'limit'?"},
      {"used <= salary",
       "rule 'used <= salary', position 9: expected a feature (used, limit, hours-per-week, net income, "
       "ratio, "
       "job), "
       "got 'salary'"},
      {"used * limit <= 3",
       "rule 'used * limit <= 3': expected no product or ratio of features (a derived column may hold it), "
       "got one"},
      {"used <= used", "rule 'used <= used': expected features that do not cancel out, got none"},
      {"used <= limit limit",
       "rule 'used <= limit limit', position 15: expected the end, or one of + - * /, got 'limit'"},
      {"(used <= limit", "rule '(used <= limit', position 7: expected ')', got '<= limit'"},
      {"job <= 1",
       "rule 'job <= 1', position 5: expected numbers: 'job', just before, is a category, got '<= 1'"},
      {"at most 2 of used, limit",
       "rule 'at most 2 of used, limit': expected a number from 1 to 1 (fewer than the features listed), got "
       "2"},
      {"at most one of used, limit",
       "rule 'at most one of used, limit', position 9: expected a whole number (at most 1 of a, b), got 'one "
       "of used, "
       "limit'"},
      {"job := used",
       "rule 'job := used', position 5: expected numbers: 'job', just before, is a category, got ':= "
       "used'"},
      {"used + limit := 3", "rule 'used + limit := 3': expected one feature before ':=', got a formula"},
      {"ratio := ratio + used",
       "rule 'ratio := ratio + used': expected sources that are derived by an earlier rule, if at all, got "
       "itself"},
      {"used <= 'limit",
       "rule 'used <= 'limit', position 9: expected a name in quotes that ends with ', got ''limit'"},
      {"used <= 1e999", "rule 'used <= 1e999', position 9: expected a finite number, got '1e999'"},
      {"if job = 'c' then used <= 3",
       "rule 'if job = 'c' then used <= 3', position 10: expected one of a, b, got 'c'"},
      {"if job = 'a' used <= 3",
       "rule 'if job = 'a' used <= 3', position 14: expected 'and' or 'then', got 'used <= 3'"},
      {"if job rises then used <= 3",
       "rule 'if job rises then used <= 3': expected numbers, or levels with an order (`order` in the schema "
       "gives them one), got 'job'"},
      {"if used then limit = 3",
       "rule 'if used then limit = 3', position 9: expected one of =, !=, <=, <, >=, >, in, not in, rises, "
       "falls, changes, stays, got 'then limit = 3'"},
      {"if used = 1 then used = 2",
       "rule 'if used = 1 then used = 2': expected conditions on two features or more, got 'used' alone"},
      {"ratio := map(job, 'a': 1, 'a': 2)",
       "rule 'ratio := map(job, 'a': 1, 'a': 2)', position 27: expected each value of 'job' once, got ''a': "
       "2)'"},
      {"job := map(used, 1: 'a')",
       "rule 'job := map(used, 1: 'a')': expected a map of levels or whole numbers, got 'used', which is "
       "continuous"},
      {"", "rule '', position 1: expected a name, a number or '(', got its end"},
  };
  for (const auto& [text, message] : cases)
    EXPECT_EQ(error_of([&] { check_rules(std::vector<std::string>{text}, features()); }), message);
  const std::string deep(100000, '(');
  EXPECT_NE(error_of([&] { check_rules(std::vector<std::string>{deep}, features()); }), "");
  EXPECT_NE(error_of([&] {
              check_rules(std::vector<std::string>{"ratio := used", "ratio := limit"}, features());
            }),
            "");
}

// There is no third level, which a map or a condition could name.
TEST(Rules, a_binary_column_without_levels_takes_0_or_1) {
  std::vector<Feature> all = features();
  all[5].kind = Kind::binary;
  all[5].levels = {};
  EXPECT_EQ(
      error_of([&] { check_rules(std::vector<std::string>{"if job = 2 then used <= 3"}, all); }),
      "rule 'if job = 2 then used <= 3', position 10: expected 0 or 1 for 'job', got '2 then used <= 3'");
  EXPECT_EQ(error_of([&] { check_rules(std::vector<std::string>{"if job = 1 then used <= 3"}, all); }), "");
}

TEST(Rules, slopes_of_formulas_match_central_differences) {
  test::Uniform random(3);
  for (const std::string text :
       {"ratio := used / limit", "ratio := (used - 2 * limit) / (hours-per-week + 1) * used",
        "ratio := -used * used / (limit * limit + 1) + 3"}) {
    const Rules rules = rules_of({text});
    const Expression& formula = rules.derived[0].formula;
    for (int round = 0; round < 20; ++round) {
      std::vector<double> x(6);
      for (double& value : x) value = random(1, 5);
      for (const std::size_t f : rules.derived[0].sources) {
        std::vector<double> up = x, down = x;
        up[f] += 1e-5;
        down[f] -= 1e-5;
        EXPECT_NEAR(formula.slope(x, f), (formula.value(up) - formula.value(down)) / 2e-5, 1e-6);
      }
    }
  }
}

class LinksOfARow : public ::testing::Test {
 protected:
  Links links(const std::vector<double>& factual) const {
    return Links({rules_, space_, writing_}, features_, factual);
  }
  std::vector<Feature> features_ = features();
  Rules rules_ = rules_of(
      {"used <= limit", "used + hours-per-week = 10", "ratio := used / limit", "at most 1 of limit, job"});
  Space space_{features_, no_scaling(7), std::vector<double>(7, 1.0)};
  Writing writing_{{1, 1, 1, 1, 0.01, 1}};
};

TEST_F(LinksOfARow, count_only_where_a_feature_changed) {
  const std::vector<double> factual{9, 3, 9, 5, 7, 0};  // violates all of them
  const Links own = links(factual);
  EXPECT_TRUE(own.hold(factual));
  std::vector<double> row = factual;
  row[3] = 6;
  own.complete(row);
  EXPECT_TRUE(own.hold(row));
  EXPECT_EQ(row[4], 7);
  row[1] = 8;
  own.complete(row);
  EXPECT_EQ(row[4], 1.13);  // 9 / 8 in steps of 0.01
  EXPECT_EQ(own.broken(row), std::vector<std::string>{"used <= limit, off by 1"});
  row[1] = 9;
  row[5] = 1;
  own.complete(row);
  EXPECT_EQ(own.broken(row), std::vector<std::string>{"at most 1 of limit, job"});
  row[5] = 0;
  EXPECT_TRUE(own.hold(row));
  row[4] = 1.01;
  EXPECT_FALSE(own.hold(row));
}

TEST_F(LinksOfARow, are_repaired_on_the_side_that_keeps_them) {
  const Links own = links({4, 5, 6, 5, 0.8, 0});
  const std::vector<double> row{7.5, 5, 6, 5, 1.5, 0};
  EXPECT_EQ(own.repair(own.links()[0], 1, row), 8);
  EXPECT_EQ(own.repair(own.links()[0], 0, row), 5);
  EXPECT_EQ(own.solve(own.links()[1], 2, row), 2.5);
  EXPECT_TRUE(own.may_join(std::vector<int>{0, 1}, 2));
  EXPECT_FALSE(own.may_join(std::vector<int>{0, 1}, 5));
}

TEST_F(LinksOfARow, a_division_by_zero_is_no_answer) {
  const Links own = links({4, 5, 6, 5, 0.8, 0});
  std::vector<double> row{4, 0, 6, 5, 0.8, 0};
  own.complete(row);
  EXPECT_FALSE(own.hold(row));
}

}  // namespace
}  // namespace scfe
