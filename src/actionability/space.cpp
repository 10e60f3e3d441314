#include "actionability/space.h"

#include <algorithm>
#include <cmath>

#include "kernel/rows_of.h"
#include "scfe/error.h"
#include "support/text.h"

namespace scfe {
namespace {

constexpr double change_of_level = 0.5;  // squared: a change of level has the length 1/sqrt(2)

}  // namespace

Space::Space(std::span<const Feature> features, const Scaling& scaling, std::span<const double> weight,
             const Proximity& proximity)
    : proximity_(proximity) {
  for (const Feature& feature : features) add_feature(feature, scaling, weight);
  if (!proximity_.squared) scale_weights();
}

// Solvers compare costs with violations and with tolerances, for costs of the order of 1. Weights such as
// 1/MAD or Gower's 1/features are therefore divided by their median, which goes into the unit.
void Space::scale_weights() {
  std::vector<double> sorted = feature_weight_;
  if (sorted.empty()) return;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::ranges::nth_element(sorted, middle);
  if (!(*middle > 0)) return;
  for (double& weight : weight_) weight /= *middle;
  for (double& weight : feature_weight_) weight /= *middle;
  proximity_.unit *= *middle;
}

Space::Space(const Scaling& scaling) {
  const std::vector<Feature> numbers(scaling.columns());
  const std::vector<double> weight(scaling.columns(), 1.0);
  *this = Space(numbers, scaling, weight);
}

void Space::add_feature(const Feature& feature, const Scaling& scaling, std::span<const double> weight) {
  const bool category = feature.is_category();
  const std::size_t columns = category ? feature.level_count() : 1;
  const double level_cost = proximity_.squared ? change_of_level : std::sqrt(change_of_level);
  first_input_.push_back(inputs_);
  for (std::size_t i = 0; i < columns; ++i) {
    feature_of_.push_back(names_.size());
    scaling_.offset.push_back(category ? 0.0 : scaling.offset[inputs_]);
    scaling_.scale.push_back(category ? 1.0 : scaling.scale[inputs_]);
    scaling_.range.push_back(category ? 1.0 : scaling.range[inputs_]);
    offsets_.push_back(static_cast<float>(scaling_.offset.back()));
    scales_.push_back(static_cast<float>(scaling_.scale.back()));
    weight_.push_back(category ? feature.weight * level_cost / 2 : weight[inputs_]);
  }
  feature_weight_.push_back(category ? feature.weight : weight[inputs_]);
  first_.push_back(first_.back() + columns);
  names_.push_back(feature.name);
  category_.push_back(category);
  coded_.push_back(category && !feature.is_one_hot());
  derived_.push_back(false);
  distances_.push_back(feature.distances);
  inputs_ += feature.width();
  has_categories_ = has_categories_ || category;
  has_codes_ = has_codes_ || coded_.back();
}

std::vector<int> Space::groups() const {
  if (!has_categories_) return {};
  std::vector<int> group;
  for (const std::size_t feature : feature_of_)
    group.push_back(category_[feature] ? static_cast<int>(feature) : -1);
  return group;
}

void Space::derive(std::size_t feature) {
  derived_[feature] = true;
  feature_weight_[feature] = 0;
  std::fill_n(weight_.begin() + static_cast<std::ptrdiff_t>(first_[feature]), width(feature), 0.0);
}

double Space::cost(std::span<const double> from, std::span<const double> to) const {
  double sum = 0;
  for (std::size_t f = 0; f < to.size(); ++f) sum += cost(f, from[f], to[f]);
  return sum;
}

std::vector<int> Space::changed(std::span<const double> from, std::span<const double> to) const {
  std::vector<int> features;
  for (std::size_t f = 0; f < to.size(); ++f)
    if (from[f] != to[f] && !derived_[f]) features.push_back(static_cast<int>(f));
  return features;
}

std::size_t Space::changes(std::span<const double> from, std::span<const double> to) const {
  std::size_t count = 0;
  for (std::size_t f = 0; f < to.size(); ++f) count += from[f] != to[f] && !derived_[f];
  return count;
}

double Space::distance(std::size_t feature, double from, double to) const {
  if (from == to || derived_[feature]) return 0;
  if (!category_[feature]) return std::abs(to - from) / scaling_.scale[first_[feature]];
  if (distances_[feature].empty()) return std::sqrt(change_of_level);
  return distances_[feature][static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
}

namespace {

// The one-hot columns of a level. A value that is none is NaN in all of them, as it would be in a number.
void set_level(std::span<double> columns, double level) {
  const bool known = level >= 0 && level < static_cast<double>(columns.size());
  std::ranges::fill(columns, known ? 0.0 : NAN);
  if (known) columns[static_cast<std::size_t>(level)] = 1;
}

}  // namespace

void Space::to_columns(std::span<const double> values, std::span<double> u) const {
  for (std::size_t f = 0; f < features(); ++f) {
    const std::size_t column = first_[f];
    if (category_[f])
      set_level(u.subspan(column, width(f)), values[f]);
    else
      u[column] = scaling_.to_work(column, values[f]);
  }
}

void Space::to_inputs(std::span<const double> values, std::span<double> inputs) const {
  for (std::size_t f = 0; f < features(); ++f) {
    const std::size_t input = first_input_[f];
    if (category_[f] && !coded_[f])
      set_level(inputs.subspan(input, width(f)), values[f]);
    else
      inputs[input] = values[f];
  }
}

void Space::set(std::size_t f, double value, std::span<float> columns, std::span<float> inputs) const {
  const std::size_t column = first_[f], input = first_input_[f];
  if (!category_[f]) {
    columns[column] = static_cast<float>(scaling_.to_work(column, value));
    inputs[input] = static_cast<float>(value);
    return;
  }
  const auto level = static_cast<std::size_t>(value);
  std::fill_n(columns.begin() + static_cast<std::ptrdiff_t>(column), width(f), 0.0F);
  columns[column + level] = 1;
  if (coded_[f]) {
    inputs[input] = static_cast<float>(value);
    return;
  }
  std::fill_n(inputs.begin() + static_cast<std::ptrdiff_t>(input), width(f), 0.0F);
  inputs[input + level] = 1;
}

std::vector<double> Space::to_values(std::span<const double> inputs) const {
  std::vector<double> values;
  for (std::size_t f = 0; f < features(); ++f) {
    const std::size_t input = first_input_[f], levels = width(f);
    values.push_back(inputs[input]);
    if (!category_[f]) continue;
    const std::string field = "feature '" + names_[f] + "'";
    if (coded_[f]) {
      const double code = inputs[input];
      if (!(code >= 0 && code < static_cast<double>(levels) && code == std::floor(code)))
        throw Error(field, "a level from 0 to " + std::to_string(levels - 1), number(code));
      continue;
    }
    const auto group = inputs.subspan(input, levels);
    const auto on = std::ranges::count(group, 1.0), off = std::ranges::count(group, 0.0);
    if (on != 1 || on + off != static_cast<std::ptrdiff_t>(levels))
      throw Error(field, "exactly one level on", std::to_string(on) + " of " + std::to_string(levels));
    values.back() = static_cast<double>(std::ranges::find(group, 1.0) - group.begin());
  }
  return values;
}

Matrix Space::to_work(const Matrix& inputs) const {
  Matrix work(inputs.rows, columns());
  for (std::size_t i = 0; i < inputs.rows; ++i) to_columns(to_values(inputs[i]), work[i]);
  return work;
}

void Space::to_short(std::span<const double> values, std::span<double> short_row) const {
  for (std::size_t f = 0; f < features(); ++f)
    short_row[f] = category_[f] ? values[f] : scaling_.to_work(first_[f], values[f]);
}

std::vector<double> Space::values_of_short(std::span<const double> short_row) const {
  std::vector<double> values(short_row.begin(), short_row.end());
  for (std::size_t f = 0; f < features(); ++f)
    if (!category_[f]) values[f] = scaling_.to_original(first_[f], short_row[f]);
  return values;
}

Matrix Space::columns_of_short(const Matrix& rows) const {
  Matrix work(rows.rows, columns());
  for (std::size_t i = 0; i < rows.rows; ++i)
    for (std::size_t f = 0; f < features(); ++f) {
      const double value = rows[i][f];
      work[i][first_[f] + (category_[f] ? static_cast<std::size_t>(value) : 0)] = category_[f] ? 1 : value;
    }
  return work;
}

void Space::decode(const Block& u, Block& inputs) const {
  const std::size_t lanes = u.padded_lanes();
  if (!has_codes_)
    return kernel::kernels().affine(inputs_, offsets_.data(), scales_.data(), kernel::rows_of(u),
                                    kernel::rows_of(inputs), lanes);
  for (std::size_t f = 0; f < features(); ++f) {
    const std::size_t column = first_[f], input = first_input_[f];
    if (!coded_[f]) {
      for (std::size_t i = 0; i < width(f); ++i) {
        const auto base = static_cast<float>(scaling_.offset[column + i]),
                   scale = static_cast<float>(scaling_.scale[column + i]);
        for (std::size_t lane = 0; lane < lanes; ++lane)
          inputs[input + i][lane] = base + scale * u[column + i][lane];
      }
      continue;
    }
    std::fill_n(inputs[input], lanes, 0.0F);
    for (std::size_t i = 1; i < width(f); ++i)
      for (std::size_t lane = 0; lane < lanes; ++lane)
        inputs[input][lane] += static_cast<float>(i) * u[column + i][lane];
  }
}

void Space::displace(const Block& from, const Block& w, Block& u, Block& inputs) const {
  const kernel::Affine scaled{offsets_.data(), scales_.data(),
                              has_codes_ ? kernel::Mutable{} : kernel::rows_of(inputs)};
  kernel::kernels().displace(columns(), kernel::rows_of(from), kernel::rows_of(w), kernel::rows_of(u), scaled,
                             u.padded_lanes());
  if (has_codes_) decode(u, inputs);
}

kernel::Scaled Space::pulled_back(const Block& input_gradient, Block& scratch) const {
  if (!has_codes_) return {kernel::rows_of(input_gradient), scales_.data()};
  pull_back(input_gradient, scratch);
  return {kernel::read_only(scratch), nullptr};
}

void Space::pull_back(const Block& input_gradient, Block& gradient) const {
  const std::size_t lanes = gradient.padded_lanes();
  if (!has_codes_)
    return kernel::kernels().affine(inputs_, nullptr, scales_.data(), kernel::rows_of(input_gradient),
                                    kernel::rows_of(gradient), lanes);
  for (std::size_t f = 0; f < features(); ++f) {
    const std::size_t column = first_[f], input = first_input_[f];
    for (std::size_t i = 0; i < width(f); ++i) {
      const float* slope = input_gradient[coded_[f] ? input : input + i];
      const auto scale = static_cast<float>(coded_[f] ? static_cast<double>(i) : scaling_.scale[column + i]);
      for (std::size_t lane = 0; lane < lanes; ++lane) gradient[column + i][lane] = scale * slope[lane];
    }
  }
}

}  // namespace scfe
