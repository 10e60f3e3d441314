#include "ask/comparing.h"

#include <algorithm>
#include <chrono>

#include "ask/answering.h"
#include "scfe/diagnostics.h"
#include "scfe/error.h"

namespace scfe::app {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<Table> batches_of(const Table& table) {
  std::vector<Table> batches;
  for (std::size_t first = 0; first < table.rows(); first += compare_batch)
    batches.push_back(table.slice(first, std::min(compare_batch, table.rows() - first)));
  return batches;
}

// Of the answers to rows `first` and following.
std::vector<AnswerMetrics> metrics_of(const std::vector<Answer>& answers, std::size_t first, double seconds,
                                      AnswerMeasure& measure) {
  std::vector<AnswerMetrics> metrics;
  for (const Answer& answer : answers) {
    const Explanation& e = answer.explanation;
    if (e.predicted < 0 || e.predicted == e.target) continue;
    metrics.push_back(e.found() ? measure(answer.factual, e.counterfactual, e.target) : AnswerMetrics{});
    metrics.back().row = first + answer.row;
    metrics.back().seconds = seconds / static_cast<double>(answers.size());
  }
  return metrics;
}

struct Interrupted {};
struct DoesNotApply {
  std::string reason;
};

// Only what the contender itself refuses means that it does not apply. Measuring and the journal have errors
// of their own.
template <class Call>
auto applied(const Call& call) {
  try {
    return call();
  } catch (const Error& error) {
    throw DoesNotApply{error.what()};
  }
}

// Asks one contender, batch by batch.
class Asking {
 public:
  Asking(AnswerMeasure& measure, const ComparisonStore& store, std::stop_token stop)
      : measure_(measure), store_(store), stop_(std::move(stop)) {}

  std::vector<AnswerMetrics> operator()(std::size_t number, const Question& question,
                                        const std::vector<Table>& batches) {
    const Answering answering = applied([&] { return Answering(question, false); });
    std::vector<AnswerMetrics> all;
    double left = question.options.time_limit;
    for (std::size_t b = 0; b < batches.size(); ++b) {
      const MeasuredBatch* known = store_.find({number, b});
      const MeasuredBatch batch =
          known != nullptr ? *known : ask(answering, b * compare_batch, batches[b], left);
      if (known == nullptr) store_.add({number, b}, batch);
      left -= batch.seconds;
      if (question.options.time_limit > 0) left = std::max(left, 1e-6);
      all.insert(all.end(), batch.answers.begin(), batch.answers.end());
    }
    return all;
  }

 private:
  MeasuredBatch ask(const Answering& answering, std::size_t first, const Table& rows, double time_limit) {
    const auto start = Clock::now();
    const std::vector<Answer> answers =
        applied([&] { return answering(rows, std::max(time_limit, 0.0), stop_); });
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (stop_.stop_requested()) throw Interrupted{};
    return {seconds, metrics_of(answers, first, seconds, measure_)};
  }

  AnswerMeasure& measure_;
  const ComparisonStore& store_;
  std::stop_token stop_;
};

ComparedRow given_row(const Question& base, const Contender& one, const Table& table,
                      AnswerMeasure& measure) {
  const Measured rows = measured(base, read_answers(base, table, read_csv(one.answers_file)), measure);
  return {one.name, one.command, base.options.seed, rows.report, rows.already.size() + rows.dropped,
          {},       rows.answers};
}

ComparedRow asked_row(std::size_t number, const Contender& one, const std::vector<Table>& batches,
                      Asking& ask) {
  ComparedRow row{one.name, one.command, one.question->bundle.explainer.options().seed, {}};
  try {
    row.answers = ask(number, *one.question, batches);
    row.report = summarise(row.answers);
    for (const Table& batch : batches) row.left_out += batch.rows();
    row.left_out -= row.answers.size();
  } catch (const DoesNotApply& refused) {
    row.reason = refused.reason;
  }
  return row;
}

}  // namespace

std::vector<std::string> names_of(const Question& question, const Table& rows) {
  std::vector<std::string> names;
  for (std::size_t row = 0; row < rows.rows(); ++row)
    names.push_back(name_of(rows, row, question.bundle.encoder.schema().id));
  return names;
}

Comparison compare_all(const Question& base, const std::vector<Contender>& contenders, const Table& table,
                       const ComparisonStore& store, std::stop_token stop) {
  // Errors of the rows and of the question are those of the comparison, not of a method.
  (void)Answering(base, false);
  (void)base.bundle.encoder.row_limits(table, base.bundle.encoder.encode(table).rows);
  if (table.rows() == 0) throw Error(table.source, "at least one row", "none");
  AnswerMeasure measure(base.bundle.explainer, base.options);
  const std::vector<Table> batches = batches_of(table);
  Asking ask(measure, store, std::move(stop));
  Comparison comparison{
      {}, names_of(base, table), base.options, !Diagnostics(base.bundle.explainer).groups().empty()};
  try {
    for (std::size_t number = 0; number < contenders.size(); ++number) {
      const Contender& one = contenders[number];
      comparison.rows.push_back(one.question ? asked_row(number, one, batches, ask)
                                             : given_row(base, one, table, measure));
    }
  } catch (const Interrupted&) {
    throw Error("interrupted");
  }
  return comparison;
}

}  // namespace scfe::app
