#include "report/html_report.h"

#include <algorithm>
#include <filesystem>

#include "output/answer_bytes.h"
#include "output/journal.h"
#include "report/html_text.h"
#include "report/sections.h"
#include "scfe/file.h"
#include "scfe/text.h"
#include "text/text_table.h"

namespace scfe::app {
namespace {

std::string title_of(const Schema& schema, const ReportData& data) {
  if (data.targets.size() != 1) return "What would change the outcome";
  return "What would it take to be " + class_name(schema, data.targets.begin()->first) + "?";
}

std::string facts(const Question& question) {
  const Options& o = question.options;
  std::string text = "Model " + std::filesystem::path(question.bundle.model_file.source).filename().string();
  text += o.sparsity == SparsityKind::top_m
              ? ", at most " + counted(static_cast<std::size_t>(o.max_changes), "change")
              : ", " + std::string(name_of(o.sparsity));
  if (o.density != DensityKind::none && o.plausible > 0)
    text += ", at least as typical as " + percent(o.plausible) + " of the target class (" +
            std::string(name_of(o.density)) + ")";
  if (o.probability > 0) text += ", probability of at least " + percent(o.probability);
  return text + ".";
}

// The limits of the schema and the question that answers had to satisfy.
std::string limits(const Question& question) {
  const Schema& schema = question.bundle.encoder.schema();
  std::vector<std::string> kept, up, down;
  for (const Column& column : schema.columns) {
    const Feature& f = column.feature;
    if (f.immutable) kept.push_back(f.name);
    if (!f.immutable && f.direction == Direction::up) up.push_back(f.name);
    if (!f.immutable && f.direction == Direction::down) down.push_back(f.name);
  }
  std::string text;
  const auto add = [&](const char* what, const std::vector<std::string>& which, const char* between) {
    if (!which.empty()) text += what + join(which, between) + ". ";
  };
  add("May not change: ", kept, ", ");
  add("May only rise: ", up, ", ");
  add("May only fall: ", down, ", ");
  add("Within: ", question.ranges, ", ");
  add("Rules: ", schema.own_rules(), "; ");
  std::vector<std::string> learned;
  for (const LearnedRule& rule : schema.learned)
    if (rule.used) learned.push_back(rule.text);
  add("Learned from the training rows: ", learned, "; ");
  return text.empty() ? "" : tag("p", "soft", escaped(text)) + "\n";
}

void write_cards(const Question& question, const ReportData& data, const Write& write) {
  std::string note = "Grey bars: values, or shares of levels, among the target class's training rows.";
  if (data.answers > data.shown.size())
    note += " The first " + std::to_string(data.shown.size()) + " of " + std::to_string(data.answers) +
            (data.answers == data.rows ? " rows." : " answers.");
  write(tag("h2", "", "Row by row") + "<p class=\"soft legend\">" + note +
        "<i class=\"dot hollow\"></i>as it is<i class=\"dot\"></i>as it would be</p>\n");
  for (const Answer& answer : data.shown) write(card(question, answer));
}

class HtmlReport : public Sink {
 public:
  HtmlReport(const Question& question, std::string path, const Resuming& resuming)
      : question_(question),
        path_(std::move(path)),
        rows_(path_, resuming.key, resuming.resume),
        data_(question.bundle.encoder.schema()) {
    rows_.replay([&](std::string_view bytes) {
      while (!bytes.empty()) keep(take_answer(bytes, journal_path(path_)));
    });
  }

  std::optional<Tally> done() const override { return rows_.done(); }
  void add(const Answer& answer) override {
    std::string bytes;
    append_answer(bytes, data_.shown.size() < ReportData::cards ? answer : outline(answer));
    rows_.write(bytes);
    rows_.count(answer);
    keep(answer);
  }
  void flush() override { rows_.flush(); }
  void interrupt() override { rows_.keep(); }

  void finish() override {
    write_page();
    rows_.discard();
  }

 private:
  void keep(const Answer& answer) {
    const Schema& schema = question_.bundle.encoder.schema();
    data_.add(schema, answer);
    if (!question_.by.empty() && answer.first) groups_[answer.group].add(schema, answer);
  }

  // For a row without a card: keeps only what the summary counts.
  static Answer outline(Answer answer) {
    for (std::size_t column = 0; column < answer.from.size(); ++column)
      if (std::ranges::find(answer.changed, column) == answer.changed.end())
        answer.from[column] = answer.to[column] = "";
    answer.explanation.counterfactual.clear();
    return answer;
  }

  void write_page() {
    AsideFile file(path_);
    write_report(question_, data_, groups_, [&](std::string_view text) { file.write(text); });
    file.commit();
  }

  const Question& question_;
  std::string path_;
  Journal rows_;
  ReportData data_;
  std::map<std::string, AuditGroup> groups_;  // by the value of the --by column
};

}  // namespace

void write_report(const Question& question, const ReportData& data,
                  const std::map<std::string, AuditGroup>& groups, const Write& write) {
  const std::string title = escaped(title_of(question.bundle.encoder.schema(), data));
  write(page_opening(title));
  write(tag("h1", "", title) + "\n" + tag("p", "soft", escaped(facts(question))) + "\n" + limits(question));
  write(summary_section(question, data));
  if (!question.by.empty()) write(audit_section(question, audit_of(question.by, groups)));
  write_cards(question, data, write);
  write(page_closing());
}

std::unique_ptr<Sink> html_report(const Question& question, const std::string& path,
                                  const Resuming& resuming) {
  return std::make_unique<HtmlReport>(question, path, resuming);
}

}  // namespace scfe::app
