#include "cli/partial_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "scfe/error.h"
#include "scfe/file.h"

namespace scfe::cli {

PartialFile::File PartialFile::open(const std::string& path, const char* mode) {
  File file(std::fopen(path.c_str(), mode));
  if (!file) throw Error(path, "a file that can be written", std::strerror(errno));
  return file;
}

PartialFile::PartialFile(const std::string& path, std::string key, bool resume)
    : partial_(path + ".partial"), key_path_(partial_ + ".key"), key_(std::move(key)) {
  // Reports the error now, not after the last row.
  if (std::filesystem::is_directory(path)) throw Error(path, "a file that can be written", "a folder");
  resumed_ = resume && std::filesystem::exists(partial_) && find_record();
  file_ = open(partial_, resumed_ ? "ab" : "wb");
  try {
    if (!resumed_) write_file(key_path_, key_);
    records_ = open(key_path_, "ab");
  } catch (...) {
    std::error_code ignored;
    if (!resumed_) std::filesystem::remove(partial_, ignored);
    throw;
  }
  keep_ = resumed_;  // an error of this run does not remove rows of an earlier one
}

// False if not even the first batch is complete.
bool PartialFile::find_record() {
  std::ifstream file(key_path_);
  std::string first;
  if (!std::getline(file, first) || first + "\n" != key_)
    throw Error(partial_, "answers to the same question (version, model, rows, options)",
                "answers to another one");
  const std::uint64_t size = std::filesystem::file_size(partial_);
  std::string kept = key_;
  bool found = false;
  for (std::string line; std::getline(file, line);) {
    std::istringstream numbers(line);
    Tally tally;
    std::uint64_t bytes = 0;
    if (!(numbers >> tally.rows >> tally.answered >> tally.without >> bytes) || bytes > size) break;
    done_ = tally;
    bytes_ = bytes;
    kept += line + "\n";
    found = true;
  }
  if (!found) return false;
  std::filesystem::resize_file(partial_, bytes_);
  write_file(key_path_, kept);
  return true;
}

PartialFile::~PartialFile() {
  if (file_ != nullptr && !keep_) discard();
}

std::string PartialFile::content() const { return read_file(partial_); }

void PartialFile::require(bool done) const {
  if (!done) throw Error(partial_, "room to write", std::strerror(errno));
}

void PartialFile::write(std::string_view bytes) {
  require(std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size());
  bytes_ += bytes.size();
}

void PartialFile::count(const Answer& answer) {
  if (!answer.first) return;
  ++done_.rows;
  ++(answer.explanation.found() ? done_.answered : done_.without);
}

// Flushes the bytes first, so that a record never counts bytes that are not in the file.
void PartialFile::flush() {
  require(std::fflush(file_.get()) == 0);
  const std::string record = std::to_string(done_.rows) + " " + std::to_string(done_.answered) + " " +
                             std::to_string(done_.without) + " " + std::to_string(bytes_) + "\n";
  require(std::fputs(record.c_str(), records_.get()) >= 0 && std::fflush(records_.get()) == 0);
}

void PartialFile::rename_to(const std::string& path) {
  require(std::fclose(file_.release()) == 0);
  std::error_code error;
  std::filesystem::rename(partial_, path, error);
  if (error) throw Error(path, "a file that can be written", error.message());
  discard();
}

void PartialFile::discard() {
  file_.reset();
  records_.reset();
  std::error_code ignored;
  std::filesystem::remove(partial_, ignored);
  std::filesystem::remove(key_path_, ignored);
}

}  // namespace scfe::cli
