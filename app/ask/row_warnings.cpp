#include "ask/row_warnings.h"

#include <cmath>

#include "scfe/text.h"

namespace scfe::app {
namespace {

constexpr std::size_t most_ids = 100'000;

}  // namespace

void RowIds::look_at(const Table& table) {
  if (id_.empty() || twice_) return;
  const std::size_t column = table.column(id_);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string id(table.cell(row, column));
    const std::size_t place = table.first_row + row;
    const auto known = rows_.find(id);
    if (known != rows_.end()) {
      twice_ = {id, known->second, place};
      return rows_.clear();
    }
    if (rows_.size() < most_ids) rows_.emplace(id, place);
  }
}

std::vector<std::string> RowIds::warnings(const std::string& source) const {
  if (!twice_) return {};
  return {source + ": column '" + id_ + "': '" + twice_->id + "' names rows " +
          std::to_string(twice_->first) + " and " + std::to_string(twice_->again) +
          ": answers are told apart by their order alone"};
}

OwnRules::OwnRules(const Bundle& bundle)
    : encoder_(bundle.encoder),
      derived_(derived_columns(bundle.explainer.rules(), bundle.explainer.features())),
      broken_(derived_.size()) {
  for (const Feature& feature : bundle.explainer.features()) step_.push_back(*feature.step);
}

void OwnRules::look_at(const Table& table) {
  if (derived_.empty()) return;
  std::vector<std::size_t> positions;
  for (const Column& column : encoder_.schema().columns)
    positions.push_back(table.column(column.feature.name));
  std::vector<double> values(positions.size());
  const auto text = [&](std::size_t f, double value) {
    return encoder_.schema().columns[f].has_levels() ? encoder_.text(f, value) : number(value);
  };
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (std::size_t f = 0; f < values.size(); ++f)
      values[f] = encoder_.value_of(f, table.cell(row, positions[f])).value_or(NAN);
    for (std::size_t i = 0; i < broken_.size(); ++i) {
      const DerivedColumn& derived = derived_[i];
      const double formula = derived.value(values), own = values[derived.feature];
      const double rounding = 0.5 * step_[derived.feature] + 1e-6 * (1 + std::abs(formula));
      if (std::isnan(own) || std::isnan(formula) || std::abs(own - formula) <= rounding) continue;
      if (broken_[i].rows++ == 0)
        broken_[i].first = "row " + std::to_string(table.first_row + row) + ", " +
                           text(derived.feature, own) + " instead of " + text(derived.feature, formula);
    }
  }
}

std::vector<std::string> OwnRules::warnings(const std::string& source) const {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < broken_.size(); ++i)
    if (broken_[i].rows > 0)
      lines.push_back(source + ": " + counted(broken_[i].rows, "row") + " not as the rule '" +
                      derived_[i].rule + "' says (first: " + broken_[i].first +
                      "); answers recompute the column where one of its sources changes");
  return lines;
}

RowWarnings::RowWarnings(const Question& question)
    : question_(question), ids_(question.bundle.encoder.schema()), own_rules_(question.bundle) {}

void RowWarnings::warn_of_columns(const Table& table) const {
  Table used;
  used.source = table.source;
  used.columns = table.columns;
  std::erase(used.columns, question_.by);
  question_.warn(question_.bundle.encoder.warnings(used));
}

void RowWarnings::skip(const Table& batch) {
  ids_.look_at(batch);
  rows_ += batch.rows();
}

void RowWarnings::look_at(const Table& batch, const Encoded& encoded) {
  skip(batch);
  own_rules_.look_at(batch);
  if (question_.bundle.encoder.schema().missing == Missing::impute) filled_ += encoded.gaps.size();
}

void RowWarnings::warn_of_rows(const std::string& source) const {
  if (rows_ == 0) question_.warn({source + ": no rows"});
  question_.warn(own_rules_.warnings(source));
  question_.warn(ids_.warnings(source));
  if (filled_ > 0)
    question_.warn({source + ": " + counted(filled_, "missing cell") + " filled (policy: impute)"});
}

}  // namespace scfe::app
