#include "explain.h"

#include <cmath>

#include "actionability/limits.h"
#include "actionability/links.h"
#include "support/text.h"

namespace scfe {
namespace {

Instance make_instance(const Setting& setting, std::span<const double> row,
                       const std::optional<double>& floor) {
  Instance instance;
  instance.values = setting.space.to_values(row);
  instance.floor = floor;
  instance.factual.resize(setting.space.columns());
  setting.space.to_columns(instance.values, instance.factual);
  const std::vector<float> factual(instance.factual.begin(), instance.factual.end());
  instance.anchor.resize(factual.size());
  setting.density.density->anchor(factual, instance.anchor);
  set_limits(setting.features, setting.space, instance);
  set_rules({setting.rules, setting.space, setting.writing}, setting.features, instance);
  return instance;
}

// Of each row that has limits of its own; empty: none has.
std::vector<std::vector<Feature>> limited_features(const Setting& setting, const RowsOfTarget& rows) {
  std::vector<std::vector<Feature>> own;
  if (rows.limits.empty()) return own;
  for (const std::size_t row : rows.index)
    own.push_back(limited({setting.features.begin(), setting.features.end()}, rows.limits[row]));
  return own;
}

std::string reason_of(const Setting& setting, const Options& o, const Instance& instance, const Found& found,
                      double required) {
  switch (found.status) {
    case Status::below_floor:
      return "valid, but only as typical as " +
             number(100 * quantile_of(setting.density, found.log_density)) + " % of the class; " +
             number(100 * o.plausible) + " % were asked for";
    case Status::not_found: {
      const std::string limits = blocking_limits(setting.features, setting.space, instance,
                                                 {found.nearest_support, found.nearest_w});
      std::string text = "no counterfactual";
      if (o.sparsity == "top_m") text += " with at most " + std::to_string(o.max_changes) + " changes";
      if (!found.nearest_support.empty() && found.margin < required)
        text += "; the closest misses by " + number(required - found.margin) + " logits";
      return limits.empty() ? text : text + "; limits that block: " + limits;
    }
    case Status::time_limit:
      return "time was up before a counterfactual was found";
    case Status::not_finite:
      return "the model or the density is not finite at this row";
    case Status::already:
      return "already in the wished class";
    case Status::valid:
      break;
  }
  return found.timed_out ? "time was up: a closer one may exist" : "";
}

Explanation describe(const Setting& setting, const Options& o, const Instance& instance, const Found& found,
                     double required) {
  Explanation e;
  e.status = found.status;
  e.reason = reason_of(setting, o, instance, found, required);
  e.counterfactual.resize(setting.space.inputs());
  setting.space.to_inputs(found.values, e.counterfactual);
  e.margin = found.margin;
  if (o.density != "none") {
    e.log_density = e.found() ? found.log_density : 0;
    e.quantile = e.found() ? quantile_of(setting.density, found.log_density) : 0;
  }
  e.gradients = found.gradients;
  e.timed_out = found.timed_out;
  e.proven = found.proven;
  double square = 0;
  for (std::size_t f = 0; f < found.values.size(); ++f) {
    if (found.values[f] == instance.values[f] || setting.space.is_derived(f)) continue;
    const double distance = setting.space.distance(f, instance.values[f], found.values[f]);
    e.changes.push_back({f, instance.values[f], found.values[f]});
    e.l1 += distance;
    square += distance * distance;
  }
  e.l2 = std::sqrt(square);
  return e;
}

}  // namespace

void explain_rows(const Setting& setting, const Options& options, const RowsOfTarget& rows, Deadline deadline,
                  Pool& pool, std::span<Explanation> explanations) {
  Wish wish{.target = rows.target, .margin = options.margin, .probability = {}};
  if (options.probability > 0) wish.probability = options.probability;
  const Validity validity(setting.model.scores(), wish);
  const Wished wished{setting.model, setting.space, validity, *setting.density.density};
  std::optional<double> floor;
  if (options.density != "none" && options.plausible > 0)
    floor = floor_at(setting.density, options.plausible);

  const std::vector<std::vector<Feature>> own = limited_features(setting, rows);
  const auto setting_of = [&](std::size_t i) {
    Setting limits = setting;
    if (!own.empty()) limits.features = own[i];
    return limits;
  };
  std::vector<Instance> instances;
  for (std::size_t i = 0; i < rows.index.size(); ++i)
    instances.push_back(make_instance(setting_of(i), rows.factuals[rows.index[i]], floor));
  std::vector<Found> found(instances.size());
  solve({setting, options, wished, instances, deadline, pool}, found);
  for (std::size_t i = 0; i < found.size(); ++i)
    explanations[rows.index[i]] =
        describe(setting_of(i), options, instances[i], found[i], validity.required());
}

}  // namespace scfe
