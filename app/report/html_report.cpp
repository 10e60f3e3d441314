#include "report/html_report.h"

#include <algorithm>

#include "output/answer_bytes.h"
#include "output/asked.h"
#include "output/journal.h"
#include "report/html_text.h"
#include "report/script.h"
#include "report/sections.h"
#include "scfe/file.h"

namespace scfe::app {
namespace {

// The model and every limit, once for all cards.
std::string asked_section(const Question& question) {
  std::string list;
  for (const AskedLine& line : asked_lines(question))
    list += tag("dt", "", line.what) + tag("dd", "", escaped(line.value)) + "\n";
  return panel("What was asked", tag("dl", "asked", list));
}

std::string option(const std::string& value, const std::string& text) {
  return "<option value=\"" + escaped(value) + "\">" + escaped(text) + "</option>";
}

std::string select(const std::string& name, const std::string& title, const std::string& options) {
  return tag("label", "", title + " <select name=\"" + name + "\">" + options + "</select>");
}

// Search, filters and folding. They need the script, which shows them; without it all cards are shown.
std::string tools(const Schema& schema, const std::vector<Answer>& shown) {
  std::map<Status, std::size_t> status;
  std::map<std::size_t, std::size_t> changed;
  for (const Answer& answer : shown) {
    ++status[answer.explanation.status];
    for (const std::size_t column : answer.changed) ++changed[column];
  }
  std::string outcomes = option("", "any"), features = option("", "any");
  for (const auto& [which, count] : status)
    outcomes += option(std::string(status_name(which)),
                       std::string(status_title(which)) + " (" + std::to_string(count) + ")");
  for (const auto& [column, count] : changed)
    features += option(std::to_string(column),
                       schema.columns[column].feature.name + " (" + std::to_string(count) + ")");
  return "<div class=\"tools\" hidden>" +
         tag("label", "",
             "Search <input type=\"search\" name=\"search\" placeholder=\"row, feature, value\">") +
         select("status", "Outcome", outcomes) + select("changed", "Changes", features) +
         "<button type=\"button\" name=\"fold\">Fold all</button><output></output></div>\n";
}

void write_cards(const Question& question, const ReportData& data, const Write& write) {
  constexpr std::size_t few = 6;  // cards that need no search
  std::string note = "Grey: the training rows of the target class, by value or level.";
  if (data.answers > data.shown.size())
    note += " The first " + std::to_string(data.shown.size()) + " of " + std::to_string(data.answers) +
            (data.answers == data.rows ? " rows." : " answers.");
  write(tag("h2", "", "Row by row") + "<p class=\"soft legend\">" + note +
        " <span><i class=\"dot hollow\"></i>as it is</span> "
        "<span><i class=\"dot\"></i>as it would be</span></p>\n");
  if (data.shown.size() > few) write(tools(question.bundle.encoder.schema(), data.shown));
  write("<div class=\"cards\">\n");
  for (const Answer& answer : data.shown) write(card(question, answer));
  write("</div>\n");
  if (data.shown.size() > few)
    write("<button type=\"button\" class=\"more\" hidden></button>\n" + tag("script", "", report_script) +
          "\n");
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
  // Rows that were left out for a missing cell have no class.
  const bool one = data.targets.size() == 1 && data.targets.begin()->first >= 0;
  const Target target = one ? Target(data.targets.begin()->first) : Target::any();
  const std::string title = escaped(asked_title(question, target));
  write(page_opening(title));
  write(tag("h1", "", title) + "\n");
  write(summary_tiles(question, data));
  write("<div class=\"panels\">\n" + summary_section(question, data) + asked_section(question) + "</div>\n");
  if (!question.by.empty()) write(audit_section(question, audit_of(question.by, groups)));
  write_cards(question, data, write);
  write(page_closing());
}

std::unique_ptr<Sink> html_report(const Question& question, const std::string& path,
                                  const Resuming& resuming) {
  return std::make_unique<HtmlReport>(question, path, resuming);
}

}  // namespace scfe::app
