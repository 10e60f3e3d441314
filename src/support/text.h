// Numbers and lists as people write them.
#pragma once

#include <string>
#include <vector>

namespace scfe {

std::string number(double value);        // shortest form that reads back to six digits: 0.25, 1680, 1e-07
std::string rough(double value);         // two digits: 0.62
std::string exact_number(double value);  // as many digits as it takes to ask with it: 20083700
std::string percent(double share);       // never more than it is, to a tenth: 0.0688 is "6.8 %"
std::string counted(std::size_t count, const std::string& noun);  // "1 change", "2 changes"
std::string join(const std::vector<std::string>& parts, const std::string& between);

}  // namespace scfe
