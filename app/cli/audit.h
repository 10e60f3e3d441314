// Recourse by group: how often there is an answer, how dear it is, and what it changes, with bootstrap
// intervals, so that an auditor sees who has to go farther.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/answer.h"
#include "cli/question.h"

namespace scfe::cli {

struct Interval {
  double mean = 0, lo = 0, hi = 0;  // the middle 95 % of means over resampled rows
  bool known = false;               // enough rows for an interval
};
Interval bootstrap(const std::vector<double>& values);

struct AuditGroup {
  std::size_t rows = 0;     // of the group in the file
  std::size_t refused = 0;  // of them not in the wished class: those that need an answer
  std::vector<double> found, l2, changes, quantile;  // per refused row; the last three of those answered
  std::map<std::string, std::size_t> changed;        // feature -> answers that change it

  void add(const Schema& schema, const Answer& answer);
  void add(const AuditGroup& other);
  // Share of the answers that change a feature, the most frequent first.
  std::vector<std::pair<std::string, Interval>> changed_shares() const;
  Interval changed_share(const std::string& feature) const;
};

inline const std::string missing_group = "(missing)";

struct Audit {
  std::string by;  // what the groups are: the column, and whether its values were put together
  std::vector<std::pair<std::string, AuditGroup>> groups;
};
// Groups without rows are left out. Rows whose cell is missing come last. Numbers come in their order; more
// than ten different ones are put together in quartiles of the rows.
Audit audit_of(const std::string& column, const std::map<std::string, AuditGroup>& by_value);

// The column of --by in the rows; Error naming the one that was perhaps meant, or if no class is wished for.
std::size_t group_column(const Question& question, const Table& rows);

// Cells for people, the first row the headings: what recourse costs each group, and what changes most in it.
using AuditCells = std::vector<std::vector<std::string>>;
AuditCells cost_cells(const Audit& audit);
AuditCells changed_cells(const Audit& audit);
// How they were made.
std::string audit_note(const Question& question);

std::string audit_table(const Audit& audit);
std::string audit_csv(const Audit& audit);

}  // namespace scfe::cli
