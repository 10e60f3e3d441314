// What is done of a file that is not done: PATH.partial, and PATH.partial.key beside it.
//
//     key file    the question's key (with the format and the version of the program), then a line "ROWS
//     ANSWERED WITHOUT BYTES" after each batch of rows
//
// An error removes both; a kill or Ctrl-C leaves them. Whoever resumes must ask the same question, and goes
// on behind the last batch whose bytes are all there.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "cli/answer.h"

namespace scfe::cli {

// Of what a .partial file holds, a report's answers (answer_bytes.h) among it: one more whenever that
// changes.
inline constexpr int partial_format = 2;

class PartialFile {
 public:
  // Resumes what lies there, if it is wished and there is anything.
  PartialFile(const std::string& path, std::string key, bool resume);
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  const Tally& done() const { return done_; }  // rows so far, a former run's among them
  bool resumed() const { return resumed_; }
  std::string content() const;  // as far as it counts

  void write(std::string_view bytes);
  void count(const Answer& answer);
  void flush();
  void keep() { keep_ = true; }
  void rename_to(const std::string& path);
  void discard();

 private:
  struct Close {
    void operator()(std::FILE* file) const { (void)std::fclose(file); }
  };
  using File = std::unique_ptr<std::FILE, Close>;
  static File open(const std::string& path, const char* mode);
  void require(bool done) const;
  bool find_record();

  std::string partial_, key_path_, key_;
  File file_, records_;
  Tally done_;
  std::uint64_t bytes_ = 0;
  bool resumed_ = false, keep_ = false;
};

}  // namespace scfe::cli
