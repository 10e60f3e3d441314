#include "ask/batches.h"

#include <algorithm>
#include <utility>

namespace scfe::app {
namespace {

// True if rows have several answers, or one of several classes. Of such a row that is interrupted nothing is
// kept.
bool is_listed(const Options& options) { return has_ranks(options) || options.target == Target::any(); }

// Whether an interruption may have changed the answer: more time might find one, a closer one or a hint, or
// prove it.
bool is_cut_short(const Answer& answer) {
  const Explanation& e = answer.explanation;
  return e.timed_out || !(e.status == Status::valid || e.status == Status::already) ||
         (!e.certificate.empty() && e.proof != Proof::closest);
}

void keep_finished(const Options& options, std::vector<Answer>& answers) {
  if (is_listed(options)) return answers.clear();
  auto end = std::ranges::find_if(answers, is_cut_short);
  while (end != answers.end() && end != answers.begin() && !end->first) --end;
  answers.erase(end, answers.end());
}

}  // namespace

// Where nothing of an interrupted batch is kept, or a row may take seconds, the first batches are small.
Batches::Batches(const Question& question, bool texts, std::stop_token stop)
    : options_(question.options),
      answering_(question, texts),
      stop_(std::move(stop)),
      rows_(options_.robust > 0 || is_listed(options_) ? 4 : 64) {}

// Aims at batches of half a second. The first ones grow quickly, because small ones leave lanes of a solver
// empty at their end, and so take more time for each row.
std::vector<Answer> Batches::operator()(const Table& rows, const Encoded& encoded) {
  const auto since = [](Clock::time_point when) {
    return std::chrono::duration<double>(Clock::now() - when).count();
  };
  const Clock::time_point began = Clock::now();
  const double limit = options_.time_limit;
  std::vector<Answer> answers =
      answering_(rows, encoded, limit > 0 ? std::max(limit - since(start_), 1e-6) : 0, stop_);
  if (stopped()) keep_finished(options_, answers);
  const double seconds = since(began);
  if (seconds >= 0.25 && seconds <= 1) return answers;
  const double factor = std::clamp(0.5 / std::max(seconds, 1e-9), 0.5, 8.0);
  rows_ = std::clamp<std::size_t>(static_cast<std::size_t>(static_cast<double>(rows_) * factor), 4, 4096);
  return answers;
}

}  // namespace scfe::app
