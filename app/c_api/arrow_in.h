// Tables from Arrow streams, as typed columns.
#pragma once

#include <memory>
#include <string>

#include "scfe/c_api.h"
#include "scfe/table.h"

namespace scfe::app {

// The arrays of a stream, which stay where they are: a part of their rows becomes a table when it is asked
// for.
class ArrowRows {
 public:
  // Takes the batches and releases the stream; the batches are released with this object. `source` is its
  // name in errors: "data", "rows". Throws Error, naming the column, for a type that is not supported, a name
  // that comes twice, or a stream that reports an error.
  ArrowRows(ArrowArrayStream* stream, std::string source);
  ~ArrowRows();
  ArrowRows(ArrowRows&&) noexcept;
  ArrowRows& operator=(ArrowRows&&) noexcept;

  std::size_t rows() const;
  Table slice(std::size_t first, std::size_t count) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The whole stream, copied and released.
Table read_stream(ArrowArrayStream* stream, const std::string& source);

}  // namespace scfe::app
