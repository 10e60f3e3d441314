#include "cli/idx.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "scfe/file.h"
#include "tests/data/scratch.h"
#include "tests/helper/shared.h"

namespace scfe::test {
namespace {

using namespace app;

std::string header(std::initializer_list<unsigned> sizes, char type = 8) {
  std::string bytes = {0, 0, type, static_cast<char>(sizes.size())};
  for (const unsigned size : sizes)
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(size >> shift & 255);
  return bytes;
}

std::string compressed(const Scratch& scratch, const std::string& bytes) {
  const std::string path = scratch.path("c.gz");
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(file);
  return path;
}

TEST(Idx, ReadsImagesAndLabelsPlainAndCompressed) {
  const Scratch scratch;
  const std::string bytes = header({2, 2, 3}) + std::string("\0\1\2\3\4\5\6\7\x8\x9\xfe\xff", 12);
  for (const std::string& path : {scratch.write("plain", bytes), compressed(scratch, bytes)}) {
    const Images images = read_idx_images(path);
    EXPECT_EQ(images.height, 2U);
    EXPECT_EQ(images.width, 3U);
    EXPECT_EQ(images.pixels.rows, 2U);
    EXPECT_EQ(images.pixels.values, (std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 254, 255}));
    EXPECT_EQ(read_idx_images(path, 1).pixels.values.size(), 6U);
  }
  EXPECT_EQ(read_idx_labels(scratch.write("l", header({3}) + std::string("\7\0\xff", 3))),
            (std::vector<int>{7, 0, 255}));
}

TEST(Idx, SaysWhatIsWrong) {
  const Scratch scratch;
  const auto failure = [&](const std::string& bytes) {
    const std::string path = scratch.write("i", bytes);
    const std::string message = error_of([&] { (void)read_idx_images(path); });
    EXPECT_EQ(message.rfind(path, 0), 0U);
    return message.substr(std::min(path.size(), message.size()));
  };
  EXPECT_EQ(failure("PK\3\4xxxx"), ": expected an idx file (two zero bytes first), got another kind of file");
  EXPECT_EQ(failure(header({1, 1, 1}, 13) + "x"), ": type: expected 8 (unsigned bytes), got 13");
  EXPECT_EQ(failure(header({1}) + "x"), ": dimensions: expected 3, got 1");
  EXPECT_EQ(failure(header({2, 2, 2}) + "1234567"), ": expected 8 more bytes, got 7 (the file is cut off)");
  EXPECT_EQ(failure(header({1, 1, 2}) + "123"), ": expected the end of the file, got more bytes");
  EXPECT_EQ(failure(header({1, 0, 2})), ": image: expected from 1 to 16777216 pixels, got 0");
  EXPECT_NE(failure(header({0xffffffffU, 4096, 4096}) + "1"), "") << "sizes that lie allocate nothing";
  EXPECT_NE(failure(""), "");
  EXPECT_NE(error_of([] { (void)read_idx_labels("/nowhere/l"); }), "");
}

TEST(Idx, CutOrDamagedArchivesAreErrors) {
  const Scratch scratch;
  std::string pixels;
  for (int i = 0; i < 4000; ++i) pixels += static_cast<char>(i * i * 31 / 7);
  const std::string whole = read_file(compressed(scratch, header({4000}) + pixels));
  ASSERT_EQ(read_idx_labels(scratch.write("g", whole)).size(), 4000U);
  for (std::size_t size = 1; size < whole.size(); size += 37)
    EXPECT_NE(error_of([&] { (void)read_idx_labels(scratch.write("g", whole.substr(0, size))); }), "")
        << size;
  std::string damaged = whole;
  damaged[whole.size() / 2] = static_cast<char>(damaged[whole.size() / 2] ^ 8);
  EXPECT_NE(error_of([&] { (void)read_idx_labels(scratch.write("g", damaged)); }), "");
}

TEST(Idx, ReadsMnist) {
  SCFE_NEEDS_SHARED("data/t10k-images-idx3-ubyte.gz");
  const std::filesystem::path folder = shared_dir() / "data";
  const Images images = read_idx_images((folder / "t10k-images-idx3-ubyte.gz").string());
  const std::vector<int> labels = read_idx_labels((folder / "t10k-labels-idx1-ubyte.gz").string());
  EXPECT_EQ(images.pixels.rows, 10000U);
  EXPECT_EQ(images.pixels.cols, 784U);
  EXPECT_EQ(labels.size(), 10000U);
  EXPECT_EQ(labels[0], 7);
  double sum = 0;
  for (const double value : images.pixels.values) sum += value;
  EXPECT_NEAR(sum / (10000.0 * 784 * 255), 0.1325, 1e-3);
}

}  // namespace
}  // namespace scfe::test
