#include "report/report_data.h"

#include <algorithm>
#include <array>

#include "scfe/text.h"
#include "text/text_table.h"

namespace scfe::app {
namespace {

// The share of rows with an answer with at most 1 .. most changes. Rows that need no change are not counted.
std::vector<double> shares(const std::vector<Explanation>& explanations, std::size_t most) {
  std::vector<double> share(most, 0.0);
  double rows = 0;
  for (const Explanation& e : explanations) {
    if (e.status == Status::already) continue;
    rows += 1;
    if (e.status != Status::valid) continue;
    for (std::size_t m = std::max<std::size_t>(e.changes.size(), 1); m <= most; ++m) share[m - 1] += 1;
  }
  for (double& value : share) value /= std::max(rows, 1.0);
  return share;
}

}  // namespace

ReportData::ReportData(const Schema& schema) {
  for (const Column& column : schema.columns) features.push_back({column.feature.name, 0, 0, 0});
}

void ReportData::add(const Schema& schema, const Answer& answer) {
  const Explanation& e = answer.explanation;
  ++answers;
  if (shown.size() < cards) shown.push_back(answer);
  if (answer.first) {
    ++rows;
    ++status[e.status];
    ++targets[e.target];
    for (const std::string& limit : e.blocking) ++blocking[limit];
    found += e.found();
  }
  if (!e.found() || answer.changed.empty()) return;
  changes.push_back(static_cast<double>(answer.changed.size()));
  l2.push_back(e.l2);
  l1.push_back(e.l1);
  distance.push_back(e.distance);
  metric = e.metric;
  quantile.push_back(e.quantile);
  for (const std::size_t column : answer.changed) {
    const auto from = parse_number(answer.from[column]), to = parse_number(answer.to[column]);
    const bool numbers = from && to && !schema.columns[column].has_levels();
    FeatureCount& count = features[column];
    ++(!numbers ? count.other : *to > *from ? count.up : count.down);
  }
}

std::vector<TradeLine> trade_lines(const Question& question, const std::vector<Answer>& answers) {
  Options options = question.options;
  if (options.density == DensityKind::none || options.sparsity != SparsityKind::top_m ||
      options.solver == Solver::apg)
    return {};
  const Encoder& encoder = question.bundle.encoder;
  Table table;
  table.source = "rows";
  for (const Column& column : encoder.schema().columns) table.columns.push_back(column.feature.name);
  for (const Answer& answer : answers)
    if (answer.first && table.rows() < ReportData::trade_rows) table.add_row(answer.from);
  if (table.rows() == 0) return {};
  const Encoded encoded = encoder.encode(table);
  options.max_changes = static_cast<int>(std::min<std::size_t>(3, encoder.schema().columns.size()));
  options.fewest_first = true;
  options.time_limit = 0;
  std::vector<TradeLine> lines;
  for (const double floor : std::array{0.0, 0.10, 0.25, 0.50}) {
    options.plausible = floor;
    const std::string name =
        floor > 0 ? "as typical as " + percent(floor) + " of the class" : "no floor: valid is enough";
    lines.push_back({name, shares(question.bundle.explainer.explain(encoded.inputs, options),
                                  static_cast<std::size_t>(options.max_changes))});
  }
  return lines;
}

}  // namespace scfe::app
