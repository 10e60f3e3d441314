// Compares methods and settings on the same rows, with their answers measured in the same way: the tables of
// the paper.
//
//     std::vector<Setting> settings = {{"ours", explainer, {}}, {"wachter", explainer, {}}};
//     settings[1].options.method = Method::wachter;
//     for (const Compared& one : compare(factuals, settings, explainer, {}))
//       std::printf("%s %g\n", one.name.c_str(), one.report.l2.mean);
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "scfe/explainer.h"
#include "scfe/metrics.h"

namespace scfe {

// The yardstick of a comparison. Distances are those of the explainer's work space; LOF (k and p as in the
// options), the log-densities kde (as the explainer's paper_density says) and gmm (with categories a mixture
// of products) and the distance to the nearest real row are measured against the target class's correctly
// classified training rows. An answer is below the floor if the explainer's own density calls it less typical
// than options.plausible asks. Fitting a class's densities takes place when it is first met; not for
// concurrent use.
class AnswerMeasure {
 public:
  AnswerMeasure(const Explainer& explainer, const Options& options);
  ~AnswerMeasure();
  AnswerMeasure(const AnswerMeasure&) = delete;
  AnswerMeasure& operator=(const AnswerMeasure&) = delete;

  // The measures of a valid answer; both rows are model inputs. `row` and `seconds` are left to the caller.
  AnswerMetrics operator()(std::span<const double> factual, std::span<const double> answer, int target);

 private:
  struct ClassMeasure;
  Explainer explainer_;
  Options options_;
  std::map<int, std::unique_ptr<ClassMeasure>> classes_;
};

struct Setting {
  std::string name;
  Explainer explainer;  // may be fitted with another density than the one that measures
  Options options;
};

struct Compared {
  std::string name;
  std::vector<AnswerMetrics> answers;  // of the rows that did not have the target class before
  Report report;
  std::string reason = {};  // why the method does not apply; empty: it does
};

// Rows are asked in batches of this size. The time of a row is its share of its batch, so the deviation of
// times is one between batches.
inline constexpr std::size_t compare_batch = 16;

// One entry per setting, in order. `measuring` and `options` measure all of them (see AnswerMeasure). A
// method that does not apply to the model or the question is no error: its entry has the reason.
std::vector<Compared> compare(const Matrix& factuals, std::span<const Setting> settings,
                              const Explainer& measuring, const Options& options);

}  // namespace scfe
