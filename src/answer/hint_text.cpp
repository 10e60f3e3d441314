#include "answer/hint_text.h"

#include <cmath>

#include "actionability/limits.h"
#include "actionability/links.h"
#include "stability/robustness.h"
#include "support/text.h"

namespace scfe {
namespace {

// Adds a text like "amount may become 5210" for each change that the limits of the row forbid.
void add_features(const Query& query, const RelaxedSolver& solver, std::size_t row, const Explanation& e,
                  std::vector<std::string>& broken) {
  const std::vector<double> from = query.fitted.space.to_values(solver.factual(row)),
                            to = query.fitted.space.to_values(e.counterfactual);
  for (std::size_t f = 0; f < to.size(); ++f) {
    const Feature own = solver.own(row, f);
    if (!may_go(own, from[f], to[f])) broken.push_back(own.name + " may become " + value_text(own, to[f]));
  }
}

void add_rules(const Query& query, std::span<const double> factual, const Explanation& e,
               std::vector<std::string>& broken) {
  const Fitted& s = query.fitted;
  const std::vector<double> from = s.space.to_values(factual), to = s.space.to_values(e.counterfactual);
  for (const std::string& text : s.rules.texts) {
    const Rules alone({text}, s.features);
    const Links links({alone, s.space, s.writing}, s.features, from);
    if (alone.derived.empty() && !links.hold(to)) broken.push_back("without the rule " + text);
  }
}

}  // namespace

double met_share(const FittedDensity& density, const Explanation& e) {
  int thousandths = static_cast<int>(std::floor(1000 * e.quantile));
  while (thousandths > 0 && floor_at(density, thousandths / 1000.0) > e.log_density) --thousandths;
  return thousandths / 1000.0;
}

Offer feature_hint(const Query& query, const Feature& own, const LiftedLimit& lifted, const Explanation& e) {
  const Aspect aspect = lifted.aspect;
  const double to = query.fitted.space.to_values(e.counterfactual)[lifted.feature];
  const std::string value = value_text(own, to);
  Offer offer{{.kind = Hint::Kind::feature,
               .value = static_cast<double>(lifted.feature),
               .l2 = e.l2,
               .distance = e.distance,
               .text = {}},
              own.name};
  auto& [hint, limit] = offer;
  hint.text = "possible if " + own.name;
  if (aspect == Aspect::frozen) {
    hint.text += " may change";
    limit += " may not change";
  } else if (aspect == Aspect::one_way) {
    hint.text += own.direction == Direction::up ? " may fall" : " may rise";
    limit += own.direction == Direction::up ? " may only go up" : " may only go down";
  } else if (aspect == Aspect::levels) {
    hint.text += " may become " + value;
    limit += " may not become " + value;
  }
  if (aspect != Aspect::upper && aspect != Aspect::lower) return offer;
  const bool up = aspect == Aspect::upper;
  hint.kind = up ? Hint::Kind::upper : Hint::Kind::lower;
  hint.reached = to;
  limit += up ? " <= " + value_text(own, *own.max) : " >= " + value_text(own, *own.min);
  hint.text +=
      (up ? " may exceed " + value_text(own, *own.max) : " may fall below " + value_text(own, *own.min)) +
      " (" + value + " is enough)";
  return offer;
}

std::vector<std::string> together_texts(const Query& query, const RelaxedSolver& solver, std::size_t row,
                                        const Explanation& e) {
  const Options& o = query.options;
  std::vector<std::string> broken;
  if (e.changes.size() > static_cast<std::size_t>(o.max_changes))
    broken.push_back(counted(e.changes.size(), "change"));
  add_features(query, solver, row, e, broken);
  add_rules(query, solver.factual(row), e, broken);
  const Row asked = solver.asked(row);
  if (asked.floor && e.log_density < *asked.floor) {
    const double share = met_share(query.fitted.density, e);
    broken.push_back(share > 0 ? "a floor of " + percent(share) : "no floor");
  }
  if (o.probability > 0 && !(e.margin >= asked.required))
    broken.push_back("without a probability of " + percent(o.probability));
  const Robustness least(query);
  if (o.robust > 0 && !least.holds(query.fitted.space.to_values(e.counterfactual)))
    broken.push_back("need not be robust within " + percent(o.robust));
  if (broken.size() == 1) return {"possible if one limit is lifted: " + broken[0]};
  return {"no answer was found by lifting one limit of the question alone (up to " +
              counted(static_cast<std::size_t>(solver.many_changes().options.max_changes), "change") +
              " tried)",
          "possible if these are lifted together: " + join(broken, ", ")};
}

std::vector<std::string> schema_texts(const Query& query, Whose whose, const Explanation& e) {
  std::vector<std::string> names;
  for (const FeatureChange& change : e.changes)
    if (!may_go(query.fitted.schema_features[change.feature], change.from, change.to))
      names.push_back(query.fitted.schema_features[change.feature].name);
  const std::string closest = names.empty() ? "" : ": the closest would change " + join(names, ", ");
  if (whose != Whose::schema)
    return {"limits of the question and limits of the schema block together" + closest};
  return {"possible without limits of the schema",
          "lifting limits of the question alone was tried and is not enough" + closest};
}

}  // namespace scfe
