#include "cli/predictor.h"

#include <algorithm>
#include <cmath>

namespace scfe::cli {
namespace {

Prediction judge(const std::vector<double>& scores) {
  if (scores.size() == 1) {
    const double z = scores[0];
    return {z > 0 ? 1 : 0, {1 / (1 + std::exp(z)), 1 / (1 + std::exp(-z))}, z};
  }
  Prediction prediction;
  const auto peak = std::ranges::max_element(scores);
  prediction.winner = static_cast<int>(peak - scores.begin());
  double sum = 0;
  for (const double score : scores) {
    prediction.probability.push_back(std::exp(score - *peak));
    sum += prediction.probability.back();
  }
  for (double& p : prediction.probability) p /= sum;
  return prediction;
}

}  // namespace

std::vector<Prediction> Predictor::operator()(const Matrix& rows) const {
  std::vector<Prediction> predictions;
  Pool pool(1);
  for (const std::vector<double>& scores : score_rows(*model_, rows, pool)) {
    const bool inside = reach_ && reach_->holds(scores[0]);
    predictions.push_back(reach_ ? Prediction{inside, {inside ? 0.0 : 1.0, inside ? 1.0 : 0.0}, 0}
                                 : judge(scores));
    predictions.back().output = output_of(*model_, scores[0]);
  }
  return predictions;
}

}  // namespace scfe::cli
