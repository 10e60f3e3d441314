// The finished rows of an output that is not complete yet: PATH.partial, where links of PATH are followed.
//
//     32   "scfe-journal\n", then the number of the process that writes it, as text
//     then records: 8 length, 8 checksum over the length, the bytes and the checksum of the record before
//     the first record is the version of this format and the question's key; each further one is a batch of
//     rows:
//          8 rows, 8 answered, 8 without, 8 checksum of the rows (all so far), then the bytes of the output
//
// The file is locked while a run writes it. It is synchronised when it is created, once a second, and
// before the output is made of it. A run with the same key can go on after the last record that is whole;
// whatever follows is cut off and computed again. An error removes the file, a kill leaves it; keep() keeps
// it, if it has rows.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "ask/answer.h"

namespace scfe::app {

// Version of the journal, including the answers of reports (answer_bytes.h). Raise it when that changes.
inline constexpr int journal_format = 5;

// The name of the journal of an output.
std::string journal_path(const std::string& path);

class Journal {
 public:
  // With `resume`, goes on with an existing journal. Throws Error if another run holds it, or if it answers
  // another question.
  Journal(const std::string& path, const std::string& key, bool resume);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  const Tally& done() const { return done_; }  // rows in records, including those of earlier runs
  bool resumed() const { return resumed_; }
  // Calls `take` with the bytes of each batch.
  void replay(const std::function<void(std::string_view)>& take) const;

  void write(std::string_view bytes);
  void count(const Answer& answer);
  void flush();  // ends the batch
  void keep() { keep_ = true; }
  // Writes all bytes to PATH, which is never incomplete, and removes the journal.
  void become(const std::string& path);
  void discard();

 private:
  [[noreturn]] void fail(const char* expected) const;
  void open();
  bool is_still_there() const;
  void lock();
  void start();
  bool find_records();
  void append(std::string_view bytes);
  void sync();
  bool read_record(std::string& bytes, std::uint64_t& at, std::uint64_t& sum) const;

  std::string output_, path_, key_;
  int file_ = -1;
  std::uint64_t end_ = 0, sum_ = 0;  // of the last whole record
  Tally done_, counted_;
  std::string batch_;
  std::chrono::steady_clock::time_point synced_;
  bool resumed_ = false, keep_ = false;
};

}  // namespace scfe::app
