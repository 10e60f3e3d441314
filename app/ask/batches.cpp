#include "ask/batches.h"

#include "ask/question.h"

namespace scfe::app {
namespace {

// Whether an interruption may have changed the answer: more time might find one, a closer one or a hint, or
// prove it.
bool is_cut_short(const Answer& answer) {
  const Explanation& e = answer.explanation;
  return e.timed_out || !(e.status == Status::valid || e.status == Status::already) ||
         (!e.certificate.empty() && e.proof != Proof::closest);
}

}  // namespace

std::span<const Answer> finished(const Options& options, std::span<const Answer> answers) {
  if (has_ranks(options) || options.target == Target::any()) return {};
  auto end = std::ranges::find_if(answers, is_cut_short);
  while (end != answers.end() && end != answers.begin() && !end->first) --end;
  return {answers.begin(), end};
}

}  // namespace scfe::app
