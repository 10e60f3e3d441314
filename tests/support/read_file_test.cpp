#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "scfe/file.h"
#include "scfe/memory.h"
#include "tests/data/scratch.h"

namespace scfe::test {
namespace {

TEST(ReadFile, TakesFilesAndPipesAndNothingElse) {
  const Scratch scratch;
  EXPECT_EQ(read_file(scratch.write("f", "content")), "content");
  ASSERT_EQ(mkfifo(scratch.path("pipe").c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(scratch.path("pipe")) << "through a pipe"; });
  EXPECT_EQ(read_file(scratch.path("pipe")), "through a pipe");
  writer.join();
  EXPECT_EQ(error_of([] { (void)read_file("/dev/zero"); }),
            "/dev/zero: expected a file or a pipe, got a device");
  EXPECT_NE(error_of([&] { (void)read_file(scratch.path("")); }).find("a folder"), std::string::npos);
}

TEST(MemoryLimit, GrowsWithTheFileUntilItIsGiven) {
  constexpr std::size_t megabyte = std::size_t{1} << 20;
  EXPECT_EQ(memory_limit(0), 64 * megabyte);
  EXPECT_EQ(memory_limit(megabyte), 96 * megabyte);
  EXPECT_EQ(memory_limit(100 * megabyte), 1024 * megabyte);
  EXPECT_EQ(memory_limit(1000 * megabyte), 8000 * megabyte);
  EXPECT_GE(memory_limit(~std::size_t{0}), memory_limit(1000 * megabyte));
  set_memory_limit(1000);
  EXPECT_EQ(memory_limit(100 * megabyte), 1000U);
  const Scratch scratch;
  EXPECT_NE(error_of([&] { (void)read_file(scratch.write("f", std::string(1001, 'x'))); }), "");
  EXPECT_NE(error_of([] { expect_memory(1, 1001, "f"); }).find("--memory-limit"), std::string::npos);
  EXPECT_EQ(error_of([] { expect_memory(1, 999, "f"); }), "");
  set_memory_limit(0);
}

}  // namespace
}  // namespace scfe::test
