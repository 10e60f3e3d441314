// The parts of the page.
#pragma once

#include <string>

#include "ask/audit.h"
#include "report/report_data.h"

namespace scfe::app {

std::string summary_section(const Question& question, const ReportData& data);
std::string card(const Question& question, const Answer& answer);
// Recourse by group, as a section of the report or as a page of its own.
std::string audit_section(const Question& question, const Audit& audit);
std::string audit_page(const Question& question, const Audit& audit);

}  // namespace scfe::app
