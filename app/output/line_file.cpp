#include <utility>

#include "output/line_format.h"
#include "scfe/options_json.h"
#include "scfe/text.h"
#include "scfe/version.h"

namespace scfe::app {

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

std::string question_key(const Question& question, const std::string& further) {
  Options options = question.options;
  options.threads = 0;  // does not change the answers
  std::string key = "scfe " + std::string(version());
  for (const std::string& part :
       {question.bundle.model_file.bytes, schema_text(question.bundle.encoder.schema()),
        options_json(options), question.by, join(question.ranges, "\n"), question.noun.one,
        question.noun.many, std::string(question.spreadsheet_safe ? "spreadsheet" : ""), further})
    key += ":" + std::to_string(fingerprint(part));
  return key + ":" + std::to_string(fitted_fingerprint(question.bundle.explainer));
}

}  // namespace scfe::app
