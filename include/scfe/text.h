// Numbers and names as text, the way that files, errors and reports of this library write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scfe/error.h"

namespace scfe {

// Empty unless the whole cell, without spaces around it, is one finite decimal number, such as 1e3 or +2.
std::optional<double> parse_number(std::string_view cell);
// The shortest form that reads back to the same bits, without an exponent from 1e-9 to 1e15: 100000 and not
// 1e+05.
std::string number_text(double value);
// The nearest number with at most that many decimals, no trailing zeros.
std::string number_text(double value, int decimals);
// The least number of decimals with which multiples of the step can be written; empty if 15 are not enough.
std::optional<int> decimals_of_step(double step);
// 10^-decimals, the double nearest to it.
double step_of_decimals(int decimals);

std::string number(double value);   // six significant digits: 0.25, 1680, 1e-07
std::string percent(double share);  // rounded down to a tenth: 0.0688 is "6.8 %"
std::string counted(std::size_t count, const std::string& noun);  // "1 change", "2 changes"
std::string join(const std::vector<std::string>& parts, const std::string& between);

// The nearest of the known names (the first, if there are several), for "did you mean"; empty if none is
// near. The distance counts insertions, deletions, replacements and swaps of neighbours (optimal string
// alignment, ignoring case). Near means at most a third of the name's letters.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);
// "FIELD: unknown feature 'amout': did you mean 'amount'?", or a list of all known names if none is near. The
// field may be empty.
Error unknown_name(const std::string& field, std::string_view kind, std::string_view name,
                   const std::vector<std::string>& known);

}  // namespace scfe
