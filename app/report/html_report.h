// A report as one self-contained HTML file: a summary of all rows, then a card for each.
#pragma once

#include <memory>
#include <string>

#include "cli/answer.h"
#include "cli/question.h"

namespace scfe::cli {

// Identifies the question of a report, and says whether an earlier run is resumed.
struct Resuming {
  std::string key;
  bool resume = false;
};
// The report appears once all rows are written; until then they are kept in PATH.partial. The question must
// outlive the sink.
std::unique_ptr<Sink> html_report(const Question& question, const std::string& path,
                                  const Resuming& resuming = {"\n"});

}  // namespace scfe::cli
