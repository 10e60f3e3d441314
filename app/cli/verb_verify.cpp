// scfe verify: predicts the answers of a file again, and checks each against every limit.
#include <cstdio>

#include "cli/text_table.h"
#include "cli/violations.h"

namespace scfe::cli {
namespace {

int run_verify(const Arguments& given) {
  Arguments arguments = given;
  const Question question = ask(arguments, "rows.csv answers.csv");
  std::size_t checked = 0, bad = 0, below = 0, without = 0, missing = 0;
  StabilityProof proof = StabilityProof::none;
  const GivenAnswers answers = read_answers(question, arguments.files[0], arguments.files[1]);
  without += answers.dropped;
  for (const std::string& stray : answers.strays) std::printf("%s\n", stray.c_str());
  for (const GivenAnswer& answer : answers.all) {
    ++(!answer.has_line ? missing : answer.answer ? checked : without);
    below += answer.status == status_name(Status::below_floor) ? 1 : 0;
    const std::vector<std::string> broken = violations(question, answer);
    if (answer.answer && question.options.robust > 0 && proof == StabilityProof::none)
      proof = stability_of(question, answer).proof;
    for (const std::string& violation : broken)
      std::printf("row %s: %s\n", answer.name.c_str(), violation.c_str());
    bad += answer.has_line && !broken.empty() ? 1 : 0;
  }
  std::printf("%zu answers checked, %zu break a limit; %zu say below_floor, %zu rows have none\n", checked,
              bad, below, without);
  if (missing > 0) std::printf("%zu rows are missing from %s\n", missing, arguments.files[1].c_str());
  if (!answers.strays.empty())
    std::printf("%zu lines answer no row, or one that is answered already\n", answers.strays.size());
  if (proof != StabilityProof::none)
    std::printf("stability within %s of the ranges: %s\n", percent(question.options.robust).c_str(),
                std::string(stability_name(proof)).c_str());
  return bad + missing + answers.strays.size() == 0 ? 0 : 1;
}

}  // namespace

Verb verify_verb() {
  std::vector<Flag> flags = limit_flags();
  for (const Flag& flag : fit_flags()) flags.push_back(flag);
  return {"verify",
          "E.scfe rows.csv answers.csv",
          "Predict written answers again and check every limit",
          flags,
          true,
          run_verify};
}

}  // namespace scfe::cli
