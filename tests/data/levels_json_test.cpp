// Order, distances and transitions of levels in a schema.
#include <gtest/gtest.h>

#include "actionability/features.h"
#include "actionability/limits.h"
#include "actionability/space.h"
#include "scfe/encoder.h"
#include "tests/data/scratch.h"

namespace scfe::test {
namespace {

Schema education(const std::string& members) {
  return parse_schema(R"({"format": "scfe-schema", "version": 1, "features": [{"name": "education",
      "type": "categorical", "levels": ["college", "phd", "school"], )" +
                          members + "}]}",
                      "S.json");
}

TEST(LevelTables, ComeBack) {
  for (const std::string members :
       {R"("order": ["school", "college", "phd"], "direction": "up")", R"("order": true)",
        R"("distances": [[0, 0.5, 1], [0.25, 0, 1], [1, 1, 0]])",
        R"("transitions": {"school": ["college", "phd"], "college": ["phd"]})", R"("transitions": {})"}) {
    const Schema schema = education(members);
    const Feature& f = schema.columns[0].feature;
    const Schema back = parse_schema(schema_text(schema), "S.json");
    EXPECT_EQ(schema_text(back), schema_text(schema));
    EXPECT_EQ(back.columns[0].feature.order, f.order);
    EXPECT_EQ(back.columns[0].feature.distances, f.distances);
    EXPECT_EQ(back.columns[0].feature.transitions, f.transitions);
    EXPECT_TRUE(!f.order.empty() || !f.distances.empty() || !f.transitions.empty());
  }
}

TEST(LevelTables, AnOrderGivesDistancesAndADirection) {
  const Encoder encoder(education(R"("order": ["school", "college", "phd"], "direction": "up")"));
  const std::vector<Feature> features = complete_features(encoder.features(), Matrix(0, 3));
  EXPECT_EQ(features[0].distances,
            (std::vector<std::vector<double>>{{0, 0.5, 0.5}, {0.5, 0, 1}, {0.5, 1, 0}}));
  const int college = 0, phd = 1, school = 2;
  EXPECT_TRUE(may_become(features[0], school, college));
  EXPECT_TRUE(may_become(features[0], college, phd));
  EXPECT_FALSE(may_become(features[0], college, school));
  EXPECT_FALSE(may_become(features[0], phd, school));
  const std::vector<double> weight(3, 1.0);
  EXPECT_EQ(Space(features, no_scaling(3), weight).cost(0, school, phd), 1);
}

TEST(LevelTables, ALevelWithoutTransitionsStays) {
  const Encoder encoder(education(R"("transitions": {"school": ["college"]})"));
  const std::vector<Feature> features = complete_features(encoder.features(), Matrix(0, 3));
  EXPECT_TRUE(may_become(features[0], 2, 0));
  EXPECT_FALSE(may_become(features[0], 2, 1));
  EXPECT_FALSE(may_become(features[0], 1, 0));
}

TEST(LevelTables, ErrorsNameThePlace) {
  const std::pair<std::string, std::string> cases[] = {
      {R"("order": ["school", "phd"])",
       "S.json: features[0] ('education').order: expected every level once, lowest first, got 2 of 3"},
      {R"("order": ["school", "phd", "phd"])",
       "S.json: features[0] ('education').order: expected every level once, lowest first, got 3 of 3"},
      {R"("order": ["kindergarten"])",
       "S.json: features[0] ('education').order[0]: expected levels of the feature (college, phd, school), "
       "got "
       "\"kindergarten\""},
      {R"("distances": [[0, 1], [1, 0]])",
       "S.json: features[0] ('education').distances: expected 3 rows of 3 numbers >= 0, one per level, got 2 "
       "rows"},
      {R"("distances": [[0, 1, 1], [1, 0, -1], [1, 1, 0]])",
       "S.json: features[0] ('education').distances[1]: expected 3 rows of 3 numbers >= 0, one per level, "
       "got another row"},
      {R"("transitions": {"scool": []})",
       "S.json: features[0] ('education').transitions.scool: expected levels of the feature (college, phd, "
       "school), got "
       "[]"},
      {R"("direction": "up")",
       "S.json: features[0] ('education').direction: expected any: the levels have no order ('order' gives "
       "them one), got "
       "up"},
  };
  for (const auto& [members, message] : cases)
    EXPECT_EQ(error_of([&] { (void)education(members); }), message);
  EXPECT_EQ(error_of([] {
              (void)parse_schema(R"({"format": "scfe-schema", "version": 1, "features": [
                  {"name": "a", "type": "integer", "order": true}]})",
                                 "S.json");
            }),
            "S.json: features[0] ('a').order: expected this key for categorical features only, got true");
}

}  // namespace
}  // namespace scfe::test
