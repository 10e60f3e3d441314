// Numbers in cells: parsed exactly, and written in the shortest form that parses to the same bits.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace scfe {

// Empty unless the whole cell, apart from spaces around it, is a finite decimal number such as 1e3 or +2.
std::optional<double> parse_number(std::string_view cell);

// Has no exponent from 1e-9 to 1e15: 100000 instead of 1e+05.
std::string number_text(double value);
// Rounded to at most `decimals` decimals, without trailing zeros.
std::string number_text(double value, int decimals);

// The decimals needed for the number in the cell: 2 for 1.250, 4 for 1.5e-3. The cell must be a number.
int decimals_of(std::string_view cell);
// The decimals written in the cell: 3 for 1.250, 0 for 1 and for 1.5e-3.
int written_decimals_of(std::string_view cell);
// Appends zeros up to `decimals` decimals: 12.5 becomes 12.50.
std::string padded(std::string number, int decimals);
// The double nearest to 10^-decimals.
double step_of_decimals(int decimals);
// The decimals needed to write all multiples of the step; empty if more than 15.
std::optional<int> decimals_of_step(double step);

}  // namespace scfe
