// One question: what was fitted for the target class, what is asked of its rows, and how long it may take.
// Every stage from the plan down to the terms of the equation takes it, and the rows as a second argument.
#pragma once

#include <optional>

#include "query/fitted.h"
#include "scfe/options.h"
#include "support/deadline.h"
#include "support/parallel.h"
#include "validity/validity.h"

namespace scfe {

struct Query {
  const Fitted& fitted;
  Options options;
  Validity validity;
  int target;
  std::optional<double> floor = {};  // least log-density of an answer, unless a row has its own
  // True if rows without an answer need not be looked at further, to say how close they come.
  bool answers_only = false;
  Deadline deadline;
  Pool& pool;

  // The floor follows from options.plausible.
  Query(const Fitted& fitted, const Options& options, int target, Deadline deadline, Pool& pool);
  // For unit tests: the validity is given, and there is no floor.
  Query(const Fitted& fitted, const Options& options, const Validity& validity, int target, Pool& pool);
  // A query keeps a reference to what was fitted, so that must not be a temporary.
  Query(const Fitted&&, const Options&, int, Deadline, Pool&) = delete;
  Query(const Fitted&&, const Options&, const Validity&, int, Pool&) = delete;

  const Density& density() const { return *fitted.density.density; }
  bool has_density() const { return options.density != DensityKind::none; }

  // The same question with another effort, solver or number of changes (the target and the floor stay), or
  // about another density or other limits.
  Query with(const Options& other) const;
  Query with(const Fitted& other) const;
  Query with(const Fitted&&) const = delete;
};

}  // namespace scfe
