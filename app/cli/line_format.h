// Formats made of lines (CSV and JSON lines), whose files a later run can continue.
#pragma once

#include <memory>
#include <string>

#include "cli/answer.h"
#include "cli/partial_file.h"
#include "cli/question.h"
#include "cli/sinks.h"

namespace scfe::cli {

class LineFormat {
 public:
  virtual ~LineFormat() = default;
  virtual std::string head() const = 0;  // the lines before the first row, with line ends
  virtual std::string line(const Answer& answer) const = 0;
};
std::unique_ptr<LineFormat> csv_format(const Question& question);
std::unique_ptr<LineFormat> json_format(const Question& question);

// A file of lines. It is written as PATH.partial and renamed to PATH after the last row.
class LineFile : public Sink {
 public:
  LineFile(std::string path, std::unique_ptr<LineFormat> format, const std::string& key, bool resume);

  std::optional<Tally> done() const override { return file_.done(); }
  void add(const Answer& answer) override;
  void flush() override { file_.flush(); }
  void finish() override { file_.rename_to(path_); }
  void interrupt() override { file_.keep(); }

 private:
  std::string path_;
  std::unique_ptr<LineFormat> format_;
  PartialFile file_;
};

// Identifies the question and its rows. A run can be resumed only with the same key.
std::string question_key(const Question& question, const std::string& rows_opening);

}  // namespace scfe::cli
