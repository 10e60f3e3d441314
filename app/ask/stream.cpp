#include "ask/stream.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <utility>

#include "ask/answering.h"
#include "ask/batches.h"
#include "ask/row_warnings.h"
#include "scfe/error.h"
#include "scfe/text.h"

namespace scfe::app {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

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

// The checksum of all cells of the file up to each row. An output that is resumed must have been made from
// the same rows.
class RowChecksums {
 public:
  explicit RowChecksums(std::span<Sink* const> sinks) {
    for (const Sink* sink : sinks)
      if (const auto done = sink->done(); done && done->rows > 0)
        expected_.emplace(done->rows, done->rows_checksum);
  }

  void look_at(const Table& rows) {
    so_far_.clear();
    for (std::size_t row = 0; row < rows.rows(); ++row) {
      for (std::size_t column = 0; column < rows.columns.size(); ++column) {
        const std::string_view cell = rows.cell(row, column);
        const std::uint64_t size = cell.size();
        last_ = fingerprint({reinterpret_cast<const char*>(&size), sizeof size}, last_);
        last_ = fingerprint(cell, last_);
      }
      so_far_.push_back(last_);
      const auto [from, to] = expected_.equal_range(++rows_);
      if (std::any_of(from, to, [&](const auto& entry) { return entry.second != last_; }))
        refuse(rows.source, "other rows");
    }
  }
  void finish(const std::string& source) const {
    if (!expected_.empty() && rows_ < expected_.rbegin()->first)
      refuse(source, "only " + std::to_string(rows_));
  }
  std::uint64_t operator[](std::size_t row) const { return so_far_[row]; }

 private:
  void refuse(const std::string& source, const std::string& got) const {
    throw Error(source,
                "the same question as before: the " + std::to_string(expected_.rbegin()->first) +
                    " rows that are answered already",
                got);
  }

  std::multimap<std::size_t, std::uint64_t> expected_;  // by the number of rows
  std::vector<std::uint64_t> so_far_;                   // of the present batch
  std::uint64_t last_ = fingerprint("");
  std::size_t rows_ = 0;
};

constexpr const char* how_to_go_on = "; --resume goes on with what is in a file";

// Writes to the sinks. If that fails, because the disk is full for example, they keep the rows so far.
void write_or_keep(std::span<Sink* const> sinks, const std::function<void()>& writing) {
  try {
    writing();
  } catch (const Error& error) {
    bool kept = false;
    for (Sink* sink : sinks) {
      sink->interrupt();
      kept = kept || sink->done().value_or(Tally{}).rows > 0;
    }
    throw Error(std::string(error.what()) + (kept ? how_to_go_on : ""));
  }
}

// Throws Error for columns that do not fit and for errors in the first rows; warns of what looks wrong.
void check_first_rows(const Question& question, const Table& rows) {
  const Encoder& encoder = question.bundle.encoder;
  (void)encoder.row_limits(rows, encoder.encode(rows).rows);
  Table used;
  used.source = rows.source;
  used.columns = rows.columns;
  std::erase(used.columns, question.by);
  question.warn(encoder.warnings(used));
}

}  // namespace

Tally answer_all(const Question& question, RowSource& source, std::span<Sink* const> sinks, const Run& run) {
  const Answering answering(question);
  const Encoder& encoder = question.bundle.encoder;
  const Clock::time_point start = Clock::now();
  const double limit = question.options.time_limit;
  Table rows;
  Giving give(sinks);
  // Of several answers nothing is kept of a batch that is interrupted (finished), so batches are small.
  BatchSize batch(question.options.robust > 0 || has_ranks(question.options) ||
                  question.options.target == Target::any());
  RowChecksums checksums(sinks);
  OwnRules own_rules(question.bundle);
  RowIds ids(encoder.schema());
  std::size_t filled = 0, to_skip = give.tally().rows;
  bool first = true;
  while (source.read(rows, to_skip > 0 ? std::min<std::size_t>(to_skip, 4096) : batch.rows())) {
    if (std::exchange(first, false)) check_first_rows(question, rows);
    ids.look_at(rows);
    checksums.look_at(rows);
    run.progress(rows.first_row - 1, give.tally());
    if (to_skip > 0) {
      to_skip -= rows.rows();
      continue;
    }
    own_rules.look_at(rows);
    const Clock::time_point began = Clock::now();
    std::vector<Answer> answers =
        answering(rows, limit > 0 ? std::max(limit - seconds_since(start), 1e-6) : 0, run.stop);
    for (Answer& answer : answers) answer.rows_checksum = checksums[answer.row];
    const bool stopped = run.stop.stop_requested();
    write_or_keep(sinks, [&] {
      for (const Answer& answer : stopped ? finished(question.options, answers) : std::span(answers))
        give(answer);
      for (Sink* sink : sinks) sink->flush();
    });
    const std::string note = " after row " + std::to_string(give.tally().rows) + how_to_go_on;
    run.would_end(note);
    if (encoder.schema().missing == Missing::impute) filled += encoder.encode(rows).gaps.size();
    batch.learn(seconds_since(began));
    if (!stopped) continue;
    for (Sink* sink : sinks) sink->interrupt();
    throw Error("interrupted" + note);
  }
  run.progress(give.tally().rows, give.tally());
  checksums.finish(source.path());
  if (first) {
    (void)encoder.encode(rows);  // checks the columns even if there are no rows
    question.warn({source.path() + ": no rows"});
  }
  question.warn(own_rules.warnings(source.path()));
  question.warn(ids.warnings(source.path()));
  if (filled > 0)
    question.warn({source.path() + ": " + counted(filled, "missing cell") + " filled (policy: impute)"});
  write_or_keep(sinks, [&] {
    for (Sink* sink : sinks) sink->finish();
  });
  return give.tally();
}

}  // namespace scfe::app
