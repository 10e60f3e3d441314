// A file has its name only when it is complete; permissions, links and devices stay what they are.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "scfe/error.h"
#include "scfe/file.h"

namespace scfe {
namespace {

namespace fs = std::filesystem;

class AsideFileTest : public testing::Test {
 protected:
  AsideFileTest() : folder_(fs::path(testing::TempDir()) / ("aside_file_" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
  }
  ~AsideFileTest() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_))
      names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  }
  fs::path folder_;
};

TEST_F(AsideFileTest, has_its_name_only_when_it_is_complete) {
  {
    AsideFile file(path("a"));
    file.write(std::string(1 << 20, 'x'));
    EXPECT_EQ(names().size(), 1U);
    EXPECT_FALSE(fs::exists(path("a")));
  }
  EXPECT_TRUE(names().empty()) << "without commit() nothing is left";
  write_file(path("a"), "old");
  {
    AsideFile file(path("a"));
    file.write("new");
    EXPECT_EQ(read_file(path("a")), "old");
    file.commit();
  }
  EXPECT_EQ(read_file(path("a")), "new");
  EXPECT_EQ(names(), std::vector<std::string>{"a"});
}

TEST_F(AsideFileTest, keeps_the_permissions_of_the_file_that_it_replaces) {
  for (const mode_t mode : {0600U, 0640U, 0666U, 0755U}) {
    write_file(path("a"), "old");
    ASSERT_EQ(::chmod(path("a").c_str(), mode), 0);
    write_file(path("a"), "new");
    struct stat found = {};
    ASSERT_EQ(::stat(path("a").c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 07777U, mode);
  }
}

TEST_F(AsideFileTest, replaces_what_a_link_leads_to) {
  fs::create_directory(path("far"));
  write_file(path("far/a"), "old");
  fs::create_symlink("far/a", path("one"));
  fs::create_symlink("one", path("two"));
  fs::create_symlink("far/new", path("dangling"));
  EXPECT_EQ(output_target(path("two")), path("far/a"));
  write_file(path("two"), "new");
  EXPECT_TRUE(fs::is_symlink(path("two")) && fs::is_symlink(path("one")));
  EXPECT_EQ(read_file(path("far/a")), "new");
  write_file(path("dangling"), "made");
  EXPECT_EQ(read_file(path("far/new")), "made");
  fs::create_symlink("circle", path("circle"));
  EXPECT_THROW(write_file(path("circle"), ""), Error);
}

TEST_F(AsideFileTest, writes_to_devices_and_pipes) {
  // Devices of its own, so that a failure does not cost the machine its own; only root can make them.
  if (::mknod(path("full").c_str(), S_IFCHR | 0600, makedev(1, 7)) == 0) {
    EXPECT_THROW(write_file(path("full"), "nothing"), Error);
    EXPECT_TRUE(fs::is_character_file(path("full")));
  }
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = read_file(path("pipe")); });
  write_file(path("pipe"), "through");
  reader.join();
  EXPECT_EQ(got, "through");
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
  EXPECT_THROW(write_file(folder_.string(), ""), Error);
}

TEST_F(AsideFileTest, two_writers_of_one_file_do_not_mix) {
  const std::string one(1 << 18, '1'), two(1 << 18, '2');
  AsideFile first(path("a")), second(path("a"));
  first.write(one);
  second.write(two);
  second.write(two);
  first.commit();
  EXPECT_EQ(read_file(path("a")), one);
  second.commit();
  EXPECT_EQ(read_file(path("a")), two + two);
  EXPECT_EQ(names(), std::vector<std::string>{"a"});
}

TEST_F(AsideFileTest, temporary_files_can_be_removed_at_once) {
  AsideFile file(path("a"));
  file.write("x");
  EXPECT_EQ(names().size(), 1U);
  remove_temporary_files();
  EXPECT_TRUE(names().empty());
  EXPECT_THROW(file.commit(), Error);
}

TEST_F(AsideFileTest, long_names_are_possible) {
  const std::string name(250, 'n');
  write_file(path(name), "x");
  EXPECT_EQ(names(), std::vector<std::string>{name});
}

}  // namespace
}  // namespace scfe
