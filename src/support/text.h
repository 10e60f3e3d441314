// Numbers and lists as text for people.
#pragma once

#include <string>
#include <vector>

namespace scfe {

std::string number(double value);        // up to six significant digits: 0.25, 1680, 1e-07
std::string rough(double value);         // two significant digits: 0.62
std::string exact_number(double value);  // enough digits to be used as an option's value: 20083700
std::string percent(double share);       // rounded down to a tenth: 0.0688 is "6.8 %"
std::string counted(std::size_t count, const std::string& noun);  // "1 change", "2 changes"
std::string join(const std::vector<std::string>& parts, const std::string& between);

}  // namespace scfe
