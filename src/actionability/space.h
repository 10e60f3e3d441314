// The work space: where distances, densities and solvers live.
//
//     number     one column              u = (x - offset) / range
//     category   one column per level    u = 1 for the level that is on, 0 for the others
//
// A row has three forms: *values*, one per feature (a number, or the place of a level), which people see and
// files hold; *columns* u; and *inputs*, what the model takes, where a category is one-hot or a code. Between
// vertices (relaxed levels) a code is the weighted mean of the places, so inputs are linear in u everywhere.
//
//     distance(f, from, to) = |to - from| / range_f, or between levels 1/sqrt(2) unless the user says
//     otherwise cost = weight_f distance²
#pragma once

#include <span>
#include <vector>

#include "actionability/scaling.h"
#include "kernel/kernels.h"
#include "scfe/block.h"
#include "scfe/feature.h"
#include "scfe/matrix.h"

namespace scfe {

class Space {
 public:
  Space() = default;
  // `scaling` and `weight` (in the distance) are given per input of the model.
  Space(std::span<const Feature> features, const Scaling& scaling, std::span<const double> weight);
  // Numbers only: values, columns and inputs are the same thing but for the scaling.
  explicit Space(Scaling scaling);

  std::size_t features() const { return first_.size() - 1; }
  std::size_t columns() const { return scaling_.columns(); }
  std::size_t inputs() const { return inputs_; }

  // The columns of a feature are first(f) .. first(f) + width(f).
  std::size_t first(std::size_t feature) const { return first_[feature]; }
  std::size_t width(std::size_t feature) const { return first_[feature + 1] - first_[feature]; }
  std::size_t feature_of(std::size_t column) const { return feature_of_[column]; }
  // The first input of a feature; a number has no other.
  std::size_t input_of(std::size_t feature) const { return first_input_[feature]; }
  std::size_t input_width(std::size_t feature) const { return coded_[feature] ? 1 : width(feature); }
  bool is_category(std::size_t feature) const { return category_[feature]; }
  bool has_categories() const { return has_categories_; }
  // For each column the number of its category, -1 for numbers; empty without categories.
  std::vector<int> groups() const;

  // Of a number's column.
  double to_work(std::size_t column, double x) const { return scaling_.to_work(column, x); }
  double to_original(std::size_t column, double u) const { return scaling_.to_original(column, u); }
  double range(std::size_t column) const { return scaling_.range[column]; }
  // Of each column in a squared distance: half a unit for a change of level, a quarter per column.
  std::span<const double> weight() const { return weight_; }
  // Of a change of one feature, and what it adds to the squared, weighted distance.
  double distance(std::size_t feature, double from, double to) const;
  double cost(std::size_t feature, double from, double to) const {
    const double d = distance(feature, from, to);
    return feature_weight_[feature] * d * d;
  }

  // A feature that follows from others: no change and no distance of its own.
  void derive(std::size_t feature);
  bool is_derived(std::size_t feature) const { return derived_[feature]; }

  void to_columns(std::span<const double> values, std::span<double> u) const;
  void to_inputs(std::span<const double> values, std::span<double> inputs) const;
  // One feature of a row, in both forms, in the model's precision.
  void set(std::size_t feature, double value, std::span<float> columns, std::span<float> inputs) const;
  // Error naming the feature unless exactly one of its levels is on, or its code is a level's.
  std::vector<double> to_values(std::span<const double> inputs) const;
  std::vector<double> to_values_of_columns(std::span<const double> u) const;
  Matrix to_work(const Matrix& inputs) const;

  // Inputs of a block of points, relaxed ones too, and the gradient back to the columns.
  void decode(const Block& u, Block& inputs) const;
  void pull_back(const Block& input_gradient, Block& gradient) const;
  // u = from + w and its inputs, in one go.
  void displace(const Block& from, const Block& w, Block& u, Block& inputs) const;
  // The gradient back to the columns, as it stands or in the scratch.
  kernel::Scaled pulled_back(const Block& input_gradient, Block& scratch) const;

  const Scaling& scaling() const { return scaling_; }  // per column

 private:
  void add_feature(const Feature& feature, const Scaling& scaling, std::span<const double> weight);

  Scaling scaling_;
  std::vector<std::size_t> first_ = {0}, feature_of_, first_input_;
  std::vector<std::string> names_;
  std::vector<char> category_, coded_, derived_;
  std::vector<double> weight_, feature_weight_;
  std::vector<std::vector<std::vector<double>>> distances_;
  std::size_t inputs_ = 0;
  std::vector<float> offsets_, ranges_;  // the scaling, as the model's block takes it
  bool has_categories_ = false, has_codes_ = false;
};

}  // namespace scfe
