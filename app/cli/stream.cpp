#include "cli/stream.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/warn.h"
#include "scfe/error.h"

namespace scfe::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Small enough that little is lost when the process is killed, large enough to keep every thread busy. An
// answer's bits do not depend on the batch it came in.
class BatchSize {
 public:
  std::size_t rows() const { return rows_; }
  void learn(double seconds) {
    if (seconds < 0.25) rows_ = std::min<std::size_t>(2 * rows_, 4096);
    if (seconds > 1) rows_ = std::max<std::size_t>(rows_ / 2, 16);
  }

 private:
  std::size_t rows_ = 64;
};

}  // namespace

Tally answer_all(const Question& question, const Stream& stream, std::span<Sink* const> sinks) {
  const Answering answering(question);
  const Encoder& encoder = question.bundle.encoder;
  const Clock::time_point start = Clock::now();
  const double limit = question.options.time_limit;
  const InterruptGuard interrupt;
  Progress progress(stream.path);
  CsvReader reader(stream.path);
  Table rows;
  Tally tally;
  BatchSize batch;
  std::size_t dropped = 0, to_skip = stream.skip;
  bool first = true;
  while (reader.read(rows, to_skip > 0 ? std::min<std::size_t>(to_skip, 4096) : batch.rows())) {
    if (std::exchange(first, false)) warn(encoder.warnings(rows));
    progress.show(rows.first_row - 1);
    if (to_skip > 0) {
      const std::size_t kept = encoder.encode(rows).rows.size();
      dropped += rows.rows() - kept;
      to_skip -= kept;
      continue;
    }
    const Clock::time_point began = Clock::now();
    const std::vector<Answer> answers =
        answering(rows, limit > 0 ? std::max(limit - seconds_since(start), 1e-6) : 0);
    std::size_t explained = 0;
    for (const Answer& answer : answers) {
      explained += answer.first;
      if (answer.first) ++(answer.explanation.found() ? tally.answered : tally.without);
      for (Sink* sink : sinks) sink->add(answer);
    }
    dropped += rows.rows() - explained;
    for (Sink* sink : sinks) sink->flush();
    batch.learn(seconds_since(began));
    if (!interrupt.asked()) continue;
    for (Sink* sink : sinks) sink->interrupt();
    throw Error("interrupted after row " + std::to_string(rows.first_row + rows.rows() - 1) +
                "; --resume continues a CSV or JSON file");
  }
  progress.clear();
  if (dropped > 0)
    warn({stream.path + ": " + std::to_string(dropped) + " rows with missing cells are left out"});
  for (Sink* sink : sinks) sink->finish();
  return tally;
}

}  // namespace scfe::cli
