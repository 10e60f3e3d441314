// The list of all densities. To add one, write its file, add a value of DensityKind (scfe/choices.h) and a
// row here; tests loop over the rows.
#pragma once

#include <span>
#include <string_view>

#include "plausibility/fit.h"
#include "scfe/choices.h"
#include "support/bytes.h"

namespace scfe {

struct DensityRow {
  DensityKind kind;
  std::string_view formula;
  bool categories;  // accepts one-hot columns (DensityOptions::group)
  FittedDensity (*fit)(const Matrix& rows, const DensityOptions& options);
  // Fits the same to rows with the levels of categories; null: one column per level is needed.
  FittedDensity (*fit_levels)(const MixedRows& rows, const DensityOptions& options);
  // Write the fitted density as bytes, and read it back bit for bit.
  void (*save)(const Density& density, ByteWriter& out);
  std::shared_ptr<const Density> (*load)(ByteReader& in);
  bool is_given = false;  // by the user (DensityOptions::own): only its floors are fitted
  std::string_view name = name_of(kind);
};

std::span<const DensityRow> density_catalogue();

// Fits log q(x | y) on the rows of one class, given in the work space. Throws an Error if the kind has no row
// (automatic).
FittedDensity fit_density(DensityKind kind, const Matrix& rows, const DensityOptions& options);
// The same bits, without a column per level where the density needs none.
FittedDensity fit_density(DensityKind kind, const MixedRows& rows, const DensityOptions& options);

// A class whose density could not be fitted is saved as a single flag and loaded with density == nullptr.
void save_density(DensityKind kind, const FittedDensity& fitted, ByteWriter& out);
FittedDensity load_density(DensityKind kind, std::size_t features, ByteReader& in);

}  // namespace scfe
