#include "output/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "scfe/bundle.h"
#include "scfe/error.h"
#include "scfe/file.h"

namespace scfe::app {
namespace {

constexpr std::size_t header_size = 32, magic_size = 13;
constexpr std::chrono::seconds sync_every(1);

using Numbers = std::array<std::uint64_t, 2>;  // length and checksum in front of each record
using TallyNumbers = std::array<std::uint64_t, 4>;

std::string header() {
  std::array<char, header_size + 1> text = {};
  (void)std::snprintf(text.data(), text.size(), "scfe-journal\n%18d\n", ::getpid());
  return text.data();
}

template <class T>
std::string_view bytes_of(const T& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(numbers[0])};
}

// As many bytes as there are, at most `size`.
std::string bytes_at(int file, std::uint64_t at, std::size_t size) {
  std::string bytes(size, '\0');
  std::size_t got = 0;
  while (got < size) {
    const ssize_t more = ::pread(file, bytes.data() + got, size - got, static_cast<off_t>(at + got));
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) break;
    got += static_cast<std::size_t>(more);
  }
  bytes.resize(got);
  return bytes;
}

std::uint64_t checksum(std::string_view bytes, std::uint64_t before) {
  const std::array<std::uint64_t, 2> head = {before, bytes.size()};
  return fingerprint(bytes, fingerprint(bytes_of(head)));
}

struct stat state_of(int file) {
  struct stat found = {};
  (void)::fstat(file, &found);
  return found;
}

}  // namespace

std::string journal_path(const std::string& path) { return output_target(path) + ".partial"; }

void Journal::fail(const char* expected) const { throw Error(path_, expected, std::strerror(errno)); }

Journal::Journal(const std::string& path, const std::string& key, bool resume)
    : output_(path), path_(journal_path(path)), key_("format " + std::to_string(journal_format) + ":" + key) {
  struct stat found = {};
  const bool exists = ::stat(path.c_str(), &found) == 0;
  // Reports the error now, not after the last row.
  if (exists && S_ISDIR(found.st_mode)) throw Error(path, "a file that can be written", "a folder");
  try {
    open();
    // Nobody may read the rows who may not read the output.
    if (exists && S_ISREG(found.st_mode)) (void)::fchmod(file_, found.st_mode & 0777);
    resumed_ = resume && find_records();
    if (!resumed_) start();
  } catch (...) {
    if (file_ >= 0) (void)::close(file_);
    throw;
  }
  keep_ = resumed_;  // an error of this run does not remove rows of an earlier one
}

Journal::~Journal() {
  if (file_ < 0) return;
  if (!keep_ || done_.rows == 0) {
    discard();
    return;
  }
  (void)sync_file(file_);
  (void)::close(file_);
}

// Opens and locks the file. The run that held it before may have removed it meanwhile.
void Journal::open() {
  do {
    if (file_ >= 0) (void)::close(file_);
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (file_ < 0 && errno == ELOOP) throw Error(path_, "a file of its own", "a link");
    if (file_ < 0) fail("a file that can be written");
    const struct stat found = state_of(file_);
    if (!S_ISREG(found.st_mode)) throw Error(path_, "a regular file", "another kind");
    if (found.st_nlink > 1) throw Error(path_, "a file of its own", "a link to another file");
    lock();
  } while (!is_still_there());
}

bool Journal::is_still_there() const {
  struct stat named = {};
  const struct stat held = state_of(file_);
  return ::lstat(path_.c_str(), &named) == 0 && named.st_dev == held.st_dev && named.st_ino == held.st_ino;
}

void Journal::lock() {
  while (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) return;  // a file system without locks
    const std::string text = bytes_at(file_, 0, header_size);
    const int holder = text.size() == header_size ? std::atoi(text.c_str() + magic_size) : 0;
    throw Error(
        output_, "an output that no other run is writing",
        (holder > 0 ? "process " + std::to_string(holder) : "another process") + ", which holds " + path_);
  }
}

// An empty journal, with the key. The file exists but is useless until the key is complete.
void Journal::start() {
  done_ = counted_ = {};
  end_ = sum_ = 0;
  try {
    if (::ftruncate(file_, 0) != 0) fail("a file that can be written");
    if (::lseek(file_, 0, SEEK_SET) != 0 || !write_fully(file_, header())) fail("room to write");
    end_ = header_size;
    append(key_);
    sync();
    if (!sync_folder_of(path_)) fail("a folder that can be written");
  } catch (...) {
    (void)::unlink(path_.c_str());
    throw;
  }
}

