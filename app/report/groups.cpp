// Recourse by group: charts of the means with their intervals, then the same as tables.
#include "output/asked.h"
#include "report/bars.h"
#include "report/html_text.h"
#include "report/sections.h"

namespace scfe::app {
namespace {

// On a narrow screen each line of the table becomes a block, whose cells are named by its headings.
std::string table_of(const AuditCells& lines) {
  std::string rows;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string cells;
    for (std::size_t column = 0; column < lines[i].size(); ++column) {
      const std::string text = escaped(lines[i][column]);
      cells += i == 0 ? tag("th", "", text)
                      : "<td data-name=\"" + escaped(lines[0][column]) + "\"" +
                            (column == 0 ? " class=\"group\"" : "") + ">" + text + "</td>";
    }
    rows += tag("tr", "", cells) + "\n";
  }
  return tag("table", "groups", rows) + "\n";
}

GroupMeasure mean_of_each(const Audit& audit, const std::string& title, bool is_share,
                          std::vector<double> AuditGroup::*values) {
  GroupMeasure measure{title, is_share, {}};
  for (const auto& [name, group] : audit.groups) {
    const bool any = !(group.*values).empty();
    measure.groups.push_back({name, any ? mean_of(group.*values) : Interval{}, any});
  }
  return measure;
}

GroupMeasure share_of_each(const Audit& audit, const std::string& title, std::size_t AuditGroup::*count,
                           std::size_t AuditGroup::*of) {
  GroupMeasure measure{title, true, {}};
  for (const auto& [name, group] : audit.groups) {
    const bool any = group.*of > 0;
    measure.groups.push_back({name, any ? share_of(group.*count, group.*of) : Interval{}, any});
  }
  return measure;
}

std::string charts_of(const Question& question, const Audit& audit) {
  std::string charts =
      interval_chart(share_of_each(audit, "Need an answer", &AuditGroup::refused, &AuditGroup::rows)) +
      interval_chart(share_of_each(audit, "Have an answer", &AuditGroup::answered, &AuditGroup::refused)) +
      interval_chart(mean_of_each(audit, "Features changed", false, &AuditGroup::changes)) +
      interval_chart(mean_of_each(audit, "Distance (" + std::string(name_of(question.options.distance)) + ")",
                                  false, &AuditGroup::distance));
  if (question.options.density != DensityKind::none)
    charts +=
        interval_chart(mean_of_each(audit, "As typical as ... of the class", true, &AuditGroup::quantile));
  return tag("div", "measures", charts) + "\n";
}

std::string groups_title(const Audit& audit) { return "Recourse by " + audit.by; }

// How often the answers of each group change a feature, for the features that it changes most.
std::string changed_charts(const Audit& audit) {
  constexpr std::size_t most = 5;
  std::string charts;
  for (const auto& [name, group] : audit.groups) {
    GroupMeasure measure{name, true, {}};
    for (const auto& [feature, share] : group.changed_shares())
      if (measure.groups.size() < most) measure.groups.push_back({feature, share, true});
    if (!measure.groups.empty()) charts += interval_chart(measure);
  }
  return charts.empty()
             ? ""
             : tag("h3", "", "What answers change most") + "\n" + tag("div", "measures", charts) + "\n";
}

std::string body_of(const Question& question, const Audit& audit) {
  const AuditCells changed = changed_cells(audit);
  return charts_of(question, audit) + tag("p", "soft", escaped(audit_note(question))) + "\n" +
         changed_charts(audit) +
         tag("details", "tables",
             tag("summary", "", "The same as tables") + "\n" + table_of(cost_cells(question, audit)) +
                 (changed.size() > 1 ? table_of(changed) : "")) +
         "\n";
}

}  // namespace

std::string audit_section(const Question& question, const Audit& audit) {
  return panel(groups_title(audit), body_of(question, audit));
}

std::string audit_page(const Question& question, const Audit& audit) {
  const std::string title = escaped(groups_title(audit));
  return page_opening(title) + tag("h1", "", title) + "\n" +
         tag("p", "lead", escaped(asked_title(question, question.options.target))) + "\n" +
         tag("section", "panel", body_of(question, audit)) + "\n" + page_closing();
}

}  // namespace scfe::app
