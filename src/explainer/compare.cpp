#include "scfe/compare.h"

#include <algorithm>
#include <chrono>

#include "plausibility/index/nearest.h"
#include "scfe/diagnostics.h"
#include "scfe/error.h"

namespace scfe {

// What is measured against the rows of one class, which are in the work space.
struct AnswerMeasure::ClassMeasure {
  Matrix rows;
  Lof lof;
  LogDensity kde, gmm;

  // With categories, a mixture of products replaces the gmm.
  ClassMeasure(const Matrix& class_rows, const std::vector<int>& group, const Options& options, bool paper)
      : rows(class_rows),
        lof(class_rows, static_cast<std::size_t>(options.lof_neighbours), group, options.lof_metric),
        kde(DensityKind::kde, class_rows, group, paper && group.empty()),
        gmm(group.empty() ? DensityKind::gmm : DensityKind::mixture, class_rows, group) {}
};

AnswerMeasure::AnswerMeasure(const Explainer& explainer, const Options& options)
    : explainer_(explainer), options_(options) {}
AnswerMeasure::~AnswerMeasure() = default;

AnswerMetrics AnswerMeasure::operator()(std::span<const double> factual, std::span<const double> answer,
                                        int target) {
  const Diagnostics diagnostics(explainer_);
  AnswerMetrics metrics;
  metrics.valid = true;
  metrics.change = diagnostics.change(factual, answer);
  if (diagnostics.class_size(target) == 0) return metrics;
  std::unique_ptr<ClassMeasure>& of_class = classes_[target];
  if (!of_class)
    of_class = std::make_unique<ClassMeasure>(diagnostics.class_rows(target), diagnostics.groups(), options_,
                                              explainer_.options().paper_density);
  Matrix inputs(1, answer.size());
  inputs.values.assign(answer.begin(), answer.end());
  const Matrix point = diagnostics.to_work_space(inputs);
  metrics.lof = of_class->lof(point[0]);
  metrics.log_kde = of_class->kde(point[0]);
  metrics.log_gmm = of_class->gmm(point[0]);
  metrics.nearest = nearest(of_class->rows, point[0], 1).front().distance;
  if (!diagnostics.has_density(target) || options_.density == DensityKind::none) return metrics;
  const Typicality typical = diagnostics.typicality(factual, answer, target);
  metrics.quantile = typical.quantile;
  if (options_.plausible > 0)
    metrics.below_floor = typical.log_density < diagnostics.floor(target, options_.plausible);
  return metrics;
}

namespace {

Matrix rows_from(const Matrix& all, std::size_t first, std::size_t count) {
  Matrix part(count, all.cols);
  for (std::size_t i = 0; i < count; ++i) std::ranges::copy(all[first + i], part[i].begin());
  return part;
}

// One answer a row, without the hints that would cost time.
Options one_answer(Options options) {
  options.answers = 1;
  options.path = options.hints = false;
  return options;
}

// Asks rows `first` and following. False, with the reason, if the explainer refuses the question. Errors of
// measuring are thrown.
bool ask(const Setting& setting, const Matrix& factuals, std::size_t first, AnswerMeasure& measure,
         Compared& compared) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  std::vector<Explanation> found;
  try {
    found = setting.explainer.explain(factuals, one_answer(setting.options));
  } catch (const Error& error) {
    compared.answers.clear();
    compared.reason = error.what();
    return false;
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Explanation& e = found[i];
    if (e.predicted == e.target) continue;
    compared.answers.push_back(e.found() ? measure(factuals[i], e.counterfactual, e.target)
                                         : AnswerMetrics{});
    compared.answers.back().row = first + i;
    compared.answers.back().seconds = seconds / static_cast<double>(factuals.rows);
  }
  return true;
}

}  // namespace

std::vector<Compared> compare(const Matrix& factuals, std::span<const Setting> settings,
                              const Explainer& measuring, const Options& options) {
  AnswerMeasure measure(measuring, options);
  (void)measuring.predict(factuals);  // throws Error for bad rows, which is no matter of a method
  std::vector<Compared> compared;
  for (const Setting& setting : settings) {
    if (keeps_class(setting.options.method))
      throw Error("method", "one that changes the class (cem-pp keeps it)", "cem-pp");
    Compared& one = compared.emplace_back(Compared{setting.name, {}, {}});
    bool applies = true;
    for (std::size_t first = 0; first < factuals.rows && applies; first += compare_batch)
      applies = ask(setting, rows_from(factuals, first, std::min(compare_batch, factuals.rows - first)),
                    first, measure, one);
    one.report = summarise(one.answers);
  }
  return compared;
}

}  // namespace scfe
