#include "model/onnx/choice/agreement.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include "scfe/error.h"

namespace scfe::onnx {
namespace {

constexpr std::size_t many_points = 64, few_points = 8, large = 512;  // few_points from `large` features on
constexpr std::size_t at_once = 16;
constexpr float rounding = 1e-4F, saturated = 1e-6F;

Block make_points(std::size_t features) {
  constexpr std::array<float, 4> scales = {0.1F, 1, 10, 100};
  Block points(features, features > large ? few_points : many_points);
  std::mt19937_64 random(1);
  const auto uniform = [&] { return (static_cast<double>(random() >> 11U) + 0.5) * 0x1p-53; };
  const auto normal = [&] {
    return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform());
  };
  for (std::size_t p = 1; p < points.lanes(); ++p)
    for (std::size_t f = 0; f < features; ++f) {
      const std::size_t kind = p % 8 == 7 ? static_cast<std::size_t>(7 * uniform()) : p % 8;
      if (kind < 4)
        points[f][p] = scales[kind] * static_cast<float>(normal());
      else
        points[f][p] = static_cast<float>(kind == 4 ? uniform() : std::floor(5 * uniform()));
    }
  return points;
}

bool is_finite(const std::vector<float>& values) {
  return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

// The class that the scores choose; -1 if the best two are too close to tell.
std::ptrdiff_t decision(const std::vector<float>& scores, float margin, float threshold = 0) {
  if (!is_finite(scores)) return -1;
  if (scores.size() == 1)
    return std::abs(scores[0] - threshold) <= margin ? -1
                                                     : static_cast<std::ptrdiff_t>(scores[0] > threshold);
  const auto best = std::ranges::max_element(scores);
  for (auto other = scores.begin(); other != scores.end(); ++other)
    if (other != best && *best - *other <= margin * std::max(1.0F, std::abs(*best))) return -1;
  return best - scores.begin();
}

// The name of the label's number; nullopt if the label's tables do not contain it.
std::optional<std::string> called(const Trace& label, std::ptrdiff_t number) {
  if (!label.classifier) return name_behind(label.lookups, std::to_string(number));
  const auto k = static_cast<std::size_t>(number);
  return k < label.named.size() ? name_behind(label.lookups, label.named[k]) : std::nullopt;
}

}  // namespace

void unclear(const Trace& label) {
  throw Error("output '" + label.scores.output + "'", "the class of the largest score",
              "another one for some inputs: which output holds the scores is unclear");
}

Answers::Answers(const Model& scores) : points_(make_points(scores.features())), scores_(run(scores)) {}

Answers::Rows Answers::run(const Model& model) const {
  const std::size_t count = points_.lanes(), lanes = std::min(count, at_once);
  const auto tape = model.tape(lanes);
  Block x(points_.features(), lanes), scores(model.scores(), lanes);
  Rows rows(count, std::vector<float>(model.scores()));
  for (std::size_t from = 0; from < count; from += lanes) {
    for (std::size_t f = 0; f < x.features(); ++f) std::copy_n(points_[f] + from, lanes, x[f]);
    model.forward(x, scores, *tape);
    for (std::size_t p = 0; p < lanes; ++p)
      for (std::size_t k = 0; k < model.scores(); ++k) rows[from + p][k] = scores[k][p];
  }
  return rows;
}

bool Answers::are_probabilities() const {
  constexpr float tolerance = 1e-6F;
  float low = 1, high = 0;
  for (const std::vector<float>& scores : scores_) {
    if (scores.size() != 1) return false;
    if (!std::isfinite(scores[0])) continue;
    if (scores[0] < -tolerance || scores[0] > 1 + tolerance) return false;
    low = std::min(low, scores[0]);
    high = std::max(high, scores[0]);
  }
  return high > low;
}

void Answers::expect_label(const Trace& trace, const Trace& label, const Model& said,
                           const Model* ranked) const {
  if (!label.classifier && said.scores() != 1)
    throw Error("output '" + label.scores.output + "'", "one label for each instance",
                std::to_string(said.scores()) + " numbers");
  const Rows numbers = run(said), order = ranked ? run(*ranked) : Rows{};
  const std::vector<std::string>& classes = trace.scores.classes;
  for (std::size_t p = 0; p < numbers.size(); ++p) {
    const std::ptrdiff_t ours = decision(scores_[p], rounding);
    if (ours < 0 || (ranked && decision(order[p], saturated) < 0)) continue;
    if (!std::isfinite(numbers[p][0])) continue;
    const std::ptrdiff_t theirs =
        label.classifier ? decision(numbers[p], rounding) : static_cast<std::ptrdiff_t>(numbers[p][0]);
    if (theirs < 0 && label.classifier) continue;
    if (!label.classifier && numbers[p][0] != std::floor(numbers[p][0])) unclear(label);
    const auto name = called(label, theirs);
    const auto k = static_cast<std::size_t>(ours);
    if (!name ||
        (classes.empty() ? *name != std::to_string(ours) : k >= classes.size() || *name != classes[k]))
      unclear(label);
  }
}

void Answers::expect_largest(const Trace& trace, const Model& shown) const {
  const std::size_t columns = shown.scores(), scores = scores_[0].size();
  if (columns != scores && !(columns == 2 && scores == 1))
    throw Error("output '" + trace.scores.output + "'",
                std::to_string(scores) + " columns, one for each score", std::to_string(columns));
  const auto passes = [&](std::string_view op) {
    return std::ranges::count(trace.scores.looked_through, op) > 0;
  };
  if (columns == 1 && (passes("Softmax") || passes("LogSoftmax")))
    throw Error("output '" + trace.scores.output + "'", "a column for each class under a softmax",
                "one column, where it is the same for every input");
  if (columns == 1 && !passes("Sigmoid") && !trace.scores.probability) return;
  const Rows rows = run(shown);
  std::size_t compared = 0, tied = 0;
  for (std::size_t p = 0; p < rows.size(); ++p) {
    const std::ptrdiff_t ours = decision(scores_[p], rounding), theirs = decision(rows[p], saturated, 0.5F);
    if (ours < 0 || !is_finite(rows[p])) continue;
    if (theirs >= 0 && ours != theirs) unclear(trace);
    ++(theirs < 0 ? tied : compared);
  }
  // All columns are equal, for example because a softmax over the wrong axis is 1 everywhere.
  if (compared == 0 && tied > 0) unclear(trace);
}

}  // namespace scfe::onnx
