#include "cli/predictor.h"

#include <algorithm>
#include <cmath>

namespace scfe::cli {
namespace {

constexpr std::size_t block_rows = 64;

Prediction judge(const Block& scores, std::size_t lane) {
  if (scores.features() == 1) {
    const double z = scores[0][lane], p = 1 / (1 + std::exp(-z));
    return {scores[0][lane] > 0 ? 1 : 0, {1 / (1 + std::exp(z)), p}, z};
  }
  Prediction prediction;
  float peak = scores[0][lane];
  for (std::size_t k = 1; k < scores.features(); ++k) {
    if (!(scores[k][lane] > peak)) continue;
    peak = scores[k][lane];
    prediction.winner = static_cast<int>(k);
  }
  double sum = 0;
  for (std::size_t k = 0; k < scores.features(); ++k) {
    prediction.probability.push_back(std::exp(static_cast<double>(scores[k][lane] - peak)));
    sum += prediction.probability.back();
  }
  for (double& p : prediction.probability) p /= sum;
  return prediction;
}

}  // namespace

std::vector<Prediction> Predictor::operator()(const Matrix& rows) const {
  std::vector<Prediction> predictions;
  Block x(model_->features(), block_rows), scores(model_->scores(), block_rows);
  const auto tape = model_->tape(block_rows);
  for (std::size_t first = 0; first < rows.rows; first += block_rows) {
    const std::size_t count = std::min(block_rows, rows.rows - first);
    x.set_lanes(count);
    scores.set_lanes(count);
    for (std::size_t lane = 0; lane < count; ++lane)
      for (std::size_t j = 0; j < rows.cols; ++j) x[j][lane] = static_cast<float>(rows[first + lane][j]);
    model_->forward(x, scores, *tape);
    for (std::size_t lane = 0; lane < count; ++lane) {
      const double output = output_of(*model_, scores[0][lane]);
      const bool inside = reach_ && reach_->holds(scores[0][lane]);
      predictions.push_back(reach_ ? Prediction{inside, {inside ? 0.0 : 1.0, inside ? 1.0 : 0.0}, output}
                                   : judge(scores, lane));
      predictions.back().output = output;
    }
  }
  return predictions;
}

}  // namespace scfe::cli
