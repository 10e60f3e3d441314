// The nearest row of the target class with redundant changes undone, like NICE (Brughmans et al. 2023).
//
// clang-format off
//     z = the nearest correctly classified training row of the class that is valid within the limits
//     repeat: of the features that can return to x_f with z still valid, undo the one that saves most distance
// clang-format on
//
// No model gradients; every feature of the answer is that of x_f or of the training row. Features that may
// not move, or not so far, are clamped to their limits first.
#include <algorithm>
#include <atomic>

#include "method/methods.h"
#include "solver/written/row_check.h"

namespace scfe {
namespace {

class NearestRow {
 public:
  explicit NearestRow(const Query& query) : query_(query), space_(query.fitted.space), check_(query) {}

  void run(const Row& row, ApgFound& point) {
    row_ = &row;
    point.w.assign(space_.columns(), 0.0);
    std::vector<double> answer = nearest_valid();
    point.valid = point.meets_floor = !answer.empty();
    if (!point.valid) return;
    while (put_one_back(answer)) continue;
    std::vector<double> columns(space_.columns());
    space_.to_columns(answer, columns);
    for (std::size_t j = 0; j < columns.size(); ++j) point.w[j] = columns[j] - row.factual[j];
    for (std::size_t f = 0; f < answer.size(); ++f)
      if (answer[f] == row.values[f] && !space_.is_category(f)) point.w[space_.first(f)] = 0;
  }

 private:
  // A training row in short form, clamped to the limits.
  std::vector<double> within_limits(std::span<const double> u) const {
    std::vector<double> values = space_.values_of_short(u);
    for (std::size_t f = 0; f < values.size(); ++f) {
      if (space_.is_category(f)) {
        const std::vector<int>& levels = row_->levels[f];
        if (std::ranges::find(levels, static_cast<int>(values[f])) == levels.end())
          values[f] = row_->values[f];
        continue;
      }
      const std::size_t j = space_.first(f);
      const double w = u[f] - row_->factual[j];
      if (w < row_->lo[j] || w > row_->hi[j]) {
        const double end = std::clamp(w, row_->lo[j], row_->hi[j]);
        values[f] = end == 0 ? row_->values[f] : space_.to_original(j, row_->factual[j] + end);
      }
      if (values[f] != row_->values[f]) values[f] = query_.fitted.writing.nearest(f, values[f]);
    }
    return values;
  }

  std::vector<double> nearest_valid() {
    const Matrix& rows = query_.fitted.class_rows[static_cast<std::size_t>(query_.target)];
    std::vector<std::vector<double>> candidates;
    std::vector<double> costs;
    for (std::size_t i = 0; i < rows.rows; ++i) {
      candidates.push_back(within_limits(rows[i]));
      costs.push_back(space_.cost(row_->values, candidates.back()));
    }
    return cheapest_valid(candidates, costs);
  }

  // Empty if none is valid.
  std::vector<double> cheapest_valid(const std::vector<std::vector<double>>& candidates,
                                     const std::vector<double>& costs) {
    const std::vector<float> margins = check_.margins(*row_, candidates);
    std::size_t best = candidates.size();
    for (std::size_t i = 0; i < candidates.size(); ++i)
      if (margins[i] >= row_->required && !row_->rejects(candidates[i]) &&
          (best == candidates.size() || costs[i] < costs[best]))
        best = i;
    return best == candidates.size() ? std::vector<double>{} : candidates[best];
  }

  bool put_one_back(std::vector<double>& answer) {
    std::vector<std::vector<double>> candidates;
    std::vector<double> costs;  // less those of the answer
    for (std::size_t f = 0; f < answer.size(); ++f) {
      if (answer[f] == row_->values[f]) continue;
      candidates.push_back(answer);
      candidates.back()[f] = row_->values[f];
      costs.push_back(-space_.cost(f, row_->values[f], answer[f]));
    }
    const std::vector<double> fewer = cheapest_valid(candidates, costs);
    if (fewer.empty()) return false;
    answer = fewer;
    return true;
  }

  const Query& query_;
  const Space& space_;
  RowCheck check_;
  const Row* row_ = nullptr;
};

}  // namespace

void solve_nearest(const Query& query, std::span<const Row> rows, std::span<Found> found) {
  std::vector<ApgFound> points(rows.size());
  std::atomic<std::size_t> next = 0;
  query.pool.run([&](std::size_t) {
    NearestRow solver(query);
    for (std::size_t i = next++; i < points.size(); i = next++) {
      points[i].timed_out = is_past(query.deadline);
      points[i].w.assign(query.fitted.space.columns(), 0.0);
      if (!points[i].timed_out) solver.run(rows[i], points[i]);
    }
  });
  write_answers(query, rows, points, found);
}

}  // namespace scfe
