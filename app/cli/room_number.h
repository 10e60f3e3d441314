// How far a number may go back, for people: never more than it is.
//
// In the feature's own decimals, else in four significant digits; what lies behind is cut off.
#pragma once

#include <string>

#include "scfe/feature.h"

namespace scfe::cli {

std::string room_number(const Feature& feature, double room);

}  // namespace scfe::cli
