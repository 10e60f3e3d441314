// Every density by name. A new one is a file of its own and a row here; tests loop over the rows.
#pragma once

#include <span>
#include <string_view>

#include "plausibility/fit.h"
#include "support/bytes.h"

namespace scfe {

struct DensityRow {
  std::string_view name;
  std::string_view formula;
  FittedDensity (*fit)(const Matrix& rows, const DensityOptions& options);
  // What was fitted, to bytes and back to the same bits.
  void (*save)(const Density& density, ByteWriter& out);
  std::shared_ptr<const Density> (*load)(ByteReader& in);
};

std::span<const DensityRow> density_catalogue();

// Fits log q(x | y) on the rows of one class in the work space. Error naming the known ones if there is no
// such density.
FittedDensity fit_density(std::string_view name, const Matrix& rows, const DensityOptions& options);

// A class that could not be fitted has no density; its place is kept.
void save_density(std::string_view name, const FittedDensity& fitted, ByteWriter& out);
FittedDensity load_density(std::string_view name, std::size_t features, ByteReader& in);

}  // namespace scfe
