// A table of categories and numbers, trees and a network: one explainer of each, and rows to ask about.
#pragma once

#include <string>

#include "scfe/bundle.h"
#include "tests/helper/clouds.h"
#include "tests/helper/credit.h"

namespace scfe::test {

struct Example {
  std::string name;
  Explainer explainer;
  Matrix factuals;
};

inline Example credit_example() {
  Credit credit(40);
  return {"german credit", std::move(credit.explainer), std::move(credit.factuals)};
}

inline Example tree_example() {
  const auto model = open_model(read_model_file(SCFE_SOURCE_DIR "/tests/fixtures/trees/xgboost_binary.json"));
  const Training training = labelled_by(*model, 200, 3);
  Options options;
  options.density = DensityKind::none;
  return {"trees", Explainer(model, training, options), first_rows(training.rows, 25)};
}

inline Example number_example() {
  const auto model = random_network(6, 1, 3);
  const Training training = labelled_by(*model, 150, 4);
  return {"numbers", Explainer(model, training), first_rows(training.rows, 25)};
}

}  // namespace scfe::test
