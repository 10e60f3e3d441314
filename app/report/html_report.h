// A report in one HTML file that needs no network: a summary of all rows, then a card for each.
#pragma once

#include <memory>
#include <string>

#include "cli/answer.h"
#include "cli/question.h"

namespace scfe::cli {

// Names the question of a report that may be resumed, and whether it is.
struct Resuming {
  std::string key;
  bool resume = false;
};
// Written aside and renamed when all rows are there; till then they are kept in PATH.partial. The question
// must outlive it.
std::unique_ptr<Sink> html_report(const Question& question, const std::string& path,
                                  const Resuming& resuming = {"\n"});

}  // namespace scfe::cli
