// Values computed by hand: exact ties, known pitfalls, and the authors' public code where it is correct.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "sparsity/prox.h"
#include "tests/helper/shared.h"

namespace scfe {
namespace {

float prox_of(SparsityKind kind, double beta, float v, float lo = -1e30F, float hi = 1e30F) {
  Block at(1, 1), w(1, 1);
  Box box{Block(1, 1), Block(1, 1)};
  at[0][0] = v, box.lo[0][0] = lo, box.hi[0][0] = hi;
  const float step = 1;
  make_prox(kind, {.beta = beta, .max_changes = 1, .group = {}})->prox(at, &step, box, w);
  return w[0][0];
}

TEST(ProxValues, exact_ties_go_to_the_sparser) {
  EXPECT_EQ(prox_of(SparsityKind::l0, 0.5, 1), 0);
  EXPECT_EQ(prox_of(SparsityKind::l0, std::nextafter(0.5, 0), 1), 1);
  EXPECT_EQ(prox_of(SparsityKind::l_half, 1, 1.5F), 0);  // moving to 1 costs exactly the same
  EXPECT_NEAR(prox_of(SparsityKind::l_half, 0.9999, 1.5F), 1, 1e-3);
  EXPECT_EQ(prox_of(SparsityKind::l_two_thirds, 1.5, 2), 0);  // likewise
  EXPECT_NEAR(prox_of(SparsityKind::l_two_thirds, 1.4999, 2), 1, 1e-3);
  EXPECT_EQ(prox_of(SparsityKind::l_half, 1, -1.5F), 0);
  EXPECT_EQ(prox_of(SparsityKind::l_two_thirds, 1.5, -2), 0);
}

TEST(ProxValues, the_box_is_part_of_the_choice) {
  EXPECT_EQ(prox_of(SparsityKind::l0, 0.5, 1, 0, 0.1F), 0);  // thresholding and then clamping would give .1
  EXPECT_EQ(prox_of(SparsityKind::l_half, 0.5, 0.8F, -1, 1), 0);  // the public code: .644
  EXPECT_EQ(prox_of(SparsityKind::l_half, 0.5, 3, -1, 0.01F), 0);
  EXPECT_EQ(prox_of(SparsityKind::l_half, 0.5, 3, -1, 0.9F), 0.9F);
  EXPECT_EQ(prox_of(SparsityKind::l_two_thirds, 0.5, -3, -0.9F, 1), -0.9F);
  EXPECT_EQ(prox_of(SparsityKind::l1, 0.5, 2, -1, 1), 1);
  EXPECT_EQ(prox_of(SparsityKind::none, 0.5, -2, -1, 1), -1);
}

TEST(ProxValues, a_weight_of_zero_is_the_projection) {
  for (const ProxRow& row : prox_catalogue())
    for (const float v : {-1e20F, -0.3F, 0.0F, 1e-30F, 0.7F, 5.0F})
      // Gains are squares in single precision: a move below 1e-19 may count as none.
      EXPECT_NEAR(prox_of(row.kind, 0, v, -0.5F, 0.6F), std::fmin(std::fmax(v, -0.5F), 0.6F), 1e-19)
          << row.name << " " << v;
}

// The public "half" is not the prox: it uses b instead of 2 b and thresholds before clamping
// (prox_brute_force_test shows the difference). To check the closed form, it is compared with ours at half
// the weight without bounds, clamped afterwards. Row 0 is zero, so no operator moves it. Bounds are those of
// the reference file; its zero_fixed replaces zeros by 1e-8, which count as zeros (tolerance 1e-6).
TEST(ProxValues, equal_to_the_public_code_where_it_is_right) {
  SCFE_NEEDS_SHARED("reference/prox.json");
  const auto file = test::read_json(test::shared_dir() / "reference" / "prox.json");
  const std::size_t rows = file["w"].size(), d = file["w"][0].size();
  const std::vector<std::pair<std::string, std::string>> names = {
      {"zero", "l0"}, {"half", "l_half"}, {"one", "l1"}, {"clamp", "none"}, {"zero_fixed", "top_m"}};
  for (const auto& c : file["cases"]) {
    std::string name;
    for (const auto& [theirs, ours] : names)
      if (c["prox"] == theirs) name = ours;
    ASSERT_FALSE(name.empty()) << c["prox"];
    const bool half = name == "l_half";
    const double beta = c["beta"].get<double>();
    Block v(d, rows), w(d, rows);
    Box box{Block(d, rows), Block(d, rows)}, boundless{Block(d, rows), Block(d, rows)};
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < d; ++j) {
        const float x = file["x"][i][j];
        const float low = c.contains("box") ? c["box"][0] : file["range_min"][j];
        const float high = c.contains("box") ? c["box"][1] : file["range_max"][j];
        v[j][i] = file["w"][i][j];
        box.lo[j][i] = std::max(low, -x);
        box.hi[j][i] = std::min(high, 1 - x);
        boundless.lo[j][i] = -1e30F;
        boundless.hi[j][i] = 1e30F;
      }
    const std::vector<float> step(rows, static_cast<float>(1 / c["L"].get<double>()));
    make_prox(
        value_named<SparsityKind>(name).value(),
        {.beta = half ? beta / 2 : beta, .max_changes = static_cast<int>(beta) + (beta < 1), .group = {}})
        ->prox(v, step.data(), half ? boundless : box, w);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < d; ++j)
        EXPECT_NEAR(half ? bounded(w[j][i], box.lo[j][i], box.hi[j][i]) : w[j][i],
                    c["out"][i][j].get<float>(), 1e-6)
            << c["prox"] << " beta " << beta << " row " << i << " column " << j;
  }
}

}  // namespace
}  // namespace scfe
