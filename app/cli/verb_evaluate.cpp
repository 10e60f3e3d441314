#include "cli/verb.h"
namespace scfe::cli {
Verb evaluate_verb() { return {"evaluate", "", "", {}, false, nullptr}; }
}
