#include <utility>

#include "cli/line_format.h"
#include "scfe/options_json.h"
#include "scfe/version.h"

namespace scfe::cli {

LineFile::LineFile(std::string path, std::unique_ptr<LineFormat> format, const std::string& key, bool resume)
    : path_(std::move(path)), format_(std::move(format)), file_(path_, key, resume) {
  if (file_.resumed()) return;
  file_.write(format_->head());
  file_.flush();
}

void LineFile::add(const Answer& answer) {
  file_.write(format_->line(answer));
  file_.count(answer);
}

std::string question_key(const Question& question, const std::string& rows_opening) {
  Options options = question.options;
  options.threads = 0;  // does not change the answers
  const std::string text = question.bundle.model_file.bytes + schema_text(question.bundle.encoder.schema()) +
                           options_json(options) + question.by +
                           std::to_string(fitted_fingerprint(question.bundle.explainer)) + rows_opening;
  return "scfe-partial:" + std::to_string(partial_format) + ":" + std::string(version()) + ":" +
         std::to_string(fingerprint(text)) + "\n";
}

}  // namespace scfe::cli
