// An unfinished output file: PATH.partial, with PATH.partial.key next to it.
//
//     key file    the question's key (with the format and the version of the program),
//                 then a line "ROWS ANSWERED WITHOUT BYTES" after each batch of rows
//
// An error removes both files; a kill or Ctrl-C leaves them. A run with the same question can resume after
// the last batch whose bytes are complete.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "cli/answer.h"

namespace scfe::cli {

// Version of the content of .partial files, including the answers of reports (answer_bytes.h). Raise it when
// that changes.
inline constexpr int partial_format = 2;

class PartialFile {
 public:
  // With `resume`, continues an existing PATH.partial.
  PartialFile(const std::string& path, std::string key, bool resume);
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  const Tally& done() const { return done_; }  // rows so far, including those of earlier runs
  bool resumed() const { return resumed_; }
  std::string content() const;  // up to the last complete batch

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
