// What was fitted for one class, and the limits that answers have to keep. The explainer owns all of it
// (explainer/state.h); a question may use the same parts with narrower limits or other rules.
#pragma once

#include <array>
#include <span>
#include <string>

#include "actionability/rules.h"
#include "actionability/space.h"
#include "actionability/writing.h"
#include "plausibility/fit.h"
#include "query/prepared.h"
#include "scfe/feature.h"
#include "scfe/model.h"

namespace scfe {

// The numbers of neighbours among which `tune` chooses for knn.
inline constexpr std::array tuned_neighbours = {3, 4, 5};

struct Fitted {
  const Model& model;
  const Space& space;
  const Writing& writing;
  const Rules& rules;                             // between features: the schema's and the question's
  std::span<const Feature> features;              // with the limits of the question
  const FittedDensity& density;                   // of the target class
  std::span<const FittedDensity> neighbour_grid;  // knn densities for `tune`, one for each k; else empty
  // Limits and rules of the schema, without what the question added.
  std::span<const Feature> schema_features;
  std::span<const std::string> schema_rules;
  // Of every class: correctly classified training rows in short form (Space::to_short).
  std::span<const Matrix> class_rows;
  const Model* autoencoder = nullptr;  // of the model's inputs; null: none
  Prepared* prepared = nullptr;        // null: solvers keep nothing for the next question

  Fitted with(const FittedDensity& other) const {
    return {model,          space,           writing,      rules,      features,    other,
            neighbour_grid, schema_features, schema_rules, class_rows, autoencoder, prepared};
  }
  Fitted with(std::span<const Feature> other_features, const Rules& other_rules) const {
    return {model,          space,           writing,      other_rules, other_features, density,
            neighbour_grid, schema_features, schema_rules, class_rows,  autoencoder,    prepared};
  }
};

}  // namespace scfe
