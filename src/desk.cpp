#include "desk.h"

#include <cmath>
#include <numeric>

#include "actionability/limits.h"
#include "method/certify_rows.h"
#include "robust.h"
#include "rows.h"
#include "support/text.h"

namespace scfe {
namespace {

std::string reason_of(const Setting& setting, const Options& o, const Instance& instance, const Found& found,
                      double required) {
  switch (found.status) {
    case Status::below_floor:
      return "valid, but only as typical as " +
             number(100 * quantile_of(setting.density, found.log_density)) + " % of the class; " +
             number(100 * o.plausible) + " % were asked for";
    case Status::not_found: {
      const std::span<const Feature> features = instance.own ? *instance.own : setting.features;
      const std::string limits =
          blocking_limits(features, setting.space, instance, {found.nearest_support, found.nearest_w});
      std::string text = "no counterfactual";
      const bool limited = o.sparsity == "top_m" && (o.method == "scfe" || o.method == "mip-live");
      if (limited) text += " with at most " + std::to_string(o.max_changes) + " changes";
      if (!found.nearest_support.empty() && found.margin < required)
        text += "; the closest misses by " + number(required - found.margin) +
                (o.reach.empty() || setting.model.output() == Model::Output::sigmoid ? " logits" : "");
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
  e.proven = found.certificate.starts_with("proven") ||
             (found.proven && !instance.floor && !instance.allowed && found.status != Status::below_floor);
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

Found unanswered(const Instance& instance) {
  Found found;
  found.values = instance.values;
  return found;
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
  if (o.certify) certify_rows(problem, found);
  return found;
}

std::vector<Explanation> Desk::solve(const Options& o, std::span<const Instance> instances) const {
  if (o.robust > 0) return solve_stably(o, {instances.begin(), instances.end()});
  std::vector<Explanation> explanations;
  const std::vector<Found> found = find(o, instances);
  for (std::size_t i = 0; i < found.size(); ++i)
    explanations.push_back(describe(setting, o, instances[i], found[i], validity.required()));
  return explanations;
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
      const double margin = e.found() ? least(found[k].values) : 0;
      if (e.found()) e.stability = proof_name(least.proof());
      if (instances[i].extra_margin > 0) e.proven = false;  // of a stricter question than was asked
      e.stable_margin = margin;
      if (e.found() && !(margin >= validity.required())) {
        instances[i].extra_margin += 1.05 * (validity.required() - margin) + 1e-4;
        unstable.push_back(i);
        e = describe(setting, o, instances[i], unanswered(instances[i]), validity.required());
        e.reason = "no answer stays valid within " + number(100 * o.robust) + " % of the ranges (" +
                   std::string(proof_name(least.proof())) + ")";
      }
      for (FeatureChange& change : e.changes)
        if (!setting.space.is_category(change.feature))
          change.room = least.room(found[k].values, change.feature, change.from);
      explanations[i] = std::move(e);
    }
    open.swap(unstable);
  }
  return explanations;
}

}  // namespace scfe
