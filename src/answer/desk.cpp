#include "answer/desk.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "actionability/limits.h"
#include "explainer/scoring.h"
#include "method/certify_rows.h"
#include "solver/written/redundant.h"
#include "solver/written/row_check.h"
#include "stability/robustness.h"
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

// Under a floor or a predicate the proof is over candidate values only; below the floor there is none.
bool is_proof(const Instance& instance, const Found& found) {
  return found.proven && !instance.floor && !instance.allowed && !instance.apart &&
         found.status != Status::below_floor;
}

std::string below_text(double reached, double asked) {
  // A floor lies between two rows of the class, and an answer between it and the lower one counts both.
  const bool alike = reached >= asked || percent(reached) == percent(asked);
  return "valid, but only as typical as " + (alike ? "not quite " + percent(asked) : percent(reached)) +
         " of the class; " + percent(asked) + " were asked for";
}

std::vector<std::string> all_limits(const Setting& setting, const Instance& instance, const Found& found) {
  const std::span<const Feature> features = instance.own ? *instance.own : setting.features;
  std::vector<std::string> limits =
      limits_in_force(features, setting.space, instance, {found.nearest_support, found.nearest_w});
  for (const Link& link : setting.rules.links) limits.push_back("the rule " + link.text);
  for (const Together& group : setting.rules.together) limits.push_back("the rule " + group.text);
  return limits;
}

std::string reason_of(const Setting& setting, const Options& o, const Instance& instance, const Found& found,
                      double required) {
  switch (found.status) {
    case Status::below_floor:
      return below_text(quantile_of(setting.density, found.log_density), asked_share(setting, o, instance));
    case Status::not_found: {
      // A search that is not exhaustive says no more than it knows.
      std::string text =
          is_proof(instance, found) ? "there is no counterfactual" : "no counterfactual was found";
      const bool limited = o.sparsity == "top_m" && (o.method == "scfe" || o.method == "mip-live");
      if (limited) text += " with at most " + counted(static_cast<std::size_t>(o.max_changes), "change");
      // Where no move helps, apg reports the row itself.
      if ((!found.nearest_support.empty() || o.solver == "apg") && found.margin < required)
        text += "; the closest " + shortfall(setting, o, found.margin, required);
      const std::vector<std::string> limits = all_limits(setting, instance, found);
      return limits.empty() ? text : text + "; limits in force: " + join(limits, ", ");
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
  if (found.certificate.starts_with("proven") || is_proof(instance, found))
    e.proof = Proof::closest;
  else if (found.certificate.starts_with("within"))
    e.proof = Proof::within_bound;
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
  return "no answer was found that stays valid within " + percent(o.robust) + " of the ranges (" +
         std::string(stability_name(least.proof())) + ")";
}

// How far a number may go before the decision turns, the nearer of both sides; empty: to either end of its
// range.
std::optional<double> room_either_way(const Desk& desk, const Robustness& least,
                                      const std::vector<double>& values, std::size_t feature) {
  const Feature& f = desk.setting.features[feature];
  std::optional<double> nearest;
  for (const std::optional<double>& end : {f.min, f.max}) {
    if (!end) continue;
    const double room = least.room(values, feature, *end);
    if (room < std::abs(*end - values[feature])) nearest = std::min(room, nearest.value_or(room));
  }
  return nearest;
}

// Whether it is stable; its room then, as far as time allows.
bool show_stability(const Desk& desk, const Robustness& least, const std::vector<double>& values,
                    Explanation& e) {
  e.stability = least.proof();
  e.stable_margin = least(values);
  if (!(e.stable_margin >= desk.validity.required())) return false;
  for (FeatureChange& change : e.changes) {
    if (desk.setting.space.is_category(change.feature)) continue;
    if ((e.timed_out = e.timed_out || is_past(desk.deadline))) break;
    change.room = least.room(values, change.feature, change.from);
  }
  const Space& space = desk.setting.space;
  const auto is_level = [&](const FeatureChange& change) { return space.is_category(change.feature); };
  if (e.changes.empty() || !std::ranges::all_of(e.changes, is_level)) return true;
  for (std::size_t f = 0; f < space.features(); ++f) {
    if (space.is_category(f) || space.is_derived(f)) continue;
    if ((e.timed_out = e.timed_out || is_past(desk.deadline))) break;
    if (const auto room = room_either_way(desk, least, values, f)) e.rooms.push_back({f, *room});
  }
  return true;
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
    drop_needless({wished, validity.required(), deadline}, instances, found, pool);
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

bool Desk::may_be(const Options& o, const Instance& instance, std::span<const double> values) const {
  const std::span<const Feature> features = instance.own ? *instance.own : setting.features;
  int changes = 0;
  for (std::size_t f = 0; f < values.size(); ++f) {
    if (setting.space.is_derived(f)) continue;
    changes += values[f] != instance.values[f];
    if (!may_go(features[f], instance.values[f], values[f])) return false;
  }
  return changes > 0 && changes <= o.max_changes && instance.admits(values);
}

std::vector<std::optional<Explanation>> Desk::confirm(const Options& o, std::span<const Instance> instances,
                                                      std::span<const std::vector<double>> values) const {
  const Robustness least(setting, validity, target, {o.robust, deadline});
  std::vector<Found> found(instances.size());
  std::vector<std::optional<Explanation>> confirmed(instances.size());
  pool.each(instances.size(), [&](std::size_t i) {
    if (is_past(deadline) || !may_be(o, instances[i], values[i])) return;
    const Instance* of = &instances[i];
    const Checked checked = RowCheck(wished, 1)({&of, 1}, {values[i]})[0];
    if (!(checked.margin >= validity.required()) || !checked.meets_floor) return;
    found[i].status = Status::valid;
    found[i].margin = checked.margin;
    found[i].log_density = checked.log_density;
    found[i].values = values[i];
    if (o.robust == 0) return;
    confirmed[i] = describe(setting, o, instances[i], found[i], validity.required());
    if (!show_stability(*this, least, values[i], *confirmed[i])) confirmed[i].reset();
  });
  if (o.robust > 0) return confirmed;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].status != Status::valid) continue;
    if (o.certify)
      certify_rows({setting, o, wished, target, instances.subspan(i, 1), deadline, pool}, {&found[i], 1});
    confirmed[i] = describe(setting, o, instances[i], found[i], validity.required());
  }
  return confirmed;
}

