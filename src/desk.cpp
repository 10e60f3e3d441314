#include "desk.h"

#include <cmath>
#include <numeric>

#include "actionability/limits.h"
#include "method/certify_rows.h"
#include "robust.h"
#include "rows.h"
#include "solver/needless.h"
#include "solver/row_check.h"
#include "support/text.h"

namespace scfe {
namespace {

// How close it came.
std::string shortfall(const Setting& setting, const Options& o, double margin, double required) {
  if (o.probability > 0 && o.reach.empty())
    return "reaches a probability of " + percent(1 / (1 + std::exp(-margin)));
  const bool logits = o.reach.empty() || setting.model.output() == Model::Output::sigmoid;
  return "misses by " + rough(required - margin) + (logits ? " logits" : "");
}

// Of a row with a floor of its own, what that floor amounts to.
double asked_share(const Setting& setting, const Options& o, const Instance& instance) {
  const bool own =
      instance.floor && !(o.plausible > 0 && *instance.floor == floor_at(setting.density, o.plausible));
  return own ? quantile_of(setting.density, *instance.floor) : o.plausible;
}

std::string reason_of(const Setting& setting, const Options& o, const Instance& instance, const Found& found,
                      double required) {
  switch (found.status) {
    case Status::below_floor:
      return "valid, but only as typical as " + percent(quantile_of(setting.density, found.log_density)) +
             " of the class; " + percent(asked_share(setting, o, instance)) + " were asked for";
    case Status::not_found: {
      const std::span<const Feature> features = instance.own ? *instance.own : setting.features;
      const std::string limits =
          blocking_limits(features, setting.space, instance, {found.nearest_support, found.nearest_w});
      std::string text = "no counterfactual";
      const bool limited = o.sparsity == "top_m" && (o.method == "scfe" || o.method == "mip-live");
      if (limited) text += " with at most " + counted(static_cast<std::size_t>(o.max_changes), "change");
      if (!found.nearest_support.empty() && found.margin < required)
        text += "; the closest " + shortfall(setting, o, found.margin, required);
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
  return found.timed_out ? "time was up: a closer one may exist" : found.note;
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
  // Under a floor or a predicate the proof is over candidate values only; below the floor there is none.
  e.proven =
      found.certificate.starts_with("proven") || (found.proven && !instance.floor && !instance.allowed &&
                                                  !instance.apart && found.status != Status::below_floor);
  e.certificate = found.certificate;
  if (!found.certificate.empty()) {
    e.lower_bound = std::sqrt(found.lower_bound);
    e.reason += (e.reason.empty() ? "" : "; ") + found.certificate;
  }
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

std::shared_ptr<const Footing> footing_of(std::size_t changes, Found& found) {
  Footing footing{changes, {}, found.proven, std::move(found.beam)};
  if (found.status == Status::valid) footing.answer = std::move(found.values);
  return std::make_shared<const Footing>(std::move(footing));
}

Found unanswered(const Instance& instance) {
  Found found;
  found.values = instance.values;
  return found;
}

std::string unstable_text(const Options& o, const Robustness& least) {
  return "no answer stays valid within " + percent(o.robust) + " of the ranges (" +
         std::string(proof_name(least.proof())) + ")";
}

void show_stability(const Setting& setting, const Robustness& least, const std::vector<double>& values,
                    Explanation& e) {
  e.stability = proof_name(least.proof());
  e.stable_margin = least(values);
  for (FeatureChange& change : e.changes)
    if (!setting.space.is_category(change.feature))
      change.room = least.room(values, change.feature, change.from);
}

}  // namespace

Wish wish_of(const Options& o, const Model& model, int target) {
  Wish wish{.target = target, .margin = o.margin, .probability = {}};
  if (o.probability > 0) wish.probability = o.probability;
  wish.reach = score_reach(model, o.reach);
  return wish;
}

Desk::Desk(const Setting& s, const Options& o, int wished_class, Deadline until, Pool& threads)
    : setting(s),
      validity(s.model.scores(), wish_of(o, s.model, wished_class)),
      wished{s.model, s.space, validity, *s.density.density},
      target(wished_class),
      deadline(until),
      pool(threads) {
  if (o.density != "none" && o.plausible > 0) floor = floor_at(s.density, o.plausible);
}

std::vector<Found> Desk::find(const Options& o, std::span<const Instance> instances) const {
  std::vector<Found> found(instances.size());
  const Problem problem{setting, o, wished, target, instances, deadline, pool};
  scfe::solve(problem, found);
  if (o.method == "scfe" && o.sparsity == "top_m")
    drop_needless({wished, validity.required()}, instances, found);
  if (o.certify) certify_rows(problem, found);
  return found;
}

std::vector<Explanation> Desk::solve(const Options& o, std::span<const Instance> instances,
                                     std::vector<std::shared_ptr<const Footing>>* footing) const {
  if (o.robust > 0) return solve_stably(o, {instances.begin(), instances.end()});
  std::vector<Explanation> explanations;
  std::vector<Found> found = find(o, instances);
  for (std::size_t i = 0; i < found.size(); ++i)
    explanations.push_back(describe(setting, o, instances[i], found[i], validity.required()));
  if (footing != nullptr) {
    footing->clear();
    for (Found& one : found) footing->push_back(footing_of(static_cast<std::size_t>(o.max_changes), one));
  }
  return explanations;
}

std::optional<Explanation> Desk::confirm(const Options& o, const Instance& instance,
                                         std::vector<double> values) const {
  const std::span<const Feature> features = instance.own ? *instance.own : setting.features;
  int changes = 0;
  for (std::size_t f = 0; f < values.size(); ++f) {
    if (setting.space.is_derived(f)) continue;
    changes += values[f] != instance.values[f];
    if (!may_go(features[f], instance.values[f], values[f])) return std::nullopt;
  }
  if (changes == 0 || changes > o.max_changes || !instance.admits(values)) return std::nullopt;
  const Instance* of = &instance;
  const Checked checked = RowCheck(wished, 1)({&of, 1}, {values})[0];
  if (!(checked.margin >= validity.required()) || !checked.meets_floor) return std::nullopt;
  Found found;
  found.status = Status::valid;
  found.margin = checked.margin;
  found.log_density = checked.log_density;
  found.values = std::move(values);
  Explanation e = describe(setting, o, instance, found, validity.required());
  if (o.robust == 0) return e;
  const Robustness least(setting, validity, target, o.robust);
  show_stability(setting, least, found.values, e);
  if (!(e.stable_margin >= validity.required())) return std::nullopt;
  return e;
}

// Answers that are not shown to be stable are asked for again with what they lack as a further margin; of a
// tree ensemble, whose margins jump, only stable candidates are admitted at all.
std::vector<Explanation> Desk::solve_stably(const Options& o, std::vector<Instance> instances) const {
  constexpr int attempts = 8;
  const Robustness least(setting, validity, target, o.robust);
  if (setting.model.ensemble() != nullptr)
    for (Instance& instance : instances)
      instance.allowed = [&, before = instance.allowed](std::span<const double> values) {
        return (!before || before(values)) && least(values) >= validity.required();
      };
  std::vector<Explanation> explanations(instances.size());
  std::vector<std::size_t> open(instances.size());
  std::iota(open.begin(), open.end(), std::size_t{0});
  for (int attempt = 0; attempt < attempts && !open.empty(); ++attempt) {
    std::vector<Instance> asked;
    for (const std::size_t i : open) asked.push_back(instances[i]);
    const std::vector<Found> found = find(o, asked);
    std::vector<std::size_t> unstable;
    for (std::size_t k = 0; k < open.size(); ++k) {
      const std::size_t i = open[k];
      Explanation e = describe(setting, o, instances[i], found[k], validity.required());
      if (instances[i].extra_margin > 0) e.proven = false;  // of a stricter question than was asked
      const bool filtered = setting.model.ensemble() != nullptr || instances[i].extra_margin > 0;
      if (e.found()) show_stability(setting, least, found[k].values, e);
      if (e.found() && !(e.stable_margin >= validity.required())) {
        instances[i].extra_margin += 1.05 * (validity.required() - e.stable_margin) + 1e-4;
        unstable.push_back(i);
        e = describe(setting, o, instances[i], unanswered(instances[i]), validity.required());
        e.reason = unstable_text(o, least);
      } else if (e.status == Status::not_found && filtered) {
        e.reason = unstable_text(o, least) + "; " + e.reason;
      }
      explanations[i] = std::move(e);
    }
    open.swap(unstable);
  }
  return explanations;
}

}  // namespace scfe
