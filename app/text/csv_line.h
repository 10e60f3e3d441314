// A line of CSV. Spreadsheets run cells that begin with = + - @, a tab or a carriage return as formulas,
// unless an apostrophe stands in front. On request (`spreadsheet_safe`) such cells get one, if they are no
// numbers. So do cells that begin with apostrophes before one of these signs: taking one away always gives
// the cell back.
#pragma once

#include <string>
#include <vector>

#include "scfe/table.h"

namespace scfe::app {

std::string csv_line(std::vector<std::string> cells, bool spreadsheet_safe);
// The table that was written like this.
Table from_spreadsheet_safe(const Table& table);

}  // namespace scfe::app
