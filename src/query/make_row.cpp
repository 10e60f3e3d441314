#include "query/make_row.h"

#include <algorithm>
#include <memory>

#include "actionability/limits.h"
#include "actionability/links.h"
#include "validity/rounding.h"

namespace scfe {
namespace {

// The row with its limits, without what a target class asks of it.
Row limited_row(const Fitted& fitted, const TableRows& rows, std::size_t index) {
  Row row;
  std::span<const Feature> features = fitted.features;
  if (!rows.limits.empty() && !rows.limits[index].features.empty()) {
    row.own = std::make_shared<const std::vector<Feature>>(
        limited({features.begin(), features.end()}, rows.limits[index]));
    features = *row.own;
  }
  row.values = fitted.space.to_values(rows.factuals[index]);
  row.factual.resize(fitted.space.columns());
  fitted.space.to_columns(row.values, row.factual);
  set_limits(features, fitted.space, row);
  set_rules({fitted.rules, fitted.space, fitted.writing}, features, row);
  return row;
}

Row make_row(const Query& query, const TableRows& rows, std::size_t index) {
  Row row = limited_row(query.fitted, rows, index);
  row.floor = query.floor;
  row.below_floor = query.options.below_floor;
  if (!rows.limits.empty() && rows.limits[index].log_density) row.floor = rows.limits[index].log_density;
  set_anchor(query.fitted, row);
  return row;
}

}  // namespace

Factual limits_of(const Fitted& fitted, const TableRows& rows, std::size_t index) {
  return limited_row(fitted, rows, index);
}

void set_anchor(const Fitted& fitted, Row& row) {
  const std::vector<float> factual(row.factual.begin(), row.factual.end());
  row.anchor.resize(factual.size());
  fitted.density.density->anchor(factual, row.anchor);
}

std::vector<Row> make_rows(const Query& query, const TableRows& rows, std::span<const std::size_t> index) {
  std::vector<Row> made;
  Matrix inputs(index.size(), rows.factuals.cols);
  for (std::size_t k = 0; k < index.size(); ++k) {
    std::ranges::copy(rows.factuals[index[k]], inputs[k].begin());
    made.push_back(make_row(query, rows, index[k]));
  }
  const std::vector<double> required =
      required_margins(query.fitted.model, query.validity, query.fitted.schema_features, inputs, query.pool);
  for (std::size_t k = 0; k < index.size(); ++k) made[k].required = required[k];
  return made;
}

}  // namespace scfe
