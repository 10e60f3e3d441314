// Texts of hints about one feature, and of the sentences for several limits lifted together. The other hint
// texts are in hints.cpp.
#pragma once

#include <string>
#include <vector>

#include "answer/relax.h"

namespace scfe {

struct LiftedLimit {
  std::size_t feature;
  Aspect aspect;
};
// A hint, and the limit that it lifts. Lifting it leads to an answer, so that limit blocks.
struct Offer {
  Hint hint;
  std::string limit;
};
// The largest value of options.plausible, in steps of 0.1 %, whose floor this answer meets.
double met_share(const FittedDensity& density, const Explanation& e);

// `own`: the feature with the limits of the row.
Offer feature_hint(const Query& query, const Feature& own, const LiftedLimit& lifted, const Explanation& e);

// Names all limits of the question that `e`, an answer without them, breaks together.
std::vector<std::string> together_texts(const Query& query, const RelaxedSolver& solver, std::size_t row,
                                        const Explanation& e);

// Says that the schema's limits block, alone or together with the question's.
std::vector<std::string> schema_texts(const Query& query, Whose whose, const Explanation& e);

}  // namespace scfe
