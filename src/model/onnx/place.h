// Memory for what lives at different times: lives that do not meet share it.
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

// First fit, longest rows first: each life takes the lowest gap among those it overlaps in time. Returns how
// much they take together.
std::size_t place(std::vector<Life>& lives);

}  // namespace scfe::onnx
