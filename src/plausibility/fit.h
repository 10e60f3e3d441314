// Input and result of fitting a density, the same for every density of the catalogue.
//
// Plausibility floor: log q(x | y) >= the rho-quantile of the held-out log-densities of the class's own rows.
// They are held out because a KDE rates its own training rows far higher than any new row of the class.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernel/kernels.h"
#include "plausibility/density.h"
#include "plausibility/groups.h"
#include "plausibility/own/input_map.h"
#include "scfe/choices.h"
#include "scfe/density_model.h"
#include "scfe/matrix.h"

namespace scfe {

struct DensityOptions {
  std::uint64_t seed = 0;
  int neighbours = 5;      // knn: number of nearest rows
  double bandwidth = 0;    // kde: width in the density's space; 0: chosen by leave-one-out likelihood
  int max_components = 8;  // gmm, gmm_full: BIC search up to this; mixture: cross-validation up to twice this
  double spread_floor = 0.2;  // gmm, gmm_full, mixture: least spread of a component over the feature's spread
  bool plain_gravity = false;          // knn: log q = -|x - G| instead of -|x - G|²
  Metric gravity_metric = Metric::l2;  // knn: which rows are near, and how dense they lie
  bool paper = false;  // kde: normaliser h sqrt(2 pi) for any d; knn: a row is its own neighbour
  // Numeric columns: coordinate in the density's space = scale_j * work space coordinate. Empty: all 1.
  std::vector<double> scale;
  // The one-hot group of each column, -1 for a number; empty: all columns are numbers. In each row exactly
  // one column of a group is 1 and the others are 0. Only none, mixture (best), kde and knn accept it.
  std::vector<int> group;
  // own: the user's density, which of its scores is that of the class, how its inputs follow from the
  // columns, and the places of the rows in the user's table, for errors.
  const DensityModel* own = nullptr;
  std::size_t own_score = 0;
  InputMap own_inputs = {};
  std::span<const std::size_t> places = {};
  const kernel::Kernels* kernels = nullptr;  // null: the fastest set this machine supports
};

struct FittedDensity {
  std::shared_ptr<const Density> density;
  std::vector<double> held_out;  // log-densities of held-out rows of the class, ascending
  std::string summary;           // for people: "kde: bandwidth 0.31, 49 rows"
};

// The share of held-out values that are <= log_density.
double quantile_of(const FittedDensity& fitted, double log_density);
// The rho-quantile of the held-out values, interpolated linearly. Throws unless 0 <= rho <= 1.
double floor_at(const FittedDensity& fitted, double rho);
// One nat in the units of log_density; 1 if the density is a likelihood.
double nat_of(const FittedDensity& fitted);

// The functions below are used by the densities of the catalogue.

// Throws if there are no rows, a value is not finite, or the scale or the groups do not fit the columns.
void check_density_input(const Matrix& rows, const DensityOptions& options);
void check_density_input(const MixedRows& rows, const DensityOptions& options);
// Throws if there are categories; the message names the densities that support them.
void refuse_groups(const char* name, const DensityOptions& options);
// The scale with `indicator` in the columns of categories; empty if both scale and group are empty.
std::vector<double> scale_with(double indicator, const DensityOptions& options);
// The rows in the density's space: each column times its scale.
Matrix to_density_space(const Matrix& rows, std::span<const double> scale);
// Standard deviation (divisor n) of each column.
std::vector<double> column_spreads(const Matrix& rows);
const kernel::Kernels& chosen_kernels(const DensityOptions& options);
// The rows whose held-out value is computed: a random order of all rows, or a sample if all would take more
// than a few seconds. `cost` is the number of multiplications for one row.
std::vector<std::size_t> held_out_rows(std::size_t rows, double cost, std::uint64_t seed);
bool rows_alike(const Matrix& rows);
// The spread to assume for a class of identical rows (or one row): a tenth of the work space's unit. Its
// held-out value is the expected log-density of a draw from that one Gaussian.
double spread_of_alike_rows(const DensityOptions& options);

}  // namespace scfe