bool Journal::read_record(std::string& bytes, std::uint64_t& at, std::uint64_t& sum) const {
  Numbers numbers = {};
  const std::string head = bytes_at(file_, at, sizeof numbers);
  if (head.size() < sizeof numbers) return false;
  std::memcpy(numbers.data(), head.data(), sizeof numbers);
  const auto size = static_cast<std::uint64_t>(state_of(file_).st_size);
  if (numbers[0] > size - at - sizeof numbers) return false;
  bytes = bytes_at(file_, at + sizeof numbers, static_cast<std::size_t>(numbers[0]));
  if (bytes.size() < numbers[0] || checksum(bytes, sum) != numbers[1]) return false;
  at += sizeof numbers + bytes.size();
  sum = numbers[1];
  return true;
}

// False if there is not even a first batch, which has the head of the output: nothing to go on with.
bool Journal::find_records() {
  const std::string own = header().substr(0, magic_size), text = bytes_at(file_, 0, header_size);
  if (text.size() < header_size) return false;
  std::string bytes;
  end_ = header_size;
  sum_ = 0;
  if (!text.starts_with(own) || !read_record(bytes, end_, sum_)) return false;
  if (bytes != key_)
    throw Error(path_, "answers to the same question (version, model, rows, options)",
                "answers to another one");
  const std::uint64_t key_end = end_;
  TallyNumbers numbers = {};
  for (std::uint64_t at = end_, sum = sum_; read_record(bytes, at, sum) && bytes.size() >= sizeof numbers;
       end_ = at, sum_ = sum) {
    std::memcpy(numbers.data(), bytes.data(), sizeof numbers);
    done_ = {static_cast<std::size_t>(numbers[0]), static_cast<std::size_t>(numbers[1]),
             static_cast<std::size_t>(numbers[2]), numbers[3]};
  }
  if (end_ == key_end) return false;
  counted_ = done_;
  const std::string mine = header();
  if (::ftruncate(file_, static_cast<off_t>(end_)) != 0 || ::lseek(file_, 0, SEEK_SET) != 0 ||
      !write_fully(file_, mine) || ::lseek(file_, static_cast<off_t>(end_), SEEK_SET) < 0)
    fail("a file that can be written");
  return true;
}

void Journal::replay(const std::function<void(std::string_view)>& take) const {
  std::uint64_t at = header_size, sum = 0;
  std::string bytes;
  bool is_key = true;
  while (at < end_) {
    if (!read_record(bytes, at, sum)) throw Error(path_, "the records that were written", "others");
    if (!std::exchange(is_key, false)) take(std::string_view(bytes).substr(sizeof(TallyNumbers)));
  }
}

void Journal::write(std::string_view bytes) { batch_ += bytes; }

void Journal::count(const Answer& answer) {
  counted_.rows_checksum = answer.rows_checksum;
  if (!answer.first) return;
  ++counted_.rows;
  ++(answer.explanation.found() ? counted_.answered : counted_.without);
}

void Journal::append(std::string_view bytes) {
  const Numbers numbers = {bytes.size(), checksum(bytes, sum_)};
  std::string record(bytes_of(numbers));
  record += bytes;
  if (!write_fully(file_, record)) fail("room to write");
  end_ += record.size();
  sum_ = numbers[1];
}

void Journal::flush() {
  if (batch_.empty() && counted_.rows == done_.rows) return;
  const TallyNumbers numbers = {counted_.rows, counted_.answered, counted_.without, counted_.rows_checksum};
  append(std::string(bytes_of(numbers)) + batch_);
  done_ = counted_;
  batch_.clear();
  if (std::chrono::steady_clock::now() - synced_ >= sync_every) sync();
}

void Journal::sync() {
  if (!sync_file(file_)) fail("room to write");
  synced_ = std::chrono::steady_clock::now();
}

void Journal::become(const std::string& path) {
  flush();
  sync();
  AsideFile file(path);
  replay([&](std::string_view bytes) { file.write(bytes); });
  file.commit();
  discard();
}

// Removed before the lock is released, so that nobody else holds what is removed.
void Journal::discard() {
  if (file_ < 0) return;
  (void)::unlink(path_.c_str());
  (void)::close(std::exchange(file_, -1));
}

}  // namespace scfe::app
