// Tables of recourse by group.
#include "report/html_text.h"
#include "report/sections.h"

namespace scfe::app {
namespace {

std::string table_of(const AuditCells& lines) {
  std::string rows;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string cells;
    for (std::size_t column = 0; column < lines[i].size(); ++column)
      cells += tag(i == 0 ? "th" : "td", i > 0 && column == 0 ? "to" : "", escaped(lines[i][column]));
    rows += tag("tr", "", cells) + "\n";
  }
  return tag("table", "groups", rows) + "\n";
}

std::string title_of(const Audit& audit) { return "Recourse by " + escaped(audit.by); }

std::string body_of(const Question& question, const Audit& audit) {
  const AuditCells changed = changed_cells(audit);
  return tag("p", "soft", escaped(audit_note(question))) + "\n" + table_of(cost_cells(audit)) +
         (changed.size() > 1 ? tag("h3", "", "What changes most") + "\n" + table_of(changed) : "");
}

}  // namespace

std::string audit_section(const Question& question, const Audit& audit) {
  return tag("h2", "", title_of(audit)) + "\n" + body_of(question, audit);
}

std::string audit_page(const Question& question, const Audit& audit) {
  const std::string title = title_of(audit);
  return page_opening(title) + tag("h1", "", title) + "\n" + body_of(question, audit) + page_closing();
}

}  // namespace scfe::app
