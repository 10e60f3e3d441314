// Which of the user's own densities (scfe/density_model.h) is that of a class, and whether they fit the data.
#pragma once

#include <span>

#include "actionability/space.h"
#include "plausibility/fit.h"
#include "scfe/options.h"

namespace scfe {

struct OwnDensities {
  std::vector<DensityModel> given;  // one for all classes, or one for each
  InputMap inputs;                  // from the columns of the work space; empty: these are its inputs

  // Nothing unless options.density is own. Throws Error if there are too few or too many, or if their inputs
  // or outputs are not as many as the data asks for.
  static OwnDensities of(std::span<const DensityModel> given, const Options& options, const Space& space,
                         std::size_t classes);

  // Sets what the fit of a class needs. `places`: of the class's rows in the user's table.
  void set(DensityOptions& how, std::size_t target, std::span<const std::size_t> places) const;
};

}  // namespace scfe
