// A floor that a row brings along counts like one of the question, in hints and reasons as well.
#include <gtest/gtest.h>

#include "scfe/diagnostics.h"
#include "tests/helper/clouds.h"

namespace scfe {
namespace {

// The share that a row's own floor stands for is estimated: "50.6 % were asked for".
std::string behind_the_share(const std::string& reason) {
  const std::size_t at = reason.find("% were asked for");
  return at == std::string::npos ? reason : reason.substr(at);
}

TEST(RowFloor, hints_are_those_of_the_same_floor_of_the_question) {
  constexpr double share = 0.9;
  int hints = 0, changes = 0, together = 0;
  for (const std::uint64_t seed : {1, 7, 9}) {
    const auto model = test::random_network(5, 1, seed);
    const Training training = test::labelled_by(*model, 100, seed + 20);
    Options options;
    options.max_changes = 1;
    options.target = 1;
    const Explainer fitted(model, training, options);
    std::vector<Feature> features = fitted.features();
    for (const std::size_t f : {0, 1, 4}) features[f].immutable = true;
    features[3].max = 0.5;
    const Explainer explainer = fitted.with_features(features);
    const Matrix rows = test::first_rows(training.rows, 100);
    Options asked = options, none = options;
    asked.plausible = share;
    none.plausible = 0;
    const std::vector<RowLimits> limits(rows.rows, {{}, Diagnostics(fitted).floor(1, share)});
    const auto of_question = explainer.explain(rows, asked),
               of_rows = explainer.explain(rows, none, {}, limits);
    for (std::size_t i = 0; i < rows.rows; ++i) {
      const Explanation &a = of_question[i], &b = of_rows[i];
      EXPECT_EQ(a.status, b.status) << i;
      EXPECT_EQ(behind_the_share(a.reason()), behind_the_share(b.reason())) << i;
      EXPECT_EQ(a.counterfactual, b.counterfactual) << i;
      ASSERT_EQ(a.hints.size(), b.hints.size()) << i << ": " << a.reason() << " / " << b.reason();
      for (std::size_t k = 0; k < a.hints.size(); ++k, ++hints) {
        EXPECT_EQ(a.hints[k].text, b.hints[k].text) << i;
        EXPECT_EQ(a.hints[k].l2, b.hints[k].l2) << i;
        changes += a.hints[k].kind == Hint::Kind::changes;
      }
      together += a.reason().find("lifted together") != std::string::npos;
    }
  }
  EXPECT_GE(hints, 20);
  EXPECT_GE(changes, 5);
  EXPECT_GE(together, 1);
}

}  // namespace
}  // namespace scfe
