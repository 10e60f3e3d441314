// Parts of the page.
#pragma once

#include <string>

#include "report/report_data.h"

namespace scfe::cli {

std::string summary_section(const Question& question, const ReportData& data);
std::string card(const Question& question, const Answer& answer);

}  // namespace scfe::cli
