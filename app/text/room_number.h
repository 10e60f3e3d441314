// How far a number may move back, as text for people. It is rounded down, to the feature's own decimals or
// else to four significant digits.
#pragma once

#include <string>

#include "scfe/feature.h"

namespace scfe::app {

std::string room_number(const Feature& feature, double room);

}  // namespace scfe::app
