// What the model says about rows, as people read it.
#include "explainer/scoring.h"
#include "explainer/state.h"

namespace scfe {
namespace {

// To start a thread takes longer than the scores of a few rows.
std::size_t threads_for(std::size_t rows, int threads) {
  constexpr std::size_t few = 64;
  return rows <= few ? 1 : static_cast<std::size_t>(threads);
}

}  // namespace

std::vector<Prediction> Explainer::State::predictions_of(std::span<const std::vector<double>> scores) const {
  const std::optional<Reach> reach = score_reach(*model, fitted_options.reach);
  std::vector<Prediction> found;
  for (const std::vector<double>& own : scores) {
    const int won = winner(own, reach);
    const bool inside = won == 1;
    found.push_back(
        {won, reach ? std::vector<double>{inside ? 0.0 : 1.0, inside ? 1.0 : 0.0} : probabilities_of(own),
         output_of(*model, own[0])});
  }
  return found;
}

std::vector<Prediction> Explainer::predictions(const Matrix& rows, std::optional<int> threads) const {
  check_rows(rows, state_->model->features(), "rows");
  Pool pool(threads_for(rows.rows, threads.value_or(state_->fitted_options.threads)));
  return state_->predictions_of(score_rows(*state_->model, rows, pool));
}

std::vector<Prediction> Explainer::predictions_of_values(const Matrix& values) const {
  check_values(state_->features, values, "rows");
  Pool pool(threads_for(values.rows, state_->fitted_options.threads));
  return state_->predictions_of(score_values(*state_->model, state_->space, values, pool));
}

std::vector<int> Explainer::predict(const Matrix& rows) const {
  std::vector<int> classes;
  for (const Prediction& prediction : predictions(rows)) classes.push_back(prediction.winner);
  return classes;
}

}  // namespace scfe
