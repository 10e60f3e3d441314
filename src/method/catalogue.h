// The compared methods by name, each a composition of the terms and solvers where it is one.
//
//     scfe      ours: plan/plan.h                          dcfe      density gravity with an elastic net
//     cem-pn    what must not be there                     cem-pp    what must be there
//     pcfe      convex programs, one for each Gaussian     mip-live  linear pieces of a ReLU network
//     wachter   gradient with a growing weight             nearest   the nearest row, features put back
//
// A new one is a file, a value of Method (scfe/choices.h) and a row here. Every answer, whoever found it, is
// written and checked by the same code: valid means that the row as written gets the wished class.
#pragma once

#include <span>
#include <string_view>

#include "query/query.h"
#include "query/row.h"
#include "solver/found.h"

namespace scfe {

// What a method is asked, before any row is looked at.
struct MethodQuestion {
  const Model& model;
  const Space& space;
  const Rules& rules;
  const Options& options;
  const Model* autoencoder;
  bool targeted;  // a class is named, for all rows or for each
};

struct MethodRow {
  Method method;
  std::string_view formula;
  std::string_view source;
  void (*check)(const MethodQuestion& question);  // Error saying why the method does not apply
  void (*solve)(const Query& query, std::span<const Row> rows, std::span<Found> found);
  bool ours = false;            // its answers are pruned, and failures get hints
  bool limits_changes = false;  // it keeps to max_changes
  std::string_view name = name_of(method);
};

std::span<const MethodRow> method_catalogue();
const MethodRow& find_method(Method method);
// What holds for every method but ours, then its own check.
void check_method(const MethodQuestion& question);

}  // namespace scfe
