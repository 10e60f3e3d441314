// Compares recourse between groups: how often there is an answer, how far it is, and what it changes, with
// bootstrap intervals.
#pragma once

#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "ask/answer.h"
#include "ask/question.h"

namespace scfe::app {

// A mean and its 95 % interval.
struct Interval {
  double mean = 0, lo = 0, hi = 0;
  bool known = false;  // enough rows for an interval
};
// Numbers: the middle 95 % of means over resampled rows. Shares, whose values are all 0 or 1: Wilson's
// interval (1927), because a group in which all rows have an answer is no proof that all would.
Interval mean_of(const std::vector<double>& values);
Interval share_of(std::size_t count, std::size_t rows);

struct AuditGroup {
  std::size_t rows = 0;      // of the group in the file
  std::size_t refused = 0;   // rows without the target class, which need an answer
  std::size_t answered = 0;  // of those
  // Of each answer. The distance is by the metric of the question.
  std::vector<double> distance, changes, quantile;
  Distance metric = Distance::l2;
  std::map<std::string, std::size_t> changed;  // feature -> answers that change it

  void add(const Schema& schema, const Answer& answer);
  void add(const AuditGroup& other);
  // The share of answers that change each feature, the most frequent first.
  std::vector<std::pair<std::string, Interval>> changed_shares() const;
  Interval changed_share(const std::string& feature) const;
  Interval answered_share() const { return share_of(answered, refused); }
};

struct Audit {
  std::string by;  // for people: the column, and whether its values were grouped
  std::vector<std::pair<std::string, AuditGroup>> groups;
};
// Groups without rows are left out. Rows whose cell is missing come last. Numbers are sorted; more than ten
// different ones are grouped by quartiles of the rows.
Audit audit_of(const std::string& column, const std::map<std::string, AuditGroup>& by_value);

// Answers all rows and compares them by group. `next` reads at most so many rows; false at the end. It warns
// of rows that are dropped. Incomplete once the stop is requested.
using NextRows = std::function<bool(Table& rows, std::size_t most)>;
Audit audit_rows(const Question& question, const NextRows& next, const std::stop_token& stop);

// Tables for people, the first row being the headings: the cost of recourse for each group, and the features
// that change most often.
using AuditCells = std::vector<std::vector<std::string>>;
AuditCells cost_cells(const Question& question, const Audit& audit);
AuditCells changed_cells(const Audit& audit);
// A note for people on how the intervals were computed.
std::string audit_note(const Question& question);

std::string audit_table(const Question& question, const Audit& audit);
std::string audit_csv(const Audit& audit, bool spreadsheet_safe);

}  // namespace scfe::app
