#include "ask/stream.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "ask/batches.h"
#include "ask/row_warnings.h"
#include "scfe/error.h"

namespace scfe::app {
namespace {

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

}  // namespace

Tally answer_all(const Question& question, RowSource& source, std::span<Sink* const> sinks, const Run& run) {
  Batches answered(question, true, run.stop);
  RowWarnings warnings(question);
  const Encoder& encoder = question.bundle.encoder;
  Table rows;
  Giving give(sinks);
  RowChecksums checksums(sinks);
  std::size_t to_skip = give.tally().rows;
  bool first = true;
  while (source.read(rows, to_skip > 0 ? std::min<std::size_t>(to_skip, 4096) : answered.rows())) {
    const Encoded encoded = first || to_skip == 0 ? encoder.encode(rows) : Encoded{};
    if (std::exchange(first, false)) {
      (void)encoder.row_limits(rows, encoded.rows);  // its errors come before any warning
      warnings.warn_of_columns(rows);
    }
    checksums.look_at(rows);
    run.progress(rows.first_row - 1, give.tally());
    if (to_skip > 0) {
      warnings.skip(rows);
      to_skip -= rows.rows();
      continue;
    }
    warnings.look_at(rows, encoded);
    std::vector<Answer> answers = answered(rows, encoded);
    for (Answer& answer : answers) answer.rows_checksum = checksums[answer.row];
    write_or_keep(sinks, [&] {
      for (const Answer& answer : answers) give(answer);
      for (Sink* sink : sinks) sink->flush();
    });
    const std::string note = " after row " + std::to_string(give.tally().rows) + how_to_go_on;
    run.would_end(note);
    if (!answered.stopped()) continue;
    for (Sink* sink : sinks) sink->interrupt();
    throw Error("interrupted" + note);
  }
  run.progress(give.tally().rows, give.tally());
  checksums.finish(source.path());
  if (first) (void)encoder.encode(rows);  // checks the columns even if there are no rows
  warnings.warn_of_rows(source.path());
  write_or_keep(sinks, [&] {
    for (Sink* sink : sinks) sink->finish();
  });
  return give.tally();
}

}  // namespace scfe::app
