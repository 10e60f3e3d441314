#include <algorithm>
#include <cmath>

#include "actionability/features.h"
#include "explainer/metric.h"
#include "explainer/scoring.h"
#include "explainer/state.h"
#include "scfe/error.h"

namespace scfe {
namespace {

Scaling make_scaling(SpaceKind space, const Matrix& rows) {
  if (space == SpaceKind::zscore) return z_score_scaling(rows);
  return space == SpaceKind::none ? no_scaling(rows) : min_max_scaling(rows);
}

// A number for each model input from one for each feature. Categories are not scaled.
std::vector<double> of_inputs(std::span<const Feature> features, const std::vector<double>& of_features,
                              double of_category) {
  std::vector<double> inputs;
  for (std::size_t f = 0; f < features.size(); ++f)
    inputs.insert(inputs.end(), features[f].width(),
                  features[f].is_category() ? of_category : of_features[f]);
  return inputs;
}

// One value per feature. The checks are those of the form in which the rows were given.
Matrix values_of(const Training& training, const std::vector<Feature>& features, std::size_t inputs) {
  const std::string field = "training rows";
  if (training.by_feature) {
    check_values(features, training.rows, field);
    return training.rows;
  }
  const Space unscaled(features, no_scaling(inputs), std::vector<double>(inputs, 1.0));
  Matrix values(training.rows.rows, features.size());
  for (std::size_t i = 0; i < values.rows; ++i) {
    try {
      std::ranges::copy(unscaled.to_values(training.rows[i]), values[i].begin());
    } catch (const Error& error) {
      throw Error(field + ": row " + std::to_string(i) + ": " + error.what());
    }
  }
  return values;
}

// Rows in short form for the fit of a density. A class without rows gets one of zeros.
MixedRows mixed_rows(const Space& space, const Matrix& short_rows) {
  MixedRows mixed;
  mixed.columns = space.columns();
  if (short_rows.rows == 0) {
    mixed.numeric = Matrix(1, mixed.columns);
    return mixed;
  }
  for (std::size_t f = 0; f < space.features(); ++f) mixed.groups += space.is_category(f) ? 1 : 0;
  mixed.numeric = Matrix(short_rows.rows, space.features() - mixed.groups);
  mixed.levels.reserve(short_rows.rows * mixed.groups);
  for (std::size_t i = 0; i < short_rows.rows; ++i)
    for (std::size_t f = 0, j = 0; f < space.features(); ++f)
      if (space.is_category(f))
        mixed.levels.push_back(static_cast<int>(space.first(f)) + static_cast<int>(short_rows[i][f]));
      else
        mixed.numeric[i][j++] = short_rows[i][f];
  return mixed;
}

bool has_nan(const std::vector<double>& scores) {
  return std::ranges::any_of(scores, [](double score) { return std::isnan(score); });
}

void check_training(const Model& model, const Training& training, const Options& options, bool reaches) {
  const std::size_t count = training.rows.rows, classes = model.classes();
  const auto check_count = [&](const char* what, std::size_t got) {
    if (got != count)
      throw Error(what, std::to_string(count) + " (one per training row)", std::to_string(got));
  };
  if (count == 0) throw Error("training rows", "at least one", "0");
  if (!training.by_feature) check_rows(training.rows, model.features(), "training rows");
  if (!options.reach.empty() && model.scores() != 1)
    throw Error("reach", "a model with one output", std::to_string(model.scores()) + " outputs");
  if (!training.places.empty()) check_count("places", training.places.size());
  if (reaches) return;
  if (model.scores() == 1 && model.output() == Model::Output::number)
    throw Error("reach", "LO:HI, where the output has to go: this is a regression model, it knows no classes",
                "nothing");
  check_count("labels", training.labels.size());
  for (std::size_t i = 0; i < count; ++i)
    if (training.labels[i] < 0 || static_cast<std::size_t>(training.labels[i]) >= classes)
      throw Error("labels: row " + std::to_string(i), "a class from 0 to " + std::to_string(classes - 1),
                  std::to_string(training.labels[i]));
}

// For each class the training rows that the model puts there and that have its label. With a range to reach
// there are no labels.
std::vector<std::vector<std::size_t>> correct_rows(const std::vector<std::vector<double>>& scores,
                                                   std::span<const int> labels, std::size_t classes,
                                                   const std::optional<Reach>& reach) {
  std::vector<std::vector<std::size_t>> rows(classes);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (has_nan(scores[i])) continue;
    const int found = winner(scores[i], reach);
    if (reach || found == labels[i]) rows[static_cast<std::size_t>(found)].push_back(i);
  }
  return rows;
}

Matrix short_rows(const Space& space, const Matrix& values, std::span<const std::size_t> rows) {
  Matrix shortened(rows.size(), values.cols);
  for (std::size_t k = 0; k < rows.size(); ++k) space.to_short(values[rows[k]], shortened[k]);
  return shortened;
}

}  // namespace

