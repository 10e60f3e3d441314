// The fixed parts of the question: the classifier, where rows live, what is wished, what is plausible.
// Shared by all threads.
#pragma once

#include "actionability/space.h"
#include "plausibility/density.h"
#include "scfe/model.h"
#include "validity/validity.h"

namespace scfe {

struct Wished {
  const Model& model;
  const Space& space;
  const Validity& validity;
  const Density& density;
};

}  // namespace scfe
