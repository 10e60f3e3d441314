// Further forms of numbers for messages, beside the public ones (scfe/text.h).
#pragma once

#include "scfe/text.h"

namespace scfe {

std::string rough(double value);         // two digits: 0.62
std::string exact_number(double value);  // as many digits as it takes to ask with it: 20083700

}  // namespace scfe
