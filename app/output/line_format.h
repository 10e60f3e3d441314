// Formats made of lines (CSV and JSON lines), whose files a later run can continue.
#pragma once

#include <memory>
#include <string>

#include "ask/answer.h"
#include "ask/question.h"
#include "output/journal.h"
#include "output/sinks.h"

namespace scfe::app {

class LineFormat {
 public:
  virtual ~LineFormat() = default;
  virtual std::string head() const = 0;  // the lines before the first row, with line ends
  virtual std::string line(const Answer& answer) const = 0;
};
std::unique_ptr<LineFormat> csv_format(const Question& question);
std::unique_ptr<LineFormat> json_format(const Question& question);

// A file of lines. They are kept in a journal, and PATH is written after the last row.
class LineFile : public Sink {
 public:
  LineFile(std::string path, std::unique_ptr<LineFormat> format, const std::string& key, bool resume);

  std::optional<Tally> done() const override { return file_.done(); }
  void add(const Answer& answer) override;
  void flush() override { file_.flush(); }
  void finish() override { file_.become(path_); }
  void interrupt() override { file_.keep(); }

 private:
  std::string path_;
  std::unique_ptr<LineFormat> format_;
  Journal file_;
};

// Identifies the question. A run can be resumed only with the same key, and with the same rows so far
// (Tally::rows_checksum). `further`: whatever else the output depends on.
std::string question_key(const Question& question, const std::string& further);

}  // namespace scfe::app
