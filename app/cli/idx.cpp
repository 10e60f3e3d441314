#include "cli/idx.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "scfe/error.h"
#include "scfe/file.h"
#include "scfe/memory.h"

namespace scfe::app {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 20;

struct CloseGz {
  void operator()(gzFile_s* file) const { (void)gzclose_r(file); }
};

// Reads plain and gzip files. Throws if the file ends too early.
class IdxFile {
 public:
  IdxFile(const std::string& path, unsigned dimensions);
  std::size_t size(std::size_t dimension) const { return sizes_[dimension]; }
  std::size_t bytes() const { return bytes_; }  // of the file, which may be compressed
  // Reads `count` bytes in chunks, each passed to use(chunk): a wrong size in the header allocates nothing.
  template <class Use>
  void each_piece(std::size_t count, const Use& use);
  void require_end();

 private:
  void read(unsigned char* to, std::size_t count);

  std::string path_;
  std::size_t bytes_;
  std::unique_ptr<gzFile_s, CloseGz> file_;
  std::array<std::size_t, 3> sizes_{};
};

void IdxFile::read(unsigned char* to, std::size_t count) {
  const int got = gzread(file_.get(), to, static_cast<unsigned>(count));
  int code = Z_OK;
  const char* const message = gzerror(file_.get(), &code);
  if (got < 0 || (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR))
    throw Error(path_, "a readable idx file", code == Z_ERRNO ? std::strerror(errno) : message);
  if (static_cast<std::size_t>(got) != count)
    throw Error(path_, std::to_string(count) + " more bytes", std::to_string(got) + " (the file is cut off)");
}

IdxFile::IdxFile(const std::string& path, unsigned dimensions) : path_(path), bytes_(size_of_file(path)) {
  file_.reset(gzopen(path.c_str(), "rb"));
  if (!file_) throw Error(path, "a readable file", std::strerror(errno));
  std::array<unsigned char, 4> bytes{};
  read(bytes.data(), bytes.size());
  if (bytes[0] != 0 || bytes[1] != 0)
    throw Error(path, "an idx file (two zero bytes first)", "another kind of file");
  if (bytes[2] != 8) throw Error(path + ": type", "8 (unsigned bytes)", std::to_string(bytes[2]));
  if (bytes[3] != dimensions)
    throw Error(path + ": dimensions", std::to_string(dimensions), std::to_string(bytes[3]));
  for (std::size_t i = 0; i < dimensions; ++i) {
    read(bytes.data(), bytes.size());
    for (const unsigned char byte : bytes) sizes_[i] = sizes_[i] << 8 | byte;
  }
}

template <class Use>
void IdxFile::each_piece(std::size_t count, const Use& use) {
  std::vector<unsigned char> piece(std::min(count, piece_bytes));
  while (count > 0) {
    const std::size_t size = std::min(count, piece.size());
    read(piece.data(), size);
    for (std::size_t i = 0; i < size; ++i) use(piece[i]);
    count -= size;
  }
}

void IdxFile::require_end() {
  unsigned char more = 0;
  if (gzread(file_.get(), &more, 1) > 0) throw Error(path_, "the end of the file", "more bytes");
}

std::size_t wanted(std::size_t there, std::size_t max_count) {
  return max_count > 0 && max_count < there ? max_count : there;
}

}  // namespace

Images read_idx_images(const std::string& path, std::size_t max_count) {
  IdxFile file(path, 3);
  Images images{file.size(1), file.size(2), {}};
  const std::size_t count = wanted(file.size(0), max_count);
  // Sizes in the header can be up to 2^32 each; larger images than this are rejected, and so are many more
  // pixels than the file has bytes.
  constexpr std::size_t most_pixels = std::size_t{1} << 24;
  const std::size_t pixels = images.height * images.width;
  if (pixels == 0 || pixels > most_pixels)
    throw Error(path + ": image", "from 1 to " + std::to_string(most_pixels) + " pixels",
                std::to_string(pixels));
  expect_memory(file.bytes(), static_cast<double>(count) * static_cast<double>(pixels) * sizeof(double),
                path);
  images.pixels.values.reserve(count * pixels);
  file.each_piece(count * pixels, [&](unsigned char byte) { images.pixels.values.push_back(byte); });
  if (count == file.size(0)) file.require_end();
  images.pixels.rows = count;
  images.pixels.cols = pixels;
  return images;
}

std::vector<int> read_idx_labels(const std::string& path, std::size_t max_count) {
  IdxFile file(path, 1);
  const std::size_t count = wanted(file.size(0), max_count);
  std::vector<int> labels;
  expect_memory(file.bytes(), static_cast<double>(count) * 2 * sizeof(int), path);
  file.each_piece(count, [&](unsigned char byte) { labels.push_back(byte); });
  if (count == file.size(0)) file.require_end();
  return labels;
}

}  // namespace scfe::app
