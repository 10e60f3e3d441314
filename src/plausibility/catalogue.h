// Every density. A new one is a file of its own, a value of DensityKind (scfe/choices.h) and a row here;
// tests loop over the rows.
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
  FittedDensity (*fit)(const Matrix& rows, const DensityOptions& options);
  // What was fitted, to bytes and back to the same bits.
  void (*save)(const Density& density, ByteWriter& out);
  std::shared_ptr<const Density> (*load)(ByteReader& in);
  std::string_view name = name_of(kind);
};

std::span<const DensityRow> density_catalogue();

// Fits log q(x | y) on the rows of one class in the work space. Error if the kind has no row (automatic).
FittedDensity fit_density(DensityKind kind, const Matrix& rows, const DensityOptions& options);

// A class that could not be fitted has no density; its place is kept.
void save_density(DensityKind kind, const FittedDensity& fitted, ByteWriter& out);
FittedDensity load_density(DensityKind kind, std::size_t features, ByteReader& in);

}  // namespace scfe
