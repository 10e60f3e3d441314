#include "validity/decision.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "scfe/error.h"

namespace scfe {

int winner(const std::vector<double>& scores, const std::optional<Reach>& reach) {
  if (reach) return reach->holds(scores[0]) ? 1 : 0;
  if (scores.size() == 1) return scores[0] > 0 ? 1 : 0;
  return static_cast<int>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

std::optional<Reach> score_reach(const Model& model, const std::string& text) {
  std::optional<Reach> reach = parse_reach(text);
  if (!reach || model.output() != Model::Output::sigmoid) return reach;
  const auto logit = [](double p) { return std::log(p / (1 - p)); };
  const bool inside = (!reach->lo || *reach->lo < 1) && (!reach->hi || *reach->hi > 0);
  if (reach->lo && *reach->lo <= 0) reach->lo.reset();
  if (reach->hi && *reach->hi >= 1) reach->hi.reset();
  if (!inside || (!reach->lo && !reach->hi))
    throw Error("reach", "some but not all of 0 to 1, where the model's output (a sigmoid) lies",
                "'" + text + "'");
  if (reach->lo) reach->lo = logit(*reach->lo);
  if (reach->hi) reach->hi = logit(*reach->hi);
  return reach;
}

double output_of(const Model& model, double score) {
  return model.output() == Model::Output::sigmoid ? 1 / (1 + std::exp(-score)) : score;
}

std::vector<double> probabilities_of(const std::vector<double>& scores) {
  if (scores.size() == 1) return {1 / (1 + std::exp(scores[0])), 1 / (1 + std::exp(-scores[0]))};
  const double peak = *std::max_element(scores.begin(), scores.end());
  std::vector<double> shares;
  for (const double score : scores) shares.push_back(std::exp(score - peak));
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= sum;
  return shares;
}

TargetSpec target_spec(const Options& o, const Model& model, int target) {
  TargetSpec spec{.target = target, .margin = o.margin, .probability = {}};
  if (o.probability > 0) spec.probability = o.probability;
  spec.reach = score_reach(model, o.reach);
  return spec;
}

}  // namespace scfe
