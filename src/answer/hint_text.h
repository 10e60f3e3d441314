// What hints and reasons say of an answer to a relaxed question.
#pragma once

#include <string>

#include "answer/relax.h"

namespace scfe {

struct LiftedLimit {
  std::size_t feature;
  Aspect aspect;
};
// A hint, and the limit that it lifts: as it leads to an answer, that one blocks.
struct Offer {
  Hint hint;
  std::string limit;
};
// A share that is written with one decimal and that an answer as typical as this meets.
double met_share(const FittedDensity& density, const Explanation& e);

// `own`: the feature as it was limited.
Offer feature_hint(const Query& query, const Feature& own, const LiftedLimit& lifted, const Explanation& e);

// An answer without any limit of the question: those that it needs lifted, together.
std::string together_text(const Query& query, const RelaxedSolver& solver, std::size_t row,
                          const Explanation& e);

// The schema's limits block, alone or beside the question's.
std::string schema_text(const Query& query, Whose whose, const Explanation& e);

}  // namespace scfe
