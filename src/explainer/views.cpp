// Accessors of an Explainer, and its copies with other limits.
#include "actionability/features.h"
#include "explainer/state.h"
#include "scfe/error.h"

namespace scfe {

Explainer::Explainer(std::shared_ptr<const State> state) : state_(std::move(state)) {}

std::size_t Explainer::classes() const { return state_->model->classes(); }
const std::vector<Feature>& Explainer::features() const { return state_->features; }
const std::vector<std::string>& Explainer::rules() const { return state_->rules.texts; }
const Options& Explainer::options() const { return state_->fitted_options; }

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
