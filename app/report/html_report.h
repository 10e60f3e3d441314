// A report as one self-contained HTML file: a summary of all rows, then a card for each.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "ask/answer.h"
#include "ask/audit.h"
#include "ask/question.h"
#include "report/report_data.h"

namespace scfe::app {

using Write = std::function<void(std::string_view text)>;
// The page, part by part. `groups`: by the value of the --by column.
void write_report(const Question& question, const ReportData& data,
                  const std::map<std::string, AuditGroup>& groups, const Write& write);

// Identifies the question of a report, and says whether an earlier run is resumed.
struct Resuming {
  std::string key;
  bool resume = false;
};
// The report appears once all rows are written; until then they are kept in PATH.partial. The question must
// outlive the sink.
std::unique_ptr<Sink> html_report(const Question& question, const std::string& path,
                                  const Resuming& resuming = {"\n"});

}  // namespace scfe::app
