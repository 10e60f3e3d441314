// Builds a query from its parts, for tests of code that needs no explainer.
#pragma once

#include <memory>

#include "query/query.h"

namespace scfe::test {

struct Parts {
  Parts(const Model& model, const Space& space, const Validity& validity, const Density& q,
        std::size_t threads = 1)
      : density{std::shared_ptr<const Density>(std::shared_ptr<void>(), &q), {}, {}},
        pool(threads),
        fitted{model, space, writing, rules, features, density, {}, {}, {}, {}},
        query(fitted, options(), validity, 1, pool) {}
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  static Options options() {
    Options options;
    options.hints = false;
    return options;
  }

  FittedDensity density;
  Writing writing;
  Rules rules;
  std::vector<Feature> features;
  Pool pool;
  Fitted fitted;
  Query query;
};

}  // namespace scfe::test
