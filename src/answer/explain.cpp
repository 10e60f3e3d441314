#include "answer/explain.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <tuple>

#include "actionability/limits.h"
#include "actionability/links.h"
#include "answer/desk.h"
#include "answer/hints.h"
#include "answer/path.h"
#include "objective/far_rows.h"
#include "solver/written/redundant.h"

namespace scfe {
namespace {

Instance plain_instance(const Setting& setting, std::span<const double> row,
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

// The same under limits of its own.
Instance make_limited(Setting setting, const RowLimits& limits, std::span<const double> row,
                      std::optional<double> floor) {
  if (limits.log_density) floor = limits.log_density;
  if (limits.features.empty()) return plain_instance(setting, row, floor);
  const auto own = std::make_shared<const std::vector<Feature>>(
      limited({setting.features.begin(), setting.features.end()}, limits));
  setting.features = *own;
  Instance instance = plain_instance(setting, row, floor);
  instance.own = own;
  return instance;
}

bool changes_something(const Explanation& e) { return e.found() && !e.changes.empty(); }

// Another level, or a number another tenth of its range away.
bool is_apart(const Space& space, std::span<const double> a, std::span<const double> b) {
  constexpr double tenth = 0.1;
  for (std::size_t f = 0; f < a.size(); ++f) {
    if (a[f] == b[f] || space.is_derived(f)) continue;
    const std::size_t column = space.first(f);
    if (space.is_category(f) || std::abs(space.to_work(column, a[f]) - space.to_work(column, b[f])) >= tenth)
      return true;
  }
  return false;
}

// What one more answer may not be: the same features, or by choice the same values.
void keep_off(const Desk& desk, const Options& o, const Explanation& answer, Instance& instance) {
  if (o.diverse == Diverse::features) return instance.taken.push_back(support_of(answer));
  const Space& space = desk.setting.space;
  instance.apart = [&space, before = instance.apart,
                    other = space.to_values(answer.counterfactual)](std::span<const double> values) {
    return (!before || before(values)) && is_apart(space, values, other);
  };
}

// Each further answer has to keep off those before, and is none of them with a needless change beside it;
// rows that have no more drop out.
void add_answers(const Desk& desk, const Options& o, std::vector<Instance> instances, Lists& lists) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < lists.size(); ++i) open.push_back(i);
  const auto padding = std::make_shared<Padding>(NeedlessJob{desk.wished, desk.validity.required()});
  for (Instance& instance : instances)
    instance.padded = [padding](const Instance& row, std::span<const double> values) {
      return (*padding)(row, values);
    };
  for (int k = 1; k < o.answers; ++k) {
    std::vector<Instance> asked;
    std::erase_if(open, [&](std::size_t i) { return !changes_something(lists[i].back()); });
    for (const std::size_t i : open) {
      keep_off(desk, o, lists[i].back(), instances[i]);
      asked.push_back(instances[i]);
    }
    if (asked.empty()) break;
    std::vector<Explanation> more = desk.solve(o, asked);
    std::vector<std::size_t> answered;
    for (std::size_t k2 = 0; k2 < open.size(); ++k2) {
      std::vector<Explanation>& list = lists[open[k2]];
      const bool of_use = more[k2].status == Status::valid || list.front().status != Status::valid;
      if (!changes_something(more[k2]) || !of_use) continue;
      list.push_back(std::move(more[k2]));
      answered.push_back(open[k2]);
    }
    open.swap(answered);
  }
  for (std::vector<Explanation>& list : lists) {
    drop_below_floor(list);
    std::ranges::stable_sort(list, [](const auto& a, const auto& b) { return closer(a, b, false); });
  }
}

}  // namespace

Instance make_instance(const Setting& setting, const RowsOfTarget& rows, std::size_t row,
                       const std::optional<double>& floor) {
  return rows.limits.empty() ? plain_instance(setting, rows.factuals[row], floor)
                             : make_limited(setting, rows.limits[row], rows.factuals[row], floor);
}

void drop_below_floor(std::vector<Explanation>& list) {
  if (std::ranges::find(list, Status::valid, &Explanation::status) != list.end())
    std::erase_if(list, [](const Explanation& e) { return e.status == Status::below_floor; });
}

std::vector<int> support_of(const Explanation& e) {
  std::vector<int> support;
  for (const FeatureChange& change : e.changes) support.push_back(static_cast<int>(change.feature));
  return support;
}

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
  for (const std::size_t row : rows.index) instances.push_back(make_instance(setting, rows, row, desk.floor));
  raise_margins_far_out(desk.wished, instances);
  Lists answers(instances.size());
  if (options.path) {
    answers = walk_path(desk, options, std::move(instances));
  } else {
    std::vector<Explanation> first = desk.solve(options, instances);
    for (std::size_t i = 0; i < first.size(); ++i) answers[i].push_back(std::move(first[i]));
    if (options.answers > 1) add_answers(desk, options, instances, answers);
  }
  for (std::size_t i = 0; i < answers.size(); ++i) {
    for (Explanation& e : answers[i]) e.target = rows.target;
    lists[rows.index[i]] = std::move(answers[i]);
  }
  if (options.hints && options.sparsity == SparsityKind::top_m && options.method == Method::scfe) {
    const HintJob job{setting, options, rows, deadline, pool};
    add_hints(job, lists);
  }
}

}  // namespace scfe
