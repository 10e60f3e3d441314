// S-CFE and the methods it is compared with. They reuse the terms and solvers where they can.
//
//     scfe      ours: plan/plan.h                          dcfe      density gravity with an elastic net
//     cem-pn    pertinent negatives                        cem-pp    pertinent positives
//     pcfe      convex programs, one for each Gaussian     mip-live  linear pieces of a ReLU network
//     wachter   gradient with a growing weight             nearest   the nearest row, features put back
//
// A new method is a file, a value of Method (scfe/choices.h) and a row here. The answers of all methods are
// written and checked by the same code: valid means that the row as written gets the target class.
#pragma once

#include <span>
#include <string_view>

#include "query/query.h"
#include "query/row.h"
#include "solver/found.h"

namespace scfe {

// What is known of a question before any row is read.
struct MethodQuestion {
  const Model& model;
  const Space& space;
  const Rules& rules;
  const Options& options;
  const Model* autoencoder;
  bool targeted;  // the target class is given, for all rows or for each
};

struct MethodRow {
  Method method;
  std::string_view formula;
  std::string_view source;
  void (*check)(const MethodQuestion& question);  // throws Error if the method does not apply
  void (*solve)(const Query& query, std::span<const Row> rows, std::span<Found> found);
  bool ours = false;            // its solver says whether answers are pruned; failures get hints
  bool limits_changes = false;  // it keeps to max_changes
  bool keeps_class = false;     // it asks what keeps the predicted class, not what changes it
  std::string_view name = name_of(method);
};

std::span<const MethodRow> method_catalogue();
const MethodRow& find_method(Method method);
// Checks what all compared methods require, then what this one requires.
void check_method(const MethodQuestion& question);

}  // namespace scfe
