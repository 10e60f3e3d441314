#include "query/make_row.h"

#include <algorithm>
#include <memory>

#include "actionability/limits.h"
#include "actionability/links.h"
#include "validity/rounding.h"

namespace scfe {
namespace {

void set_place(const Fitted& fitted, std::span<const Feature> features, std::span<const double> inputs,
               Row& row) {
  row.values = fitted.space.to_values(inputs);
  row.factual.resize(fitted.space.columns());
  fitted.space.to_columns(row.values, row.factual);
  set_limits(features, fitted.space, row);
  set_rules({fitted.rules, fitted.space, fitted.writing}, features, row);
}

Row make_row(const Query& query, std::span<const double> inputs, const RowLimits* limits) {
  Row row;
  row.floor = query.floor;
  row.below_floor = query.options.below_floor;
  if (limits != nullptr && limits->log_density) row.floor = limits->log_density;
  const std::span<const Feature> features = query.fitted.features;
  if (limits != nullptr && !limits->features.empty())
    row.own =
        std::make_shared<const std::vector<Feature>>(limited({features.begin(), features.end()}, *limits));
  set_place(query.fitted, row.own ? *row.own : features, inputs, row);
  set_anchor(query.fitted, row);
  return row;
}

}  // namespace

void set_anchor(const Fitted& fitted, Row& row) {
  const std::vector<float> factual(row.factual.begin(), row.factual.end());
  row.anchor.resize(factual.size());
  fitted.density.density->anchor(factual, row.anchor);
}

std::vector<Row> make_rows(const Query& query, const TableRows& rows, std::span<const std::size_t> index) {
  std::vector<Row> made;
  Matrix inputs(index.size(), rows.factuals.cols);
  for (std::size_t k = 0; k < index.size(); ++k) {
    const std::span<const double> factual = rows.factuals[index[k]];
    std::ranges::copy(factual, inputs[k].begin());
    made.push_back(make_row(query, factual, rows.limits.empty() ? nullptr : &rows.limits[index[k]]));
  }
  const std::vector<double> required =
      required_margins(query.fitted.model, query.validity, query.fitted.schema_features, inputs, query.pool);
  for (std::size_t k = 0; k < index.size(); ++k) made[k].required = required[k];
  return made;
}

}  // namespace scfe
