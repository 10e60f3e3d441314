// Numbers in cells: read exactly, written in the shortest form that reads back to the same bits.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace scfe {

// Empty unless the whole cell (spaces around it aside) is one finite decimal number; 1e3 and +2 are.
std::optional<double> parse_number(std::string_view cell);

// Without an exponent from 1e-9 to 1e15: 100000 and not 1e+05.
std::string number_text(double value);
// The nearest number with at most that many decimals, no trailing zeros.
std::string number_text(double value, int decimals);

// Digits behind the point that the number in the cell needs: 2 for 1.250, 4 for 1.5e-3. The cell is a number.
int decimals_of(std::string_view cell);
// Digits behind the point as they stand there: 3 for 1.250, 0 for 1 and for 1.5e-3.
int written_decimals_of(std::string_view cell);
// The number with zeros behind it until it has that many decimals: 12.5 is 12.50.
std::string padded(std::string number, int decimals);
// 10^-decimals, the double nearest to it.
double step_of_decimals(int decimals);
// The least number of decimals in which multiples of the step can be written; empty if 15 do not do.
std::optional<int> decimals_of_step(double step);

}  // namespace scfe
