// Images and labels in the idx format of MNIST, plain or compressed with gzip.
//
//     u8 0, u8 0, u8 type (8: unsigned byte), u8 dimensions, u32 size of each (big-endian), the values
#pragma once

#include <string>
#include <vector>

#include "scfe/matrix.h"

namespace scfe::app {

struct Images {
  std::size_t height = 0, width = 0;
  Matrix pixels;  // one image a row, row-major, 0 .. 255
};

// Throws Error, naming the file and what is wrong with it. max_count 0 reads all images.
Images read_idx_images(const std::string& path, std::size_t max_count = 0);
std::vector<int> read_idx_labels(const std::string& path, std::size_t max_count = 0);

}  // namespace scfe::app
