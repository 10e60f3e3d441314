// A question with one limit lifted, and rows solved again under it.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "answer/describe.h"
#include "query/make_row.h"
#include "scfe/row_limits.h"

namespace scfe {

// What may hold a feature back beyond the limits of the schema.
enum class Aspect { frozen, one_way, levels, upper, lower };

struct Relaxed {
  Options options;
  std::vector<Feature> features;
  std::optional<Rules> rules = {};         // empty: as they are
  std::vector<RowLimits> row_limits = {};  // of every factual; empty: none
};

// Whose limits are lifted all together: the question's but for probability, plausibility and stability; with
// those; the schema's; all. Ranges of the schema and derived columns always stay.
enum class Whose { limits, question, schema, both };

class RelaxedSolver {
 public:
  RelaxedSolver(const Query& query, const TableRows& rows);

  bool late() const;
  std::span<const double> factual(std::size_t row) const { return rows_.factuals[row]; }
  // The question as it is, for one answer.
  Relaxed plain() const;
  Relaxed more_changes() const;
  // As many as can be tried in reasonable time; of a tree ensemble without a proof.
  Relaxed many_changes() const;
  Relaxed without(std::size_t feature, Aspect aspect) const;
  Relaxed without_rule(std::size_t rule) const;
  Relaxed without_any(Whose whose) const;

  // A feature under the limits of a row; whether they are the question's, or the row's own.
  Feature own(std::size_t row, std::size_t feature) const;
  bool limits(std::size_t row, std::size_t feature, Aspect aspect) const;
  // Rules that a question may not do without: the schema's, and those of derived columns.
  bool is_of_schema(std::size_t rule) const;
  bool derives(std::size_t rule) const;

  // The rows that the relaxed question has a valid answer for, or that meet it as they are.
  std::vector<std::pair<std::size_t, Explanation>> operator()(const Relaxed& relaxed,
                                                              std::span<const std::size_t> rows);

 private:
  bool is_fixed(std::size_t row, std::size_t feature) const;

  const Query& query_;
  const TableRows& rows_;
  std::vector<std::vector<Explanation>> answers_;
};

}  // namespace scfe
