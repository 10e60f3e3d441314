// Predictions and accessors of an Explainer, and its copies with other limits.
#include "actionability/limits.h"
#include "explainer/scoring.h"
#include "explainer/state.h"
#include "scfe/error.h"

namespace scfe {

Explainer::Explainer(std::shared_ptr<const State> state) : state_(std::move(state)) {}

std::size_t Explainer::classes() const { return state_->model->classes(); }
const std::vector<Feature>& Explainer::features() const { return state_->features; }
const std::vector<std::string>& Explainer::rules() const { return state_->rules.texts; }
const Options& Explainer::options() const { return state_->options; }

namespace {

// To start a thread takes longer than the scores of a few rows.
std::size_t threads_for(std::size_t rows, int threads) {
  constexpr std::size_t few = 64;
  return rows <= few ? 1 : static_cast<std::size_t>(threads);
}

std::vector<Prediction> predictions_of(const Model& model, const Options& options,
                                       const std::vector<std::vector<double>>& all) {
  const std::optional<Reach> reach = score_reach(model, options.reach);
  std::vector<Prediction> found;
  for (const std::vector<double>& scores : all) {
    const int won = winner(scores, reach);
    const bool inside = won == 1;
    found.push_back(
        {won, reach ? std::vector<double>{inside ? 0.0 : 1.0, inside ? 1.0 : 0.0} : probabilities_of(scores),
         output_of(model, scores[0])});
  }
  return found;
}

}  // namespace

std::vector<Prediction> Explainer::predictions(const Matrix& rows, std::optional<int> threads) const {
  check_rows(rows, state_->model->features(), "rows");
  Pool pool(threads_for(rows.rows, threads.value_or(state_->options.threads)));
  return predictions_of(*state_->model, state_->options, score_rows(*state_->model, rows, pool));
}

std::vector<Prediction> Explainer::predictions_of_values(const Matrix& values) const {
  check_values(state_->features, values, "rows");
  Pool pool(threads_for(values.rows, state_->options.threads));
  return predictions_of(*state_->model, state_->options,
                        score_values(*state_->model, state_->space, values, pool));
}

std::vector<int> Explainer::predict(const Matrix& rows) const {
  std::vector<int> classes;
  for (const Prediction& prediction : predictions(rows)) classes.push_back(prediction.winner);
  return classes;
}

Explainer Explainer::with_features(std::vector<Feature> features) const {
  const std::vector<Feature>& fitted = state_->features;
  bool same = features.size() == fitted.size();
  for (std::size_t f = 0; same && f < fitted.size(); ++f)
    same = features[f].name == fitted[f].name && features[f].kind == fitted[f].kind &&
           features[f].levels == fitted[f].levels && features[f].encoding == fitted[f].encoding;
  if (!same) throw Error("features", "those that were fitted, with other limits", "other ones");
  const auto other = std::make_shared<State>(*state_);
  other->set_features(complete_features(std::move(features), Matrix(0, state_->model->features())));
  return Explainer(other);
}

Explainer Explainer::with_rules(std::vector<std::string> rules) const {
  const auto other = std::make_shared<State>(*state_);
  other->set_rules(std::move(rules));
  return Explainer(other);
}

Explainer Explainer::with_autoencoder(std::shared_ptr<const Model> autoencoder) const {
  const std::size_t inputs = state_->model->features();
  if (!autoencoder || autoencoder->features() != inputs || autoencoder->scores() != inputs)
    throw Error("autoencoder", "a model with " + std::to_string(inputs) + " inputs and as many outputs",
                !autoencoder ? "none"
                             : std::to_string(autoencoder->features()) + " inputs and " +
                                   std::to_string(autoencoder->scores()) + " outputs");
  const auto other = std::make_shared<State>(*state_);
  other->autoencoder = std::move(autoencoder);
  return Explainer(other);
}

}  // namespace scfe
