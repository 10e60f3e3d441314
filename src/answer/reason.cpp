#include "answer/reason.h"

#include <cmath>

#include "actionability/limits.h"
#include "method/catalogue.h"
#include "plan/catalogue.h"
#include "solver/proof.h"
#include "support/text.h"

namespace scfe {
namespace {

// How close the best candidate came.
std::string shortfall(const Query& query, double margin, double required) {
  const Options& o = query.options;
  if (o.probability > 0 && o.reach.empty())
    return "reaches a probability of " + percent(1 / (1 + std::exp(-margin)));
  const bool logits = o.reach.empty() || query.fitted.model.output() == Model::Output::sigmoid;
  return "misses the target by " + rough(required - margin) + (logits ? " logits" : "");
}

// The share of the class that the row's floor stands for, also if the row has a floor of its own.
double asked_share(const Query& query, const Row& row) {
  const bool own = row.floor && !(query.options.plausible > 0 &&
                                  *row.floor == floor_at(query.fitted.density, query.options.plausible));
  return own ? quantile_of(query.fitted.density, *row.floor) : query.options.plausible;
}

std::string below_text(double reached, double asked) {
  // A floor lies between two rows of the class. An answer below it may still round to the same share.
  const bool alike = reached >= asked || percent(reached) == percent(asked);
  return "valid, but less typical than asked: as typical as " +
         (alike ? "just under " + percent(asked) : percent(reached)) + " of the class, " + percent(asked) +
         " were asked for";
}

std::vector<std::string> all_limits(const Query& query, const Row& row, const Found& found) {
  const std::span<const Feature> features = row.own ? *row.own : query.fitted.features;
  std::vector<std::string> limits =
      limits_in_force(features, query.fitted.space, row, {found.nearest_support, found.nearest_w});
  std::vector<std::string> rules;
  for (const Link& link : query.fitted.rules.links) rules.push_back("the rule " + link.text);
  for (const Together& group : query.fitted.rules.together) rules.push_back("the rule " + group.text);
  for (const Implication& rule : query.fitted.rules.implications) rules.push_back("the rule " + rule.text);
  constexpr std::size_t most_named = 8;
  if (rules.size() > most_named) rules = {counted(rules.size(), "rule") + " between features"};
  limits.insert(limits.end(), rules.begin(), rules.end());
  return limits;
}

}  // namespace

std::vector<std::string> reasons_of(const Query& query, const Row& row, const Found& found) {
  const Options& o = query.options;
  switch (found.status) {
    case Status::below_floor:
      return {below_text(quantile_of(query.fitted.density, found.log_density), asked_share(query, row))};
    case Status::not_found: {
      // A search that is not exhaustive says no more than it knows.
      std::string text =
          is_proof(query, row, found) ? "there is no counterfactual" : "no counterfactual was found";
      const bool limited = o.sparsity == SparsityKind::top_m && limits_changes(o.method);
      if (limited) text += " with at most " + counted(static_cast<std::size_t>(o.max_changes), "change");
      if (row.floor && row.below_floor == BelowFloor::none)
        text += " that is as typical as " + percent(asked_share(query, row)) + " of the class";
      std::vector<std::string> parts = {std::move(text)};
      // The text is about the margin that was asked for: the row's own has an allowance for rounding, which
      // nobody asked for.
      if ((!found.nearest_support.empty() || moves_all(o)) && found.margin < query.validity.required())
        parts.push_back("the closest candidate " + shortfall(query, found.margin, query.validity.required()));
      const std::vector<std::string> limits = all_limits(query, row, found);
      if (!limits.empty()) parts.push_back("limits that apply: " + join(limits, ", "));
      return parts;
    }
    case Status::time_limit:
      return {"time was up before a counterfactual was found"};
    case Status::not_finite:
      return {"the model or the density is not finite at this row"};
    case Status::already:
      return {"already in the target class"};
    case Status::valid:
      break;
  }
  if (found.timed_out) return {"time was up: a closer one may exist"};
  if (found.note.empty()) return {};
  return {found.note};
}

}  // namespace scfe
