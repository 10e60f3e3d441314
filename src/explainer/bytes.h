// A fitted explainer as bytes, for a bundle (scfe/bundle.h): a loaded one gives the same bits. The model and
// the options are stored elsewhere, in forms of their own.
#pragma once

#include <memory>

#include "scfe/explainer.h"
#include "support/bytes.h"

namespace scfe {

struct ExplainerBytes {
  static void save(const Explainer& explainer, ByteWriter& out);
  static Explainer load(std::shared_ptr<const Model> model, const Options& options, ByteReader& in);
};

}  // namespace scfe
