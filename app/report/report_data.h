// The data of a report: complete answers of the first rows, and counts and distances of all.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ask/answer.h"
#include "ask/question.h"
#include "report/bars.h"
#include "report/charts.h"

namespace scfe::app {

struct ReportData {
  static constexpr std::size_t cards = 200, trade_rows = 40;

  std::vector<Answer> shown;
  std::size_t rows = 0, answers = 0, found = 0;  // a row may have several answers; found: rows with one
  std::map<Status, std::size_t> status;          // number of rows with each status
  std::map<int, std::size_t> targets;
  std::map<std::string, std::size_t> blocking;              // limits named as blocking in reasons
  std::vector<FeatureCount> features;                       // in the schema's order
  std::vector<double> changes, l2, l1, distance, quantile;  // of the rows that changed
  Distance metric = Distance::l2;                           // of that distance

  explicit ReportData(const Schema& schema);
  void add(const Schema& schema, const Answer& answer);
};

// What fewer changes cost in plausibility, on the first rows; empty if the question has no such trade-off.
std::vector<TradeLine> trade_lines(const Question& question, const std::vector<Answer>& answers);

}  // namespace scfe::app
