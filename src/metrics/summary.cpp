#include <algorithm>
#include <cmath>
#include <string>

#include "scfe/error.h"
#include "scfe/metrics.h"

namespace scfe {
namespace {

double quantile(const std::vector<double>& sorted, double rho) {
  const double place = rho * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

template <class Field>
Summary over(std::span<const AnswerMetrics> answers, bool with_failures, const Field& field) {
  std::vector<double> values;
  for (const AnswerMetrics& answer : answers)
    if (answer.valid || with_failures) values.push_back(field(answer));
  return summary_of(values);
}

}  // namespace

Change change(std::span<const double> factual, std::span<const double> answer,
              std::span<const double> resolution) {
  if (answer.size() != factual.size())
    throw Error("answer", std::to_string(factual.size()) + " features", std::to_string(answer.size()));
  if (resolution.size() != factual.size() && resolution.size() != 1)
    throw Error("resolution", "1 or " + std::to_string(factual.size()) + " numbers",
                std::to_string(resolution.size()));
  Change found;
  for (std::size_t j = 0; j < factual.size(); ++j) {
    const double moved = std::abs(answer[j] - factual[j]);
    found.l2 += moved * moved;
    found.l1 += moved;
    found.l0 += moved > resolution[resolution.size() == 1 ? 0 : j] ? 1 : 0;
  }
  found.l2 = found.distance = std::sqrt(found.l2);
  return found;
}

Summary summary_of(std::span<const double> values) {
  std::vector<double> sorted;
  std::ranges::copy_if(values, std::back_inserter(sorted), [](double v) { return !std::isnan(v); });
  if (sorted.empty()) return {};
  std::ranges::sort(sorted);
  double sum = 0;
  for (const double value : sorted) sum += value;
  const auto count = static_cast<double>(sorted.size());
  const double mean = sum / count;
  double squares = 0;
  for (const double value : sorted) squares += (value - mean) * (value - mean);
  return {mean, quantile(sorted, 0.5), quantile(sorted, 0.95), sorted.size(), std::sqrt(squares / count)};
}

Report summarise(std::span<const AnswerMetrics> answers) {
  using Answer = const AnswerMetrics&;
  Report report;
  report.answers = answers.size();
  for (Answer answer : answers) report.failures += answer.valid ? 0 : 1;
  if (!answers.empty())
    report.validity =
        static_cast<double>(report.answers - report.failures) / static_cast<double>(report.answers);
  report.l2 = over(answers, false, [](Answer a) { return a.change.l2; });
  report.l1 = over(answers, false, [](Answer a) { return a.change.l1; });
  report.l0 = over(answers, false, [](Answer a) { return static_cast<double>(a.change.l0); });
  report.distance = over(answers, false, [](Answer a) { return a.change.distance; });
  report.lof = over(answers, false, [](Answer a) { return a.lof; });
  report.log_kde = over(answers, false, [](Answer a) { return a.log_kde; });
  report.log_gmm = over(answers, false, [](Answer a) { return a.log_gmm; });
  report.quantile = over(answers, false, [](Answer a) { return a.quantile; });
  report.nearest = over(answers, false, [](Answer a) { return a.nearest; });
  for (Answer answer : answers)
    if (answer.valid && answer.below_floor)
      report.below_floor = report.below_floor.value_or(0) + (*answer.below_floor ? 1 : 0);
  report.seconds = over(answers, true, [](Answer a) { return a.seconds; });
  return report;
}

}  // namespace scfe
