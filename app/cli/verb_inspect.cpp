#include "cli/verb.h"
namespace scfe::cli {
Verb inspect_verb() { return {"inspect", "", "", {}, false, nullptr}; }
}
