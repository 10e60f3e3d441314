#include "scfe/version.h"

namespace scfe {

std::string_view version() { return SCFE_VERSION; }

}  // namespace scfe
