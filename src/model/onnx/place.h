// Assigns memory to buffers of limited lifetime; buffers whose lifetimes do not overlap may share it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace scfe::onnx {

struct Life {
  std::size_t begin = 0, end = 0, rows = 0, offset = 0;
  bool used = false;
  void at(std::size_t time) {
    begin = used ? std::min(begin, time) : time;
    end = used ? std::max(end, time) : time;
    used = true;
  }
};

// First fit, largest first: each buffer takes the lowest gap between the buffers alive at the same time.
// Returns the total size.
std::size_t place(std::vector<Life>& lives);

}  // namespace scfe::onnx
