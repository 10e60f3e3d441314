// row,[answer,]status,changes,changed,<the counterfactual under the training file's
// names>,[proven,][stability,room,][distance,plausibility,knee,]reason
#include <algorithm>
#include <cstdio>

#include "output/further.h"
#include "output/line_format.h"
#include "scfe/diagnostics.h"
#include "scfe/error.h"
#include "scfe/text.h"
#include "text/csv_line.h"

namespace scfe::app {
namespace {

class CsvFormat : public LineFormat {
 public:
  explicit CsvFormat(const Question& question)
      : question_(question), proves_(Diagnostics(question.bundle.explainer).can_prove(question.options)) {}

  std::string head() const override {
    const Schema& schema = question_.bundle.encoder.schema();
    const AnswerColumns own = answer_columns(schema);
    std::vector<std::string> cells = {own.row};
    if (has_ranks(question_.options)) cells.push_back(own.answer);
    cells.insert(cells.end(), {own.status, own.changes, own.changed});
    for (const Column& column : schema.columns) cells.push_back(column.feature.name);
    if (proves_) cells.push_back(own.proven);
    if (question_.options.robust > 0) cells.insert(cells.end(), {own.stability, own.room});
    if (question_.options.path) cells.insert(cells.end(), {own.distance, own.plausibility, own.knee});
    cells.push_back(own.reason);
    return row(cells);
  }

  std::string line(const Answer& answer) const override {
    const Schema& schema = question_.bundle.encoder.schema();
    const Explanation& e = answer.explanation;
    std::string changed;
    for (const std::size_t column : answer.changed)
      changed += (changed.empty() ? "" : ";") + schema.columns[column].feature.name;
    std::vector<std::string> cells = {answer.name};
    if (has_ranks(question_.options)) cells.push_back(std::to_string(answer.rank));
    cells.insert(cells.end(), {std::string(status_name(e.status)),
                               e.found() ? std::to_string(answer.changed.size()) : "", changed});
    for (const std::string& cell : answer.to) cells.push_back(e.found() ? cell : "");
    if (proves_) cells.emplace_back(e.proven() ? "true" : "");
    if (question_.options.robust > 0)
      cells.insert(cells.end(), {std::string(stability_name(e.stability)), room_text(question_, answer)});
    if (question_.options.path)
      cells.insert(cells.end(), {distance(e), plausibility(e), e.knee ? "true" : ""});
    cells.push_back(e.reason());
    return row(cells);
  }

 private:
  static std::string distance(const Explanation& e) { return e.found() ? number_text(e.distance) : ""; }
  std::string plausibility(const Explanation& e) const {
    return e.found() && question_.options.density != DensityKind::none ? number_text(e.quantile) : "";
  }
  std::string row(const std::vector<std::string>& cells) const {
    return csv_line(cells, question_.spreadsheet_safe);
  }
  const Question& question_;
  bool proves_;
};

// The header is written with the first batch, so that an earlier error leaves stdout empty.
class CsvStdout : public Sink {
 public:
  explicit CsvStdout(const Question& question) : format_(question), text_(format_.head()) {}
  void add(const Answer& answer) override { text_ += format_.line(answer); }
  void flush() override {
    const bool written = std::fwrite(text_.data(), 1, text_.size(), stdout) == text_.size();
    if (!written || std::fflush(stdout) != 0) throw Error("stdout", "room to write", "none");
    text_.clear();
  }
  void finish() override { flush(); }

 private:
  CsvFormat format_;
  std::string text_;
};

}  // namespace

std::unique_ptr<LineFormat> csv_format(const Question& question) {
  return std::make_unique<CsvFormat>(question);
}

std::unique_ptr<Sink> csv_stdout(const Question& question) { return std::make_unique<CsvStdout>(question); }

}  // namespace scfe::app
