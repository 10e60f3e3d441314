// The nearest row of the target class with redundant changes undone, like NICE (Brughmans et al. 2023).
//
//     z = the nearest correctly classified training row of the class that is valid within the limits
//     repeat: of the features that can return to x_f with z still valid, undo the one that saves most
//     distance
//
// No model gradients; every feature of the answer is that of x_f or of the training row. Features that may
// not move, or not so far, are clamped to their limits first.
#include <algorithm>
#include <atomic>
#include <numeric>

#include "method/answer.h"
#include "method/methods.h"
#include "solver/written/row_check.h"

namespace scfe {
namespace {

class NearestRow {
 public:
  explicit NearestRow(const Query& query) : query_(query), space_(query.fitted.space), check_(query) {}

  void run(const Row& instance, ApgFound& point) {
    instance_ = &instance;
    required_ = instance.required;
    point.w.assign(space_.columns(), 0.0);
    std::vector<double> answer = nearest_valid();
    point.valid = point.meets_floor = !answer.empty();
    if (!point.valid) return;
    while (put_one_back(answer)) continue;
    std::vector<double> columns(space_.columns());
    space_.to_columns(answer, columns);
    for (std::size_t j = 0; j < columns.size(); ++j) point.w[j] = columns[j] - instance.factual[j];
    for (std::size_t f = 0; f < answer.size(); ++f)
      if (answer[f] == instance.values[f] && !space_.is_category(f)) point.w[space_.first(f)] = 0;
  }

 private:
  double cost(const std::vector<double>& values) const {
    double sum = 0;
    for (std::size_t f = 0; f < values.size(); ++f) sum += space_.cost(f, instance_->values[f], values[f]);
    return sum;
  }

  // A training row, clamped to the limits.
  std::vector<double> within_limits(std::span<const double> u) const {
    std::vector<double> values = space_.to_values_of_columns(u);
    for (std::size_t f = 0; f < values.size(); ++f) {
      if (space_.is_category(f)) {
        const std::vector<int>& levels = instance_->levels[f];
        if (std::ranges::find(levels, static_cast<int>(values[f])) == levels.end())
          values[f] = instance_->values[f];
        continue;
      }
      const std::size_t j = space_.first(f);
      const double w = u[j] - instance_->factual[j];
      if (w < instance_->lo[j] || w > instance_->hi[j]) {
        const double end = std::clamp(w, instance_->lo[j], instance_->hi[j]);
        values[f] = end == 0 ? instance_->values[f] : space_.to_original(j, instance_->factual[j] + end);
      }
      if (values[f] != instance_->values[f]) values[f] = query_.fitted.writing.nearest(f, values[f]);
    }
    return values;
  }

  std::vector<double> nearest_valid() {
    const Matrix& rows = query_.fitted.class_rows[static_cast<std::size_t>(query_.target)];
    std::vector<std::vector<double>> candidates;
    std::vector<double> costs;
    for (std::size_t i = 0; i < rows.rows; ++i) {
      candidates.push_back(within_limits(rows[i]));
      costs.push_back(cost(candidates.back()));
    }
    const std::vector<float> margins = check_.margins(*instance_, candidates);
    std::size_t best = candidates.size();
    for (std::size_t i = 0; i < candidates.size(); ++i)
      if (margins[i] >= required_ && !instance_->rejects(candidates[i]) &&
          (best == candidates.size() || costs[i] < costs[best]))
        best = i;
    return best == candidates.size() ? std::vector<double>{} : candidates[best];
  }

  bool put_one_back(std::vector<double>& answer) {
    std::vector<std::vector<double>> candidates;
    std::vector<double> saved;
    for (std::size_t f = 0; f < answer.size(); ++f) {
      if (answer[f] == instance_->values[f]) continue;
      candidates.push_back(answer);
      candidates.back()[f] = instance_->values[f];
      saved.push_back(space_.cost(f, instance_->values[f], answer[f]));
    }
    const std::vector<float> margins = check_.margins(*instance_, candidates);
    std::size_t best = candidates.size();
    for (std::size_t i = 0; i < candidates.size(); ++i)
      if (margins[i] >= required_ && !instance_->rejects(candidates[i]) &&
          (best == candidates.size() || saved[i] > saved[best]))
        best = i;
    if (best == candidates.size()) return false;
    answer = std::move(candidates[best]);
    return true;
  }

  const Query& query_;
  const Space& space_;
  RowCheck check_;
  const Row* instance_ = nullptr;
  double required_ = 0;
};

}  // namespace

void solve_nearest(const Query& query, std::span<const Row> rows, std::span<Found> found) {
  std::vector<ApgFound> points(rows.size());
  std::atomic<std::size_t> next = 0;
  query.pool.run([&](std::size_t) {
    NearestRow row(query);
    for (std::size_t i = next++; i < points.size(); i = next++) {
      points[i].timed_out = is_past(query.deadline);
      points[i].w.assign(query.fitted.space.columns(), 0.0);
      if (!points[i].timed_out) row.run(rows[i], points[i]);
    }
  });
  write_answers(query, rows, points, found);
}

}  // namespace scfe
