// Numbers and lists as people write them.
#pragma once

#include <string>
#include <vector>

namespace scfe {

std::string number(double value);  // shortest form that reads back to six digits: 0.25, 1680, 1e-07
std::string join(const std::vector<std::string>& parts, const std::string& between);

}  // namespace scfe
