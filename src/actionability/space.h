// The work space, in which distances, densities and solvers operate.
//
//     number     one column              u = (x - offset) / scale
//     category   one column per level    u = 1 for the row's level, 0 for the others
//
// A row has three forms: *values*, one per feature (a number, or the place of a level), as in files and for
// people; *columns* u; and *inputs* of the model, where a category is one-hot or a code. For fractions of
// levels a code is the weighted mean of the places, so inputs are linear in u everywhere.
//
// clang-format off
//     distance(f, from, to) = |to - from| / scale_f      numbers
//                           = 1/sqrt(2)                  two levels, unless the user gives distances
//     cost                  = weight_f distance², or weight_f distance      (proximity/proximity.h)
// clang-format on
#pragma once

#include <span>
#include <vector>

#include "actionability/scaling.h"
#include "kernel/kernels.h"
#include "proximity/proximity.h"
#include "scfe/block.h"
#include "scfe/feature.h"
#include "scfe/matrix.h"

namespace scfe {

class Space {
 public:
  Space() = default;
  // `scaling` and `weight` (of the distance) are given per model input.
  Space(std::span<const Feature> features, const Scaling& scaling, std::span<const double> weight,
        const Proximity& proximity = {});
  // For numbers only: values, columns and inputs differ by the scaling alone.
  explicit Space(const Scaling& scaling);

  std::size_t features() const { return first_.size() - 1; }
  std::size_t columns() const { return scaling_.columns(); }
  std::size_t inputs() const { return inputs_; }

  // The columns of a feature are first(f) .. first(f) + width(f) - 1.
  std::size_t first(std::size_t feature) const { return first_[feature]; }
  std::size_t width(std::size_t feature) const { return first_[feature + 1] - first_[feature]; }
  std::size_t feature_of(std::size_t column) const { return feature_of_[column]; }
  // The first input of a feature. A number has only this one.
  std::size_t input_of(std::size_t feature) const { return first_input_[feature]; }
  std::size_t input_width(std::size_t feature) const { return coded_[feature] ? 1 : width(feature); }
  bool is_category(std::size_t feature) const { return category_[feature]; }
  bool has_categories() const { return has_categories_; }
  // The category of each column, -1 for a number; empty if there are no categories.
  std::vector<int> groups() const;

  // Scales a value of a numeric column.
  double to_work(std::size_t column, double x) const { return scaling_.to_work(column, x); }
  double to_original(std::size_t column, double u) const { return scaling_.to_original(column, u); }
  // Of one column: what a change by 1 in the work space is in original units.
  double scale(std::size_t column) const { return scaling_.scale[column]; }
  // Of a number: the range of the training rows in original units, whatever the scale.
  double range(std::size_t feature) const { return scaling_.range[first_[feature]]; }
  // Column weights in the cost. A change of level moves two indicator columns, each of which has half of its
  // cost: 1/4 for squares, 1/sqrt(8) for lengths.
  std::span<const double> weight() const { return weight_; }
  const Proximity& proximity() const { return proximity_; }
  // The distance of a change of one feature, and what it costs.
  double distance(std::size_t feature, double from, double to) const;
  double cost(std::size_t feature, double from, double to) const {
    return proximity_.cost(feature_weight_[feature], distance(feature, from, to));
  }
  double cost(std::span<const double> from, std::span<const double> to) const;  // of all features

  // The features that differ, ascending, without those that are computed from others.
  std::vector<int> changed(std::span<const double> from, std::span<const double> to) const;
  std::size_t changes(std::span<const double> from, std::span<const double> to) const;  // how many

  // Marks a feature that is computed from others: its changes cost nothing.
  void derive(std::size_t feature);
  bool is_derived(std::size_t feature) const { return derived_[feature]; }

  void to_columns(std::span<const double> values, std::span<double> u) const;
  void to_inputs(std::span<const double> values, std::span<double> inputs) const;
  // Sets one feature of a row in both forms, in single precision.
  void set(std::size_t feature, double value, std::span<float> columns, std::span<float> inputs) const;
  // Throws an Error naming the feature unless exactly one of its levels is 1, or its code is valid.
  std::vector<double> to_values(std::span<const double> inputs) const;
  Matrix to_work(const Matrix& inputs) const;

  // A row in short form has one number per feature: that of its column, or the place of a category's level.
  // Training rows are kept like this, because a category may have thousands of columns.
  void to_short(std::span<const double> values, std::span<double> short_row) const;
  std::vector<double> values_of_short(std::span<const double> short_row) const;
  Matrix columns_of_short(const Matrix& rows) const;

  // The inputs of a block of points (fractions of levels allowed), and the gradient mapped back to columns.
  void decode(const Block& u, Block& inputs) const;
  void pull_back(const Block& input_gradient, Block& gradient) const;
  // Computes u = from + w and its inputs in one pass.
  void displace(const Block& from, const Block& w, Block& u, Block& inputs) const;
  // The gradient mapped back to columns: a scaled view of the input if possible, else stored in scratch.
  kernel::Scaled pulled_back(const Block& input_gradient, Block& scratch) const;

  const Scaling& scaling() const { return scaling_; }  // per column

 private:
  void add_feature(const Feature& feature, const Scaling& scaling, std::span<const double> weight);
  void scale_weights();

  Scaling scaling_;
  std::vector<std::size_t> first_ = {0}, feature_of_, first_input_;
  std::vector<std::string> names_;
  std::vector<char> category_, coded_, derived_;
  std::vector<double> weight_, feature_weight_;
  Proximity proximity_;
  std::vector<std::vector<std::vector<double>>> distances_;
  std::size_t inputs_ = 0;
  std::vector<float> offsets_, scales_;  // the scaling in single precision
  bool has_categories_ = false, has_codes_ = false;
};

}  // namespace scfe
