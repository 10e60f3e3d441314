// Tables from Arrow streams, as typed columns.
#pragma once

#include <string>

#include "scfe/c_api.h"
#include "scfe/table.h"

namespace scfe::app {

// Reads and releases the stream. `source` is its name in errors: "data", "rows". Throws Error, naming the
// column, for a type that is not supported, a name that comes twice, or a stream that reports an error.
Table read_stream(ArrowArrayStream* stream, const std::string& source);

}  // namespace scfe::app
