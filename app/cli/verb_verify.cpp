#include "cli/verb.h"
namespace scfe::cli {
Verb verify_verb() { return {"verify", "", "", {}, false, nullptr}; }
}
