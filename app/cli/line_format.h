// Formats of one line a row, which a later run can continue: CSV and JSON lines.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "cli/answer.h"
#include "cli/question.h"
#include "cli/sinks.h"
#include "cli/stream.h"

namespace scfe::cli {

class LineFormat {
 public:
  virtual ~LineFormat() = default;
  virtual std::string head() const = 0;  // before the first row, with its line end
  virtual std::string line(const Answer& answer) const = 0;
  virtual bool line_ends_in_quotes() const { return false; }  // are part of a text, not of the format
  // Whether the answer in a line as line() gives it was found.
  virtual bool found(std::string_view line) const = 0;
};
std::unique_ptr<LineFormat> csv_format(const Question& question);
std::unique_ptr<LineFormat> json_format(const Question& question);

// A file of lines. Rows go to PATH.partial, which becomes PATH when all are there. An error removes it; a
// kill or Ctrl-C leaves it, and PATH.partial.key beside it says which question it answers.
class LineFile : public Sink {
 public:
  LineFile(std::string path, std::unique_ptr<LineFormat> format, std::string key, bool resume);
  ~LineFile() override;
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  // What a former run has left.
  const Tally& done() const { return done_; }

  void add(const Answer& answer) override;
  void flush() override;
  void finish() override;
  void interrupt() override { keep_ = true; }

 private:
  struct File;
  void resume();

  std::string path_, partial_, key_path_, key_;
  std::unique_ptr<LineFormat> format_;
  std::unique_ptr<File> file_;
  Tally done_;
  bool keep_ = false;
};

// Names question and rows: whoever resumes must ask the same.
std::string question_key(const Question& question, const std::string& rows_path);

}  // namespace scfe::cli
