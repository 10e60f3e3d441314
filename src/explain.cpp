#include "explain.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "actionability/limits.h"
#include "hints.h"
#include "robust.h"
#include "support/text.h"

namespace scfe {

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
  return instance;
}

namespace {

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
    if (found.values[f] == instance.values[f]) continue;
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

// All that solving the rows of one wished class again and again has in common.
struct Desk {
  const Setting& setting;
  Validity validity;
  Wished wished;
  int target;
  std::optional<double> floor;
  Deadline deadline;
  Pool& pool;

  Desk(const Setting& setting_, const Options& o, int target_, Deadline deadline_, Pool& pool_)
      : setting(setting_),
        validity(setting_.model.scores(), wish(o, target_)),
        wished{setting_.model, setting_.space, validity, *setting_.density.density},
        target(target_),
        deadline(deadline_),
        pool(pool_) {
    if (o.density != "none" && o.plausible > 0) floor = floor_at(setting_.density, o.plausible);
  }
  static Wish wish(const Options& o, int target) {
    Wish wish{.target = target, .margin = o.margin, .probability = {}};
    if (o.probability > 0) wish.probability = o.probability;
    wish.reach = parse_reach(o.reach);
    return wish;
  }

  std::vector<Explanation> solve(const Options& o, std::span<const Instance> instances) const {
    if (o.robust > 0) return solve_stably(o, {instances.begin(), instances.end()});
    std::vector<Explanation> explanations;
    const std::vector<Found> found = find(o, instances);
    for (std::size_t i = 0; i < found.size(); ++i)
      explanations.push_back(describe(setting, o, instances[i], found[i], validity.required()));
    return explanations;
  }

 private:
  std::vector<Found> find(const Options& o, std::span<const Instance> instances) const {
    std::vector<Found> found(instances.size());
    scfe::solve({setting, o, wished, target, instances, deadline, pool}, found);
    return found;
  }
  std::vector<Explanation> solve_stably(const Options& o, std::vector<Instance> instances) const;
};

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
      e.stability = proof_name(least.proof());
      e.stable_margin = margin;
      if (e.found() && margin < validity.required()) {
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

bool changes_something(const Explanation& e) { return e.found() && !e.changes.empty(); }

std::vector<int> support_of(const Explanation& e) {
  std::vector<int> support;
  for (const FeatureChange& change : e.changes) support.push_back(static_cast<int>(change.feature));
  return support;
}

using Lists = std::vector<std::vector<Explanation>>;

// Each further answer has to change other features than those before; rows that have no more drop out.
void add_answers(const Desk& desk, const Options& o, std::vector<Instance> instances, Lists& lists) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < lists.size(); ++i) open.push_back(i);
  for (int k = 1; k < o.answers; ++k) {
    std::vector<Instance> asked;
    std::erase_if(open, [&](std::size_t i) { return !changes_something(lists[i].back()); });
    for (const std::size_t i : open) {
      instances[i].taken.push_back(support_of(lists[i].back()));
      asked.push_back(instances[i]);
    }
    if (asked.empty()) break;
    std::vector<Explanation> more = desk.solve(o, asked);
    std::vector<std::size_t> answered;
    for (std::size_t k2 = 0; k2 < open.size(); ++k2) {
      if (!changes_something(more[k2])) continue;
      lists[open[k2]].push_back(std::move(more[k2]));
      answered.push_back(open[k2]);
    }
    open.swap(answered);
  }
  for (std::vector<Explanation>& list : lists)
    std::stable_sort(list.begin(), list.end(), [](const Explanation& a, const Explanation& b) {
      return std::pair(a.status != Status::valid, a.l2) < std::pair(b.status != Status::valid, b.l2);
    });
}

// The number of changes farthest below the line from the first answer to the last.
void mark_knee(std::vector<Explanation>& path) {
  if (path.size() < 3) return;
  const double rise = path.front().l2 - path.back().l2, run = static_cast<double>(path.size() - 1);
  std::size_t knee = 0;
  double most = 0;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const double line = path.front().l2 - rise * static_cast<double>(i) / run;
    if (line - path[i].l2 > most) {
      most = line - path[i].l2;
      knee = i;
    }
  }
  if (most <= 0) return;
  path[knee].knee = true;
  if (path[knee].reason.empty()) path[knee].reason = "knee: further changes bring little";
}

// For m = 1, 2, ... the closest with at most m changes. What holds with fewer holds with more.
Lists walk_path(const Desk& desk, const Options& o, std::span<const Instance> instances) {
  Lists lists(instances.size());
  Options step = o;
  step.fewest_first = false;
  std::vector<Explanation> last(instances.size());
  for (int m = 1; m <= o.max_changes; ++m) {
    step.max_changes = m;
    std::vector<Explanation> now = desk.solve(step, instances);
    for (std::size_t i = 0; i < instances.size(); ++i) {
      const bool gained = m == 1 || closer(now[i], last[i], false);
      if (gained) last[i] = std::move(now[i]);
      last[i].allowed_changes = m;
      const bool first_failure = m == o.max_changes && lists[i].empty();
      if ((gained && last[i].found()) || first_failure) lists[i].push_back(last[i]);
    }
  }
  for (std::vector<Explanation>& path : lists) mark_knee(path);
  return lists;
}

}  // namespace

bool closer(const Explanation& a, const Explanation& b, bool fewest_first) {
  const auto rank = [&](const Explanation& e) {
    const int kind = !e.found() ? 2 : e.status == Status::below_floor ? 1 : 0;
    return std::tuple(kind, kind == 0 && fewest_first ? e.changes.size() : 0, kind == 1 ? -e.quantile : 0.0,
                      e.l2);
  };
  return rank(a) < rank(b);
}

void explain_rows(const Setting& setting, const Options& options, const RowsOfTarget& rows, Deadline deadline,
                  Pool& pool, std::span<std::vector<Explanation>> lists) {
  const Desk desk(setting, options, rows.target, deadline, pool);
  std::vector<Instance> instances;
  for (const std::size_t row : rows.index)
    instances.push_back(make_instance(setting, rows.factuals[row], desk.floor));
  Lists answers(instances.size());
  if (options.path) {
    answers = walk_path(desk, options, instances);
  } else {
    std::vector<Explanation> first = desk.solve(options, instances);
    for (std::size_t i = 0; i < first.size(); ++i) answers[i].push_back(std::move(first[i]));
    if (options.answers > 1) add_answers(desk, options, instances, answers);
  }
  for (std::size_t i = 0; i < answers.size(); ++i) {
    for (Explanation& e : answers[i]) e.target = rows.target;
    lists[rows.index[i]] = std::move(answers[i]);
  }
  if (options.hints && options.sparsity == "top_m") {
    const HintJob job{setting, options, rows, deadline, pool};
    add_hints(job, lists);
  }
}

}  // namespace scfe
