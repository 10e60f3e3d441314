// A question that can be changed by a hint, and small models whose hints are known.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/helper/clouds.h"
#include "tests/helper/credit.h"
#include "tests/helper/toy.h"

namespace scfe::test {

struct Asked {
  std::vector<Feature> features;
  Options options;
  std::vector<std::string> rules = {};
  RowLimits limits = {};  // the same for every row

  std::size_t place(const std::string& name) const {
    for (std::size_t f = 0; f < features.size(); ++f)
      if (features[f].name == name) return f;
    throw std::invalid_argument(name);
  }
  Feature& operator[](const std::string& name) { return features[place(name)]; }
  void freeze_all_but(const std::vector<std::string>& names) {
    for (Feature& f : features)
      f.immutable = f.immutable || std::find(names.begin(), names.end(), f.name) == names.end();
  }
  std::vector<Explanation> of(const Explainer& fitted, const Matrix& rows) const {
    const std::vector<RowLimits> each(limits.features.empty() ? 0 : rows.rows, limits);
    return fitted.with_features(features).with_rules(rules).explain(rows, options, {}, each);
  }

  Asked relaxed(const Hint& hint, const Explainer& fitted) const {
    Asked other = *this;
    const auto place = static_cast<std::size_t>(hint.value);
    const bool of_feature =
        hint.kind == Hint::Kind::feature || hint.kind == Hint::Kind::upper || hint.kind == Hint::Kind::lower;
    if (hint.kind == Hint::Kind::changes) other.options.max_changes = static_cast<int>(hint.value);
    if (hint.kind == Hint::Kind::plausible) other.options.plausible = hint.value;
    if (hint.kind == Hint::Kind::probability) other.options.probability = 0;
    if (hint.kind == Hint::Kind::robust) other.options.robust = 0;
    if (hint.kind == Hint::Kind::rule)
      other.rules.erase(other.rules.begin() + static_cast<std::ptrdiff_t>(place));
    if (!of_feature) return other;
    Feature& feature = other.features[place];
    if (hint.kind == Hint::Kind::feature) {
      feature.immutable = fitted.features()[place].immutable;
      feature.direction = fitted.features()[place].direction;
      feature.transitions = fitted.features()[place].transitions;
    }
    if (hint.kind == Hint::Kind::upper) feature.max = hint.reached;
    if (hint.kind == Hint::Kind::lower) feature.min = hint.reached;
    for (FeatureLimit& limit : other.limits.features) {
      if (limit.feature != place) continue;
      if (hint.kind == Hint::Kind::feature) limit.fixed = false;
      if (hint.kind == Hint::Kind::upper) limit.max.reset();
      if (hint.kind == Hint::Kind::lower) limit.min.reset();
    }
    return other;
  }
};

// Follows every hint of the answers and checks that the question it leads to has one.
struct FollowedHints {
  std::map<Hint::Kind, int> kinds;
  int tried = 0;

  void follow(const Asked& asked, const Explainer& fitted, const Matrix& rows) {
    const std::vector<Explanation> answers = asked.of(fitted, rows);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (answers[i].status == Status::valid || answers[i].status == Status::already)
        EXPECT_TRUE(answers[i].hints.empty());
      for (const Hint& hint : answers[i].hints) {
        const Explanation e = asked.relaxed(hint, fitted).of(fitted, one_row(rows[i]))[0];
        EXPECT_EQ(e.status, Status::valid) << "row " << i << ": " << hint.text;
        if (hint.kind == Hint::Kind::feature)
          EXPECT_FALSE(fitted.features()[static_cast<std::size_t>(hint.value)].immutable) << hint.text;
        EXPECT_NE(hint.text.find("possible"), std::string::npos);
        ++kinds[hint.kind];
        ++tried;
      }
    }
  }
};

// z = a + b - 1.5 on two numbers from 0 to 1.
struct SumModel {
  Training training;
  std::shared_ptr<const Model> model = dense_network({{matrix(1, 2, {1, 1}), {-1.5}, "none"}});
  Options options;

  explicit SumModel(bool frozen) {
    training.rows = Matrix(8, 2);
    for (std::size_t i = 0; i < 8; ++i) {
      training.rows[i][0] = static_cast<double>(i % 2);
      training.rows[i][1] = static_cast<double>(i / 4);
      training.labels.push_back(i % 2 == 1 && i / 4 == 1 ? 1 : 0);
    }
    training.features = {{.name = "age", .step = 0.01, .immutable = frozen},
                         {.name = "amount", .step = 0.01}};
    options.density = DensityKind::none;
    options.target = 1;
  }
};

}  // namespace scfe::test
