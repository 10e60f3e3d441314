// Learns the rules of the training rows (scfe/learned_rules.h) and adds them to the schema.
#pragma once

#include "scfe/encoder.h"
#include "scfe/options.h"
#include "scfe/schema.h"

namespace scfe {

// The encoder's schema with what its training rows taught: in use, unless the options only list the rules or
// drop some. Cells that were missing and have been filled are left out. A schema that has learned rules
// already keeps them.
Schema with_learned_rules(const Encoder& encoder, const Encoded& training, const Options& options);

}  // namespace scfe