void Explainer::State::fit_class(FittedClasses& fitted, std::size_t target,
                                 std::span<const std::size_t> places,
                                 const OwnDensities& own_densities) const {
  const bool without = fitted_options.density == DensityKind::none;
  const Matrix& own = fitted.rows[target];
  if (own.rows == 0 && !without) return;  // an error only if this class is asked for
  const MixedRows rows = mixed_rows(space, own);
  DensityOptions how;
  how.seed = fitted_options.seed;
  how.neighbours = fitted_options.neighbours;
  how.bandwidth = fitted_options.bandwidth;
  how.max_components = fitted_options.max_components;
  how.paper = fitted_options.paper_density;
  how.plain_gravity = fitted_options.plain_gravity;
  how.gravity_metric = fitted_options.gravity_metric;
  if (own.rows > 0) how.group = space.groups();
  own_densities.set(how, target, places);
  try {
    fitted.densities[target] = fit_density(fitted_options.density, rows, how);
    if (fitted_options.density != DensityKind::knn || !fitted_options.tune) return;
    for (const int k : tuned_neighbours) {
      how.neighbours = k;
      fitted.neighbour_grids[target].push_back(fit_density(DensityKind::knn, rows, how));
    }
  } catch (const Error& error) {
    throw Error("class " + std::to_string(target) + " (" + std::to_string(rows.size()) +
                " correctly classified training rows): " + error.what());
  }
}

void Explainer::State::set_features(std::vector<Feature> completed) {
  features = std::move(completed);
  writing.step.clear();
  for (const Feature& feature : features) writing.step.push_back(*feature.step);
  space = make_space(fitted_options, features, scaling, weight);
  for (const Derivation& derivation : rules.derived) space.derive(derivation.feature);
  prepared = std::make_shared<Prepared>();
}

void Explainer::State::set_rules(std::vector<std::string> texts) {
  rules = Rules(std::move(texts), features);
  set_features(std::move(features));
}

Explainer::Explainer(std::shared_ptr<const Model> model, const Training& training, const Options& options) {
  check_options(options);
  if (!model) throw Error("model", "a model", "none");
  const std::optional<Reach> reach = score_reach(*model, options.reach);
  check_training(*model, training, options, reach.has_value());

  const auto state = std::make_shared<State>();
  State& s = *state;
  s.model = std::move(model);
  s.fitted_options = options;
  const std::size_t inputs = s.model->features(), classes = s.model->classes();
  const std::vector<Feature> named = named_features(training.features, inputs);
  const Matrix values = values_of(training, named, inputs);
  const Scaling scaling = make_scaling(options.space, values);
  s.scaling = {of_inputs(named, scaling.offset, 0), of_inputs(named, scaling.scale, 1),
               of_inputs(named, scaling.range, 1)};
  s.weight = of_inputs(named, weights_of_rows(options, scaling, values), 1);
  s.set_features(complete_features_of_values(named, inputs, values));
  s.set_rules(training.rules);
  s.schema_features = s.features;
  s.schema_rules = s.rules.texts;
  if (options.density == DensityKind::automatic)
    s.fitted_options.density = s.space.has_categories() ? DensityKind::mixture : DensityKind::kde;

  const OwnDensities own = OwnDensities::of(training.densities, s.fitted_options, s.space, classes);
  Pool pool(static_cast<std::size_t>(options.threads));
  const auto scores = score_values(*s.model, s.space, values, pool);
  if (std::ranges::all_of(scores, has_nan))
    throw Error("model", "scores that are numbers", "nan at each of the training rows");
  const auto correct = correct_rows(scores, training.labels, classes, reach);
  const auto fitted = std::make_shared<FittedClasses>();
  fitted->densities.resize(classes);
  fitted->neighbour_grids.resize(classes);
  for (const std::vector<std::size_t>& rows : correct)
    fitted->rows.push_back(short_rows(s.space, values, rows));
  pool.each(classes, [&](std::size_t target) {
    std::vector<std::size_t> places = correct[target];
    if (!training.places.empty())
      for (std::size_t& place : places) place = training.places[place];
    s.fit_class(*fitted, target, places, own);
  });
  s.classes = fitted;
  state_ = state;
}

}  // namespace scfe
