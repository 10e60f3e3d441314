// What fitting a density takes and gives, the same for every row of the catalogue.
//
// The floor: log q(x | y) >= the rho-quantile of the class's own held-out log-densities. Held out, because
// a KDE's value at its own training rows is far above what any new row of the class reaches.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernel/kernels.h"
#include "plausibility/density.h"
#include "scfe/matrix.h"

namespace scfe {

struct DensityOptions {
  std::uint64_t seed = 0;
  int neighbours = 5;          // knn
  double bandwidth = 0;        // kde, in the density's space; 0: chosen by leave-one-out likelihood
  int max_components = 8;      // gmm, gmm_full: chosen by BIC up to this; mixture: held out, up to twice this
  double spread_floor = 0.2;   // gmm, gmm_full, mixture: least spread of a component, as a share of the
                               // feature's own
  bool plain_gravity = false;  // knn: -|x - G| in place of -|x - G|²
  bool paper = false;  // kde: normaliser h sqrt(2 pi) for any d; knn: a row counts among its neighbours
  // Numeric columns: density space coordinate = scale_j * work coordinate; empty: 1.
  std::vector<double> scale;
  // The one-hot group of each column, -1 for a number; empty: all are numbers. Rows must have exactly one
  // column of each group at 1 and the others at 0. For none, mixture (the best choice then), kde and knn.
  std::vector<int> group;
  const kernel::Kernels* kernels = nullptr;  // null: the best this machine runs
};

struct FittedDensity {
  std::shared_ptr<const Density> density;
  std::vector<double> held_out;  // sorted ascending: log-densities of the class's own rows, held out
  std::string summary;           // what was chosen, for people: "kde: bandwidth 0.31, 49 rows"
};

// Share of the held-out values that are <= log_density.
double quantile_of(const FittedDensity& fitted, double log_density);
// The rho-quantile of the held-out values, linear between two of them. rho in [0, 1].
double floor_at(const FittedDensity& fitted, double rho);

// For the rows of the catalogue.

// Throws where there are no rows, a value is not finite, the scale does not fit the columns, or the groups
// do not fit the rows.
void check_density_input(const Matrix& rows, const DensityOptions& options);
// For a density of numbers alone: throws if there are categories, naming those that take them.
void refuse_groups(const char* name, const DensityOptions& options);
// The scale with `indicator` in the columns of categories; empty if it is 1 everywhere.
std::vector<double> scale_with(double indicator, const DensityOptions& options);
// The rows in the density's space.
Matrix to_density_space(const Matrix& rows, std::span<const double> scale);
// Standard deviation (divisor n) of each column.
std::vector<double> column_spreads(const Matrix& rows);
const kernel::Kernels& chosen_kernels(const DensityOptions& options);
// Rows whose held-out value is computed: all of them, or a sample by seed where all would cost more than
// a few seconds. `cost` is that of one row, in multiplications.
std::vector<std::size_t> held_out_rows(std::size_t rows, double cost, std::uint64_t seed);
bool rows_alike(const Matrix& rows);
// A class without any spread (one row, or all alike) teaches none: a tenth of the work space's unit is
// taken, and the expected log-density of a draw from that one Gaussian stands for the held-out rows.
double spread_of_alike_rows(const DensityOptions& options);

}  // namespace scfe
