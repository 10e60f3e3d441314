// The table of a comparison of methods: mean (standard deviation) of every measure, a row for each method, as
// aligned text, CSV, Markdown or LaTeX, with the commands and seeds that made it.
#pragma once

#include <string>

#include "ask/comparing.h"

namespace scfe::app {

// The format of a file, by its extension: .txt, .csv, .md, .tex, or .svg for the picture (report/front.h).
enum class TableFormat { text, csv, markdown, latex, picture };
TableFormat table_format_of(const std::string& path);

// Not for pictures.
std::string comparison_text(const Comparison& comparison, TableFormat format);

// The measures of every answer as CSV, a line for each method and row. What is not measured is empty.
std::string each_answer(const Comparison& comparison);
Flag each_flag();

}  // namespace scfe::app
