// A report in one HTML file that needs no network: a summary of all rows, then a card for each.
#pragma once

#include <memory>
#include <string>

#include "cli/answer.h"
#include "cli/question.h"

namespace scfe::cli {

// Written aside and renamed when all rows are there. The question must outlive it.
std::unique_ptr<Sink> html_report(const Question& question, const std::string& path);

}  // namespace scfe::cli
