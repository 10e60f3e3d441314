// scfe verify: predicts the answers of a file again, and checks each against every limit (ask/verify.h).
#include <cstdio>

#include "ask/fitting.h"
#include "ask/limits.h"
#include "ask/verify.h"
#include "cli/verb.h"
#include "text/text_table.h"

namespace scfe::app {
namespace {

int run_verify(const Arguments& given) {
  Arguments arguments = given;
  const Question question = ask(arguments, "rows.csv answers.csv");
  const Verified result =
      verify(question, read_answers(question, read_csv(arguments.files[0]), read_csv(arguments.files[1])));
  for (const std::string& stray : result.strays) std::printf("%s\n", stray.c_str());
  for (const Violation& violation : result.violations)
    std::printf("row %s: %s\n", violation.row.c_str(), violation.text.c_str());
  std::printf(
      "%zu answers checked, %zu break a limit; %zu are less typical than asked and say so, "
      "%zu rows have no answer\n",
      result.checked, result.broken, result.below, result.without);
  if (result.missing > 0)
    std::printf("%zu rows are missing from %s\n", result.missing, arguments.files[1].c_str());
  if (!result.strays.empty())
    std::printf("%zu lines answer a row that does not exist, or one that is answered already\n",
                result.strays.size());
  if (result.stability != StabilityProof::none)
    std::printf("robust within %s of the ranges: %s\n", percent(question.options.robust).c_str(),
                std::string(stability_name(result.stability)).c_str());
  return result.holds() ? 0 : 1;
}

}  // namespace

Verb verify_verb() {
  std::vector<Flag> flags = limit_flags();
  flags.push_back(spreadsheet_flag("the answers were written with this flag"));
  for (const Flag& flag : fit_flags()) flags.push_back(flag);
  return {"verify",
          "E.scfe rows.csv answers.csv",
          "Predict written answers again and check every limit",
          flags,
          true,
          run_verify};
}

}  // namespace scfe::app
