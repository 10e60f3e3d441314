// A fitted explainer as bytes, for a bundle (scfe/bundle.h). A loaded one gives the same answers, to the bit.
// The bundle stores the model and the options separately, in forms of their own.
#pragma once

#include <memory>

#include "scfe/explainer.h"
#include "support/bytes.h"

namespace scfe {

struct ExplainerBytes {
  static void save(const Explainer& explainer, ByteWriter& out);
  // Throws Error if it has a density of functions, which load() could not read back.
  static void expect_complete(const Explainer& explainer);
  static Explainer load(std::shared_ptr<const Model> model, const Options& options, ByteReader& in);
};

}  // namespace scfe
