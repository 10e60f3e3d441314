// The parts of the page.
#pragma once

#include <string>
#include <string_view>

#include "ask/audit.h"
#include "report/report_data.h"

namespace scfe::app {

// What matters most, in four numbers.
std::string summary_tiles(const Question& question, const ReportData& data);
std::string summary_section(const Question& question, const ReportData& data);
// An outcome in the words of the glossary: "less typical than asked".
std::string_view status_title(Status status);
std::string card(const Question& question, const Answer& answer);
// Recourse by group, as a section of the report or as a page of its own.
std::string audit_section(const Question& question, const Audit& audit);
std::string audit_page(const Question& question, const Audit& audit);

}  // namespace scfe::app
