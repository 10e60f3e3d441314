// What verify and audit found, as JSON: the same for every door.
#pragma once

#include <string>

#include "ask/audit.h"
#include "ask/verify.h"
#include "text/json_text.h"

namespace scfe::app {

std::string verified_json(const Verified& verified);

// {"by": ..., "note": ..., "groups": [{"name": ..., "answered": {"mean": 1, "lo": 1, "hi": 1}, ...}]}. Ends
// of an interval are null where a group has too few rows for one.
JsonObject audit_json(const Question& question, const Audit& audit);

}  // namespace scfe::app
