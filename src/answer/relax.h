// Lifts limits of a question, and solves rows again without them.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "answer/describe.h"
#include "query/make_row.h"
#include "scfe/row_limits.h"

namespace scfe {

// The kinds of limits that a question can put on a feature.
enum class Aspect { frozen, one_way, levels, upper, lower };

struct Relaxed {
  Options options;
  std::vector<Feature> features;
  std::optional<Rules> rules = {};         // empty: unchanged
  std::vector<RowLimits> row_limits = {};  // of every factual; empty: none
};

// Which limits are lifted together. The schema's ranges and derived columns always stay.
enum class Whose {
  question_limits,  // the question's limits on features, its rules, and its number of changes
  whole_question,   // those, and probability, plausibility and stability
  schema,           // the schema's limits and rules
  both,             // all of these
};

class RelaxedSolver {
 public:
  RelaxedSolver(const Query& query, const TableRows& rows);

  bool late() const;
  std::span<const double> factual(std::size_t row) const { return rows_.factuals[row]; }
  // The question unchanged, except that it asks for one answer.
  Relaxed plain() const;
  Relaxed more_changes() const;
  // As many changes as can be tried in reasonable time; for a tree ensemble by a search without proof.
  Relaxed many_changes() const;
  Relaxed without(std::size_t feature, Aspect aspect) const;
  Relaxed without_rule(std::size_t rule) const;
  Relaxed without_any(Whose whose) const;

  // The row as the question asks about it, with its own floor and required margin.
  Row asked(std::size_t row) const;
  // A feature with the limits of a row; and whether such a limit comes from the question or from the row.
  Feature own(std::size_t row, std::size_t feature) const;
  bool limits(std::size_t row, std::size_t feature, Aspect aspect) const;
  // Rules that are never lifted for a hint: the schema's, and those that derive a column.
  bool is_of_schema(std::size_t rule) const;
  bool derives(std::size_t rule) const;

  // The rows for which the relaxed question has a valid answer, or which meet it unchanged.
  std::vector<std::pair<std::size_t, Explanation>> operator()(const Relaxed& relaxed,
                                                              std::span<const std::size_t> rows);

 private:
  bool is_fixed(std::size_t row, std::size_t feature) const;

  const Query& query_;
  const TableRows& rows_;
  std::vector<std::vector<Explanation>> answers_;
};

}  // namespace scfe
