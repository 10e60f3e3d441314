// Answers for a model in double must be checked in double. Times in seconds since 1970 need more digits than
// a float has, so a check in float would accept rows that the model rejects.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "scfe/explainer.h"
#include "scfe/onnx.h"
#include "tests/model/onnx/proto.h"

namespace scfe {
namespace {

constexpr double start = 1.7e9;
constexpr double per_second = 1e-2, per_unit = 0.5;

double score(std::span<const double> x) { return per_second * (x[0] - start) + per_unit * x[1]; }

test::Proto numbers(const std::string& name, std::uint64_t rows, std::uint64_t cols,
                    const std::vector<double>& values) {
  std::string raw(values.size() * sizeof(double), '\0');
  std::memcpy(raw.data(), values.data(), raw.size());
  return test::Proto().number(1, rows).number(1, cols).number(2, 11).text(8, name).text(9, raw);
}

test::Proto in_double(const std::string& name, std::uint64_t columns) {
  test::Proto dims;
  dims.message(1, test::Proto().text(2, "n")).message(1, test::Proto().number(1, columns));
  return test::Proto().text(1, name).message(
      2, test::Proto().message(1, test::Proto().number(1, 11).message(2, dims)));
}

// y = (x - offset) w; if `curved`, a nonlinear step follows, so that the model is not a single linear layer.
std::shared_ptr<const Model> clock_model(Precision precision, bool curved) {
  test::Proto graph;
  graph.message(1, test::node("Sub", {"x", "offset"}, {"d"}))
      .message(1, test::node("MatMul", {"d", "w"}, {curved ? "s" : "y"}));
  if (curved) graph.message(1, test::node("Softsign", {"s"}, {"y"}));
  graph.message(5, numbers("offset", 1, 2, {start, 0}))
      .message(5, numbers("w", 2, 1, {per_second, per_unit}))
      .message(11, in_double("x", 2))
      .message(12, in_double("y", 1));
  OnnxOptions options;
  options.precision = precision;
  return read_onnx(test::model(graph).bytes(), options);
}

struct Tally {
  int answers = 0, wrong = 0;
  double l2 = 0;  // sum over the answers
};

Tally explain(Precision precision, bool curved) {
  const auto model = clock_model(precision, curved);
  std::mt19937_64 random(3);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  Training training{Matrix(300, 2), {}, std::vector<Feature>(2)};
  training.features[0].name = "seconds";
  training.features[0].step = 1;
  training.features[1].name = "other";
  training.features[1].step = 0.01;
  for (std::size_t i = 0; i < 300; ++i) {
    training.rows[i][0] = start + std::floor(4000 * (uniform() - 0.5));
    training.rows[i][1] = std::round(1000 * (uniform() - 0.5)) / 100;
    training.labels.push_back(score(training.rows[i]) > 0 ? 1 : 0);
  }
  Options options;
  options.density = DensityKind::none;
  options.max_changes = 1;
  options.threads = 1;
  options.margin = 1e-6;
  const Explainer explainer(model, training, options);
  Matrix rows(40, 2);
  for (std::size_t i = 0; i < 40; ++i)
    for (std::size_t j = 0; j < 2; ++j) rows[i][j] = training.rows[i][j];
  Tally tally;
  for (const Explanation& e : explainer.explain(rows)) {
    if (e.status != Status::valid) continue;
    ++tally.answers;
    tally.l2 += e.l2;
    tally.wrong += (score(e.counterfactual) > 0 ? 1 : 0) == e.target ? 0 : 1;
  }
  return tally;
}

TEST(DoubleAnswers, what_is_written_is_checked_in_double) {
  for (const bool curved : {false, true}) {
    const Tally tally = explain(Precision::float64, curved);
    EXPECT_GE(tally.answers, 38) << curved;
    EXPECT_EQ(tally.wrong, 0) << curved;
  }
  // In single precision an answer has to win by what rounding may take away: it is right, but farther.
  const Tally single = explain(Precision::float32, false);
  EXPECT_GT(single.answers, 0);
  EXPECT_EQ(single.wrong, 0);
  EXPECT_GT(single.l2 / single.answers, 1.01 * explain(Precision::float64, false).l2 / 38)
      << "float would have done";
}

}  // namespace
}  // namespace scfe
