// Compares the models of the paper's own code with the scores and gradients of PyTorch.
#include <algorithm>
#include <cmath>

#include "scfe/onnx.h"
#include "tests/helper/shared.h"
#include "tests/model/onnx/run_model.h"

namespace scfe {
namespace {

using test::Rows;

TEST(OnnxReference, tabular_models_give_the_logits) {
  SCFE_NEEDS_SHARED("reference");
  for (const std::string set : {"wine", "housing", "wdbc"})
    for (const std::string kind : {"mlp", "linear"}) {
      const std::string base = (test::shared_dir() / "reference" / (set + "_" + kind)).string();
      const auto reference = test::read_json(base + "_ref.json");
      const auto model = read_onnx(base + ".onnx");
      ASSERT_EQ(model->scores(), 1U) << base;
      const Rows rows = reference["x"];
      const auto run = test::run_model(*model, rows);
      for (std::size_t r = 0; r < rows.size(); ++r) {
        const double expected =
            reference["logit"][r].is_array() ? reference["logit"][r][0] : reference["logit"][r];
        EXPECT_NEAR(run.scores[r][0], expected, 1e-4 * std::max(1.0, std::abs(expected)))
            << base << " row " << r;
      }
    }
}

// hinge = max(0, max_{i != y} z_i - z_y); its gradient where it is active.
TEST(OnnxReference, cnn_gives_logits_and_gradients) {
  SCFE_NEEDS_SHARED("reference/mnist_cnn.onnx");
  const auto folder = test::shared_dir() / "reference";
  const auto reference = test::read_json(folder / "mnist_cnn_ref.json");
  const auto model = read_onnx((folder / "mnist_cnn.onnx").string());
  ASSERT_EQ(model->features(), 784U);
  ASSERT_EQ(model->scores(), 10U);
  const Rows rows = reference["x"], logits = reference["logits"], gradients = reference["hinge_grad"];
  const std::vector<std::size_t> targets = reference["target"];
  Rows seeds(rows.size(), std::vector<float>(10, 0.0F));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::size_t rival = targets[r] == 0 ? 1 : 0;
    for (std::size_t k = 0; k < 10; ++k)
      if (k != targets[r] && logits[r][k] > logits[r][rival]) rival = k;
    seeds[r][rival] = 1.0F;
    seeds[r][targets[r]] = -1.0F;
  }
  const auto run = test::run_model(*model, rows, seeds);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t k = 0; k < 10; ++k) EXPECT_NEAR(run.scores[r][k], logits[r][k], 1e-3) << r << " " << k;
    for (std::size_t i = 0; i < 784; ++i)
      EXPECT_NEAR(run.gradient[r][i], gradients[r][i], 1e-4) << r << " " << i;
  }
}

}  // namespace
}  // namespace scfe