namespace {

// Margins that were tried beyond the one asked for: at `low` an answer is not stable, at `high` there is
// none.
struct MarginSearch {
  double low = 0, high = std::numeric_limits<double>::infinity();

  // What lacks, at first; then twice as much, for bounds grow loose with the distance; then between the two.
  double after_unstable(double margin, double lack, int attempt) {
    low = margin;
    if (!std::isfinite(lack)) lack = 1;
    if (high < std::numeric_limits<double>::infinity()) return 0.5 * (low + high);
    return margin + std::max(1.05 * lack + 1e-4, attempt < 3 ? 0 : margin);
  }
  double after_none(double margin) {
    high = margin;
    return 0.5 * (low + high);
  }
  bool is_narrow() const { return high - low < 0.02 * high; }
};

}  // namespace

// Answers that are not shown to be stable are asked for again with a further margin; of a tree ensemble,
// whose margins jump, only stable candidates are admitted at all.
std::vector<Explanation> Desk::solve_stably(const Options& o, std::vector<Instance> instances) const {
  constexpr int attempts = 14;
  const Robustness least(setting, validity, target, {o.robust, deadline});
  const bool filtered = setting.model.ensemble() != nullptr;
  for (Instance& instance : instances)
    if (filtered)
      instance.allowed = [&, before = instance.allowed](std::span<const double> values) {
        return (!before || before(values)) && least.holds(values);
      };
  std::vector<Explanation> explanations(instances.size());
  std::vector<MarginSearch> margins(instances.size());
  for (std::size_t i = 0; i < instances.size(); ++i) margins[i].low = instances[i].extra_margin;
  std::vector<std::size_t> open(instances.size());
  std::iota(open.begin(), open.end(), std::size_t{0});
  for (int attempt = 0; attempt < attempts && !open.empty(); ++attempt) {
    std::vector<Instance> asked;
    asked.reserve(open.size());
    for (const std::size_t i : open) asked.push_back(instances[i]);
    const std::vector<Found> found = find(o, asked);
    std::vector<char> unsettled(open.size());
    pool.each(open.size(), [&](std::size_t k) {
      Instance& instance = instances[open[k]];
      Explanation e = describe(setting, o, instance, found[k], validity.required());
      if (instance.extra_margin > 0) e.proof = Proof::none;  // of a stricter question than was asked
      if (e.found() && !show_stability(*this, least, found[k].values, e)) {
        unsettled[k] = 1;
        const double lack = validity.required() - e.stable_margin;
        e = describe(setting, o, instance, unanswered(instance), validity.required());
        e.reason = unstable_text(o, least);
        instance.extra_margin = margins[open[k]].after_unstable(instance.extra_margin, lack, attempt);
      } else if (e.status == Status::not_found && (filtered || instance.extra_margin > 0)) {
        e.reason = unstable_text(o, least) + "; " + e.reason;
        if (instance.extra_margin > 0) {
          instance.extra_margin = margins[open[k]].after_none(instance.extra_margin);
          unsettled[k] = margins[open[k]].is_narrow() ? 0 : 1;
        }
      }
      explanations[open[k]] = std::move(e);
    });
    std::vector<std::size_t> again;
    for (std::size_t k = 0; k < open.size(); ++k)
      if (unsettled[k] != 0) again.push_back(open[k]);
    open.swap(again);
    if (is_past(deadline)) break;
  }
  if (is_past(deadline))
    for (const std::size_t i : open) {
      explanations[i].status = Status::time_limit;
      explanations[i].reason =
          "time was up before an answer was shown to stay valid within " + percent(o.robust);
    }
  return explanations;
}

}  // namespace scfe
