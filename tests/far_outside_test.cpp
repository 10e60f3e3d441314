// Rows that start where no training row was.
#include <gtest/gtest.h>

#include <cmath>

#include "scfe/bundle.h"
#include "tests/helper/clouds.h"

namespace scfe {
namespace {

using test::labelled_by;
using test::random_network;

// With categories and with trees too; several answers, a path and hints of such a row are none the worse.
TEST(FarOutside, is_no_trouble_to_any_search) {
  const auto trees = open_model(read_model_file(SCFE_SOURCE_DIR "/tests/fixtures/trees/xgboost_binary.json"));
  for (const bool stepped : {false, true})
    for (const auto& model : {random_network(trees->features(), 1, 61), trees}) {
      Training training = labelled_by(*model, 150, 62);
      training.features.resize(model->features());
      if (stepped) training.features[1].step = 0.5;
      Matrix factuals(3, model->features());
      for (std::size_t j = 0; j < factuals.cols; ++j) {
        factuals[0][j] = j == 0 ? 1e6 : training.rows[0][j];
        factuals[1][j] = j == 1 ? -1e9 : training.rows[1][j];
        factuals[2][j] = 1e5;
      }
      for (const auto& [name, text] : {std::pair("answers", "2"), {"path", "true"}, {"robust", "0.01"}}) {
        Options options;
        set_option(options, name, text);
        const Explainer explainer(model, training, options);
        for (const auto& list : explainer.explain_all(factuals, options))
          for (const Explanation& e : list) {
            EXPECT_TRUE(std::isfinite(e.margin) && std::isfinite(e.l2)) << name;
            EXPECT_TRUE(e.found() || !e.reason.empty()) << name;
            if (e.found()) EXPECT_GT(e.probability, 0.5);
            for (const FeatureChange& change : e.changes) {
              const Feature& f = explainer.features()[change.feature];
              EXPECT_GE(change.to, std::min(*f.min, change.from));
              EXPECT_LE(change.to, std::max(*f.max, change.from));
            }
          }
      }
    }
}

}  // namespace
}  // namespace scfe
