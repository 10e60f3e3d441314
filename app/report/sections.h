// Parts of the page.
#pragma once

#include <string>

#include "cli/audit.h"
#include "report/report_data.h"

namespace scfe::cli {

// What is around everything, from the doctype to <main>, and behind it. The title is HTML already.
std::string page_opening(const std::string& title);
std::string page_closing();

std::string summary_section(const Question& question, const ReportData& data);
std::string card(const Question& question, const Answer& answer);
// Recourse by group: a section of the report, or a page of its own.
std::string audit_section(const Question& question, const Audit& audit);
std::string audit_page(const Question& question, const Audit& audit);

}  // namespace scfe::cli
