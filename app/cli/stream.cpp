#include "cli/stream.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/row_warnings.h"
#include "cli/warn.h"
#include "scfe/error.h"
#include "scfe/text.h"

namespace scfe::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Batches are small enough that little is lost when the process is killed, and large enough to keep every
// thread busy. An answer does not depend on its batch.
class BatchSize {
 public:
  // `dear`: stability and several answers may take seconds per row.
  explicit BatchSize(bool dear) : rows_(dear ? 4 : 64) {}
  std::size_t rows() const { return rows_; }
  void learn(double seconds) {
    if (seconds < 0.25) rows_ = std::min<std::size_t>(2 * rows_, 4096);
    if (seconds > 1) rows_ = std::max<std::size_t>(rows_ / 2, 4);
  }

 private:
  std::size_t rows_;
};

// Passes answers to the sinks. After a resume a sink may already have rows that another lacks; it skips them.
class Giving {
 public:
  explicit Giving(std::span<Sink* const> sinks) : sinks_(sinks) {
    std::optional<Tally> least;
    for (const Sink* sink : sinks)
      if (const auto done = sink->done(); done && (!least || done->rows < least->rows)) least = done;
    tally_ = least.value_or(Tally{});
    for (const Sink* sink : sinks) done_.push_back(sink->done().value_or(tally_).rows);
  }
  const Tally& tally() const { return tally_; }

  void operator()(const Answer& answer) {
    if (answer.first) {
      ++tally_.rows;
      ++(answer.explanation.found() ? tally_.answered : tally_.without);
    }
    for (std::size_t i = 0; i < sinks_.size(); ++i)
      if (tally_.rows > done_[i]) sinks_[i]->add(answer);
  }

 private:
  std::span<Sink* const> sinks_;
  std::vector<std::size_t> done_;
  Tally tally_;
};

// Whether an interruption may have changed the answer: more time might find one, a closer one or a hint, or
// prove it.
bool is_cut_short(const Answer& answer) {
  const Explanation& e = answer.explanation;
  return e.timed_out || !(e.status == Status::valid || e.status == Status::already) ||
         (!e.certificate.empty() && e.proof != Proof::closest);
}

// The answers of the rows before the first one that was cut short. A list of several answers, or one over
// several classes, does not show whether it is complete.
std::span<const Answer> finished(const Options& options, std::span<const Answer> answers) {
  if (has_ranks(options) || options.target == Target::any()) return {};
  auto end = std::ranges::find_if(answers, is_cut_short);
  while (end != answers.end() && end != answers.begin() && !end->first) --end;
  return {answers.begin(), end};
}

}  // namespace

Tally answer_all(const Question& question, RowSource& source, std::span<Sink* const> sinks) {
  const Answering answering(question);
  const Encoder& encoder = question.bundle.encoder;
  const Clock::time_point start = Clock::now();
  const double limit = question.options.time_limit;
  Progress progress(source.path());
  const Watch watch([&] { progress.show(); });
  Table rows;
  Giving give(sinks);
  BatchSize batch(question.options.robust > 0 || question.options.answers > 10);
  OwnRules own_rules(question.bundle);
  RowIds ids(encoder.schema());
  std::size_t filled = 0, to_skip = give.tally().rows;
  bool first = true;
  while (source.read(rows, to_skip > 0 ? std::min<std::size_t>(to_skip, 4096) : batch.rows())) {
    if (std::exchange(first, false)) {
      (void)encoder.row_limits(rows,
                               encoder.encode(rows).rows);  // throws for errors in the first rows
      Table used;
      used.source = rows.source;
      used.columns = rows.columns;
      std::erase(used.columns, question.by);
      warn(encoder.warnings(used));
    }
    ids.look_at(rows);
    progress.set(rows.first_row - 1);
    if (to_skip > 0) {
      to_skip -= rows.rows();
      continue;
    }
    own_rules.look_at(rows);
    const Clock::time_point began = Clock::now();
    const std::vector<Answer> answers =
        answering(rows, limit > 0 ? std::max(limit - seconds_since(start), 1e-6) : 0, watch.token());
    for (const Answer& answer :
         watch.asked() ? finished(question.options, answers) : std::span<const Answer>(answers))
      give(answer);
    if (encoder.schema().missing == Missing::impute) filled += encoder.encode(rows).gaps.size();
    for (Sink* sink : sinks) sink->flush();
    batch.learn(seconds_since(began));
    if (!watch.asked()) continue;
    for (Sink* sink : sinks) sink->interrupt();
    throw Error("interrupted after row " + std::to_string(give.tally().rows) +
                "; --resume goes on with what is in a file");
  }
  progress.clear();
  if (first) {
    (void)encoder.encode(rows);  // checks the columns even if there are no rows
    warn({source.path() + ": no rows"});
  }
  warn(own_rules.warnings(source.path()));
  warn(ids.warnings(source.path()));
  if (filled > 0) warn({source.path() + ": " + counted(filled, "missing cell") + " filled (policy: impute)"});
  for (Sink* sink : sinks) sink->finish();
  return give.tally();
}

}  // namespace scfe::cli
