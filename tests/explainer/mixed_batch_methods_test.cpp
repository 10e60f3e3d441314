// An answer does not depend on the rows beside it: every method of the catalogue.
#include <gtest/gtest.h>

#include "method/catalogue.h"
#include "tests/explainer/batches.h"

namespace scfe {
namespace {

using test::Batch;
using test::Tally;
namespace place = test::place;

TEST(MixedBatchMethods, every_method_gives_the_same_bits) {
  const auto linear = test::linear_model({1, -0.5, 2, 0.3, -1}, 0.2);
  const auto network = test::random_network(5, 1, 7);
  for (const MethodRow& method : method_catalogue()) {
    const auto& model = method.method == Method::pcfe ? linear : network;
    const Training training = test::labelled_by(*model, 80, 61);
    Tally tally;
    for (const double plausible : {0.0, 0.2}) {
      Options options;
      options.method = method.method;
      options.plausible = plausible;
      options.max_changes = 2;
      options.iterations = 60;
      options.sections = 4;
      Batch batch = test::make_batch(Explainer(model, training, options), *model, training);
      if (method.method == Method::cem_pp) batch.targets.clear();  // it keeps the class of each row
      const std::string what = std::string(method.name) + ", floor " + std::to_string(plausible);
      const auto alone = test::expect_same_bits(batch, options, what, tally);
      EXPECT_TRUE(batch.has_broken_row);
      // cem-pp starts from a row without information, at which the model is finite.
      if (method.method != Method::cem_pp) EXPECT_FALSE(alone[place::broken][0].found()) << what;
    }
    EXPECT_GE(tally.rows, 150) << method.name;
    EXPECT_GE(tally.answers, 30) << method.name;
  }
}

}  // namespace
}  // namespace scfe
