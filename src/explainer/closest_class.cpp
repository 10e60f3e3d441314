#include "explainer/closest_class.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "answer/describe.h"
#include "method/catalogue.h"
#include "plan/catalogue.h"

namespace scfe {
namespace {

bool comes_before(const Explanation& a, const Explanation& b, bool fewest_first) {
  if (closer(a, b, fewest_first)) return true;
  return !closer(b, a, fewest_first) && a.target < b.target;
}

// One answer a row, or a path of which the last answer counts.
bool is_single(const Options& o) { return o.answers == 1 || o.path; }

// The fewest changes first, then the largest score. Scores that are no numbers come last.
void sort_by_promise(std::span<const double> scores, std::vector<ClassBounds::Bound>& order) {
  const auto rank = [&](const ClassBounds::Bound& bound) {
    const double score = scores[static_cast<std::size_t>(bound.target)];
    return std::pair(bound.changes, std::isnan(score) ? std::numeric_limits<double>::infinity() : -score);
  };
  std::ranges::stable_sort(order, {}, rank);
}

}  // namespace

void OpenClasses::set(std::span<const int> targets) {
  for (const int target : targets) order_.push_back({.target = target});
}

void OpenClasses::set(std::unique_ptr<ClassBounds> bounds, std::span<const double> scores) {
  order_.assign(bounds->bounds().begin(), bounds->bounds().end());
  sort_by_promise(scores, order_);
  bounds_ = std::move(bounds);
}

std::vector<int> OpenClasses::take(const Options& options, std::size_t width,
                                   const std::vector<Explanation>& list) {
  std::vector<int> targets;
  const std::size_t last = bounds_ ? std::min(next_ + width, order_.size()) : order_.size();
  for (; next_ < last; ++next_)
    if (may_beat(options, order_[next_], list)) targets.push_back(order_[next_].target);
  return targets;
}

bool OpenClasses::may_beat(const Options& o, const ClassBounds::Bound& bound,
                           const std::vector<Explanation>& list) const {
  const bool single = is_single(o);
  const bool full = single ? !list.empty() : list.size() == static_cast<std::size_t>(o.answers);
  return !bounds_ || !full || bounds_->may_beat(bound, list.back(), single && o.fewest_first);
}

bool has_class_bounds(const Options& o) {
  return o.density != DensityKind::none && find_method(o.method).ours && !moves_all(o);
}

void merge_answers(const Options& o, std::vector<Explanation> more, std::vector<Explanation>& list) {
  const bool single = is_single(o), first = list.empty();
  if (single || (!first && !list.front().found() && !more.front().found())) {
    if (first || comes_before(more.back(), list.back(), single && o.fewest_first)) list = std::move(more);
    return;
  }
  list.insert(list.end(), more.begin(), more.end());
  std::ranges::stable_sort(
      list, [](const Explanation& a, const Explanation& b) { return comes_before(a, b, false); });
  drop_below_floor(list);
  if (list.front().found()) std::erase_if(list, [](const Explanation& e) { return !e.found(); });
  list.resize(std::min(list.size(), static_cast<std::size_t>(o.answers)));
}

}  // namespace scfe
