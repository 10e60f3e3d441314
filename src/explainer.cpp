#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include "actionability/limits.h"
#include "actionability/links.h"
#include "explainer_state.h"
#include "pertinent.h"
#include "proximity/squared_l2.h"
#include "scfe/error.h"
#include "support/text.h"
#include "validity/validity.h"

namespace scfe {
namespace {

constexpr std::size_t chunk_rows = 4096;  // bounds the memory of a long batch
constexpr std::size_t block_rows = 64;
constexpr int any_other_class = -2;

void check_rows(const Matrix& rows, std::size_t columns, const std::string& field) {
  if (rows.cols != columns)
    throw Error(field + ": columns", std::to_string(columns) + " (features of the model)",
                std::to_string(rows.cols));
  if (rows.values.size() != rows.rows * rows.cols)
    throw Error(field + ": values", std::to_string(rows.rows * rows.cols) + " (rows times columns)",
                std::to_string(rows.values.size()));
  for (std::size_t i = 0; i < rows.rows; ++i)
    for (std::size_t j = 0; j < rows.cols; ++j)
      if (!std::isfinite(rows[i][j]))
        throw Error(field + ": row " + std::to_string(i) + ", column " + std::to_string(j), "a finite number",
                    number(rows[i][j]));
}

// Rows of the model's inputs in the work space; an input that no feature can hold is an Error naming the row.
Matrix work_rows(const Space& space, const Matrix& rows, const std::string& field) {
  Matrix work(rows.rows, space.columns());
  for (std::size_t i = 0; i < rows.rows; ++i) {
    try {
      space.to_columns(space.to_values(rows[i]), work[i]);
    } catch (const Error& error) {
      throw Error(field + ": row " + std::to_string(i) + ": " + error.what());
    }
  }
  return work;
}

Scaling make_scaling(const std::string& space, const Matrix& rows) {
  if (space == "zscore") return z_score_scaling(rows);
  return space == "none" ? no_scaling(rows.cols) : min_max_scaling(rows);
}

// Scores of every row, [row][score], in the precision the model runs in.
std::vector<std::vector<float>> score_rows(const Model& model, const Matrix& rows, Pool& pool) {
  std::vector<std::vector<float>> scores(rows.rows);
  const std::size_t pieces = (rows.rows + block_rows - 1) / block_rows;
  pool.each(pieces, [&](std::size_t piece) {
    const std::size_t first = piece * block_rows, count = std::min(block_rows, rows.rows - first);
    Block x(model.features(), count), z(model.scores(), count);
    for (std::size_t lane = 0; lane < count; ++lane)
      for (std::size_t j = 0; j < rows.cols; ++j) x[j][lane] = static_cast<float>(rows[first + lane][j]);
    const auto tape = model.tape(count);
    model.forward(x, z, *tape);
    for (std::size_t lane = 0; lane < count; ++lane)
      for (std::size_t k = 0; k < model.scores(); ++k) scores[first + lane].push_back(z[k][lane]);
  });
  return scores;
}

// Regression: class 1 is where the output is to go, class 0 everything else.
int winner(const std::vector<float>& scores, const std::optional<Reach>& reach = {}) {
  if (reach) return reach->holds(scores[0]) ? 1 : 0;
  if (scores.size() == 1) return scores[0] > 0 ? 1 : 0;
  return static_cast<int>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

double probability_of(const std::vector<float>& scores, int target) {
  if (scores.size() == 1) return 1 / (1 + std::exp(target == 1 ? -scores[0] : scores[0]));
  const float peak = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (const float score : scores) sum += std::exp(static_cast<double>(score - peak));
  return std::exp(static_cast<double>(scores[static_cast<std::size_t>(target)] - peak)) / sum;
}

// Of several wished classes: the best answers over all of them, or the path of the class that is closest.
void merge_answers(const Options& o, std::vector<Explanation> more, std::vector<Explanation>& list) {
  if (list.empty()) {
    list = std::move(more);
    return;
  }
  if (o.answers == 1 || o.path) {
    if (closer(more.back(), list.back(), o.fewest_first)) list = std::move(more);
    return;
  }
  list.insert(list.end(), more.begin(), more.end());
  std::stable_sort(list.begin(), list.end(),
                   [](const Explanation& a, const Explanation& b) { return closer(a, b, false); });
  const bool any = list.front().found();
  if (any) std::erase_if(list, [](const Explanation& e) { return !e.found(); });
  list.resize(std::min(list.size(), static_cast<std::size_t>(o.answers)));
}

}  // namespace

void Explainer::State::fit_class(std::size_t target) {
  const bool without = options.density == "none";
  if (class_rows[target].rows == 0 && !without) return;  // an error only if somebody wishes for this class
  const Matrix rows = class_rows[target].rows > 0 ? class_rows[target] : Matrix(1, space.columns());
  DensityOptions how;
  how.seed = options.seed;
  how.neighbours = options.neighbours;
  how.bandwidth = options.bandwidth;
  how.max_components = options.max_components;
  how.paper = options.paper_density;
  how.plain_gravity = options.plain_gravity;
  if (class_rows[target].rows > 0) how.group = space.groups();
  try {
    densities[target] = fit_density(options.density, rows, how);
    if (options.density != "knn" || !options.tune) return;
    for (const int k : {3, 4, 5}) {
      how.neighbours = k;
      neighbour_grids[target].push_back(fit_density("knn", rows, how));
    }
  } catch (const Error& error) {
    throw Error("class " + std::to_string(target) + " (" + std::to_string(rows.rows) +
                " correctly classified training rows): " + error.what());
  }
}

void Explainer::State::set_features(std::vector<Feature> completed) {
  features = std::move(completed);
  std::vector<double> scaled = weight;
  std::size_t input = 0;
  writing.step.clear();
  for (const Feature& feature : features) {
    writing.step.push_back(*feature.step);
    if (!feature.is_category()) scaled[input] *= feature.weight;
    input += feature.width();
  }
  space = Space(features, scaling, scaled);
  for (const Derivation& derivation : rules.derived) space.derive(derivation.feature);
}

void Explainer::State::set_rules(std::vector<std::string> texts) {
  rules = Rules(std::move(texts), features);
  set_features(std::move(features));
}

Explainer::Explainer(std::shared_ptr<const Model> model, const Training& training, const Options& options)
    : state_(std::make_unique<State>()) {
  State& s = *state_;
  check_options(options);
  if (!model) throw Error("model", "a model", "none");
  if (training.rows.rows == 0) throw Error("training rows", "at least one", "0");
  check_rows(training.rows, model->features(), "training rows");
  const std::optional<Reach> reach = parse_reach(options.reach);
  if (reach && model->scores() != 1)
    throw Error("reach", "a model with one output", std::to_string(model->scores()) + " outputs");
  if (!reach && training.labels.size() != training.rows.rows)
    throw Error("labels", std::to_string(training.rows.rows) + " (one per training row)",
                std::to_string(training.labels.size()));
  const std::size_t classes = model->classes();
  for (std::size_t i = 0; !reach && i < training.labels.size(); ++i)
    if (training.labels[i] < 0 || static_cast<std::size_t>(training.labels[i]) >= classes)
      throw Error("labels: row " + std::to_string(i), "a class from 0 to " + std::to_string(classes - 1),
                  std::to_string(training.labels[i]));

  s.model = std::move(model);
  s.options = options;
  s.scaling = make_scaling(options.space, training.rows);
  s.weight = options.distance == "mad" ? inverse_mad_weights(s.scaling.to_work(training.rows))
                                       : std::vector<double>(training.rows.cols, 1.0);
  s.set_features(complete_features(training.features, training.rows));
  s.set_rules(training.rules);
  if (options.density == "auto") s.options.density = s.space.has_categories() ? "mixture" : "kde";
  const Matrix work = work_rows(s.space, training.rows, "training rows");

  Pool pool(static_cast<std::size_t>(options.threads));
  const auto scores = score_rows(*s.model, training.rows, pool);
  s.class_rows.assign(classes, Matrix(0, work.cols));
  for (std::size_t i = 0; i < work.rows; ++i) {
    const int found = winner(scores[i], reach);
    if (!reach && found != training.labels[i]) continue;
    Matrix& rows = s.class_rows[static_cast<std::size_t>(found)];
    rows.values.insert(rows.values.end(), work[i].begin(), work[i].end());
    ++rows.rows;
  }
  s.densities.resize(classes);
  s.neighbour_grids.resize(classes);
  pool.each(classes, [&](std::size_t target) { s.fit_class(target); });
}

Explainer::~Explainer() = default;
Explainer::Explainer(Explainer&&) noexcept = default;
Explainer& Explainer::operator=(Explainer&&) noexcept = default;

const std::vector<Feature>& Explainer::features() const { return state_->features; }
const Options& Explainer::options() const { return state_->options; }

Matrix Explainer::to_work_space(const Matrix& rows) const {
  check_rows(rows, state_->model->features(), "rows");
  return work_rows(state_->space, rows, "rows");
}

std::size_t Explainer::State::checked_class(int target) const {
  if (target < 0 || static_cast<std::size_t>(target) >= class_rows.size())
    throw Error("target", "a class from 0 to " + std::to_string(class_rows.size() - 1),
                std::to_string(target));
  return static_cast<std::size_t>(target);
}

Matrix Explainer::class_rows(int target) const { return state_->class_rows[state_->checked_class(target)]; }

std::vector<double> Explainer::class_values(int target, std::size_t feature) const {
  const Matrix& rows = state_->class_rows[state_->checked_class(target)];
  const Space& space = state_->space;
  std::vector<double> values;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    values.push_back(space.to_values_of_columns(rows[i])[feature]);
  }
  return values;
}

std::vector<int> Explainer::groups() const { return state_->space.groups(); }

bool Explainer::has_density(int target) const {
  return state_->options.density != "none" &&
         state_->densities[state_->checked_class(target)].density != nullptr;
}

Typicality Explainer::typicality(std::span<const double> factual, std::span<const double> answer,
                                 int target) const {
  const FittedDensity& fitted = state_->densities[state_->checked_class(target)];
  if (!has_density(target)) throw Error("target", "a class with a density", std::to_string(target));
  const Space& space = state_->space;
  std::vector<double> from(space.columns()), to(space.columns());
  space.to_columns(space.to_values(factual), from);
  space.to_columns(space.to_values(answer), to);
  Block x(space.columns(), 1), anchors(space.columns(), 1);
  std::vector<float> anchor(space.columns()), scratch(fitted.density->scratch(1)), value(x.padded_lanes());
  fitted.density->anchor(std::vector<float>(from.begin(), from.end()), anchor);
  for (std::size_t j = 0; j < space.columns(); ++j) {
    x[j][0] = static_cast<float>(to[j]);
    anchors[j][0] = anchor[j];
  }
  fitted.density->evaluate(x, anchors, value.data(), nullptr, nullptr, scratch.data());
  return {value[0], quantile_of(fitted, value[0])};
}

double Explainer::floor(int target, double share) const {
  return floor_at(state_->densities[state_->checked_class(target)], share);
}

Change Explainer::change(std::span<const double> from, std::span<const double> to) const {
  const Space& space = state_->space;
  const std::vector<double> a = space.to_values(from), b = space.to_values(to);
  Change change;
  double square = 0;
  for (std::size_t f = 0; f < a.size(); ++f) {
    const double distance = space.distance(f, a[f], b[f]);
    change.l1 += distance;
    square += distance * distance;
    if (space.is_derived(f)) continue;
    const double step = state_->writing.step[f];
    change.l0 += std::abs(b[f] - a[f]) > std::max(0.5 * step, 1e-9 * space.range(space.first(f)));
  }
  change.l2 = std::sqrt(square);
  return change;
}

// Every row is in one class or the other, so nothing is lost by dividing them anew.
Explainer Explainer::with_reach(const std::string& text) const {
  const State& s = *state_;
  if (s.options.reach.empty())
    throw Error("reach", "an explainer of a regression model", "one of a classifier");
  Training training;
  training.rows = Matrix(0, s.model->features());
  for (const Matrix& rows : s.class_rows) {
    for (std::size_t i = 0; i < rows.rows; ++i) {
      std::vector<double> inputs(s.model->features());
      s.space.to_inputs(s.space.to_values_of_columns(rows[i]), inputs);
      training.rows.values.insert(training.rows.values.end(), inputs.begin(), inputs.end());
      ++training.rows.rows;
    }
  }
  training.features = s.features;
  Options options = s.options;
  options.reach = text;
  return Explainer(s.model, training, options);
}

Explainer Explainer::with_features(std::vector<Feature> features) const {
  const std::vector<Feature>& fitted = state_->features;
  bool same = features.size() == fitted.size();
  for (std::size_t f = 0; same && f < fitted.size(); ++f)
    same = features[f].name == fitted[f].name && features[f].kind == fitted[f].kind &&
           features[f].levels == fitted[f].levels && features[f].encoding == fitted[f].encoding;
  if (!same) throw Error("features", "those that were fitted, with other limits", "other ones");
  Explainer other;
  *other.state_ = *state_;
  other.state_->set_features(complete_features(std::move(features), Matrix(0, state_->model->features())));
  return other;
}

Explainer Explainer::with_rules(std::vector<std::string> rules) const {
  Explainer other;
  *other.state_ = *state_;
  other.state_->set_rules(std::move(rules));
  return other;
}

const std::vector<std::string>& Explainer::rules() const { return state_->rules.texts; }

bool Explainer::is_derived(std::size_t feature) const { return state_->space.is_derived(feature); }

std::vector<std::string> Explainer::broken_rules(std::span<const double> factual,
                                                 std::span<const double> answer) const {
  const State& s = *state_;
  return Links({s.rules, s.space, s.writing}, s.features, s.space.to_values(factual))
      .broken(s.space.to_values(answer));
}

std::string Explainer::density_summary(int target) const {
  return class_rows(target).rows == 0 ? "no rows"
                                      : state_->densities[static_cast<std::size_t>(target)].summary;
}

std::vector<int> Explainer::predict(const Matrix& rows) const {
  check_rows(rows, state_->model->features(), "rows");
  Pool pool(static_cast<std::size_t>(state_->options.threads));
  std::vector<int> classes;
  for (const std::vector<float>& scores : score_rows(*state_->model, rows, pool))
    classes.push_back(winner(scores, parse_reach(state_->options.reach)));
  return classes;
}

void Explainer::State::check_query(const Matrix& factuals, const Options& query,
                                   std::span<const int> targets) const {
  check_options(query);
  check_rows(factuals, model->features(), "factuals");
  work_rows(space, factuals, "factuals");
  const std::size_t d = features.size();
  // The default may be more than a small table has; a number that somebody chose may not.
  const bool chosen = query.max_changes != Options{}.max_changes;
  if (chosen && static_cast<std::size_t>(query.max_changes) > d)
    throw Error("max-changes", "a whole number from 1 to " + std::to_string(d) + " (features)",
                std::to_string(query.max_changes));
  if (!targets.empty() && targets.size() != factuals.rows)
    throw Error("targets", std::to_string(factuals.rows) + " (one per factual)",
                std::to_string(targets.size()));
  if (query.density != options.density && query.density != "none" && query.density != "auto")
    throw Error("density", "'" + options.density + "' as fitted, or none", "'" + query.density + "'");
  if (query.solver == "search" && query.sparsity != "top_m")
    throw Error("sparsity", "top_m with solver search", "'" + query.sparsity + "'");
  if (query.solver == "exact" && (query.sparsity != "top_m" || model->ensemble() == nullptr))
    throw Error("solver", "auto, search or apg (exact is for tree ensembles under a limit m)", "exact");
  if (query.reach != options.reach)
    throw Error("reach", "'" + options.reach + "' as fitted (with_reach() gives another)",
                "'" + query.reach + "'");
  if (query.tune && query.density == "knn" && !options.tune)
    throw Error("tune", "to be set when fitting too: it needs densities with other k",
                "set for the query alone");
}

int Explainer::State::wished_class(int target, std::size_t row, int predicted) const {
  const std::size_t classes = model->classes();
  if (!options.reach.empty()) target = 1;
  if (target == -1 && classes == 2) target = 1 - predicted;
  if (target < 0 || static_cast<std::size_t>(target) >= classes)
    throw Error("target of row " + std::to_string(row), "a class from 0 to " + std::to_string(classes - 1),
                std::to_string(target));
  if (!densities[static_cast<std::size_t>(target)].density)
    throw Error("target of row " + std::to_string(row), "a class with correctly classified training rows",
                std::to_string(target) + ", which has none");
  return target;
}

std::vector<Explanation> Explainer::explain(const Matrix& factuals, const Options& options,
                                            std::span<const int> targets,
                                            std::span<const RowLimits> limits) const {
  std::vector<Explanation> best;
  for (std::vector<Explanation>& list : explain_all(factuals, options, targets, limits))
    best.push_back(std::move(options.path ? list.back() : list.front()));
  return best;
}

// The wished classes of each row, in order: one, or all but the present one.
std::vector<std::vector<int>> Explainer::State::wished_classes(const Options& query,
                                                               std::span<const int> targets,
                                                               std::span<const int> predicted) const {
  std::vector<std::vector<int>> wished(predicted.size());
  for (std::size_t row = 0; row < predicted.size(); ++row) {
    const int target = targets.empty() ? query.target : targets[row];
    if (target != any_other_class) {
      wished[row] = {wished_class(target, row, predicted[row])};
      continue;
    }
    for (std::size_t c = 0; c < model->classes(); ++c)
      if (static_cast<int>(c) != predicted[row] && densities[c].density)
        wished[row].push_back(static_cast<int>(c));
    if (wished[row].empty())
      throw Error("target of row " + std::to_string(row),
                  "another class with correctly classified training rows", "none");
  }
  return wished;
}

std::vector<std::vector<Explanation>> Explainer::explain_all(const Matrix& factuals, const Options& asked,
                                                             std::span<const int> targets,
                                                             std::span<const RowLimits> limits) const {
  const State& s = *state_;
  if (!limits.empty() && limits.size() != factuals.rows)
    throw Error("row limits", std::to_string(factuals.rows) + " (one per factual)",
                std::to_string(limits.size()));
  s.check_query(factuals, asked, targets);
  Options query = asked;
  query.max_changes = std::min(query.max_changes, static_cast<int>(s.features.size()));
  if (query.density == "auto") query.density = s.options.density;
  Deadline deadline = Deadline::max();
  if (query.time_limit > 0)
    deadline = std::chrono::steady_clock::now() +
               std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                   std::chrono::duration<double>(std::min(query.time_limit, 1e8)));

  Pool pool(static_cast<std::size_t>(query.threads));
  const auto scores = score_rows(*s.model, factuals, pool);
  std::vector<int> predicted;
  const std::optional<Reach> reach = parse_reach(query.reach);
  for (const std::vector<float>& score : scores) predicted.push_back(winner(score, reach));
  const std::vector<std::vector<int>> wished = s.wished_classes(query, targets, predicted);
  std::vector<std::vector<Explanation>> lists(factuals.rows);
  for (std::size_t first = 0; first < factuals.rows; first += chunk_rows) {
    std::map<int, std::vector<std::size_t>> by_target;
    for (std::size_t i = first; i < std::min(first + chunk_rows, factuals.rows); ++i)
      for (const int target : wished[i]) by_target[target].push_back(i);
    for (const auto& [target, rows] : by_target) {
      std::vector<std::vector<Explanation>> found(factuals.rows);
      explain_rows(s.setting(static_cast<std::size_t>(target)), query, {factuals, rows, target, limits}, deadline,
                   pool, found);
      for (const std::size_t i : rows) merge_answers(query, std::move(found[i]), lists[i]);
    }
  }
  s.complete(lists, predicted, pool);
  return lists;
}

// The scores at every answer, as the model reads it.
void Explainer::State::complete(std::vector<std::vector<Explanation>>& lists, std::span<const int> predicted,
                                Pool& pool) const {
  std::size_t count = 0;
  for (const auto& list : lists) count += list.size();
  Matrix answers(count, model->features());
  std::size_t at = 0;
  for (const auto& list : lists)
    for (const Explanation& e : list)
      std::copy(e.counterfactual.begin(), e.counterfactual.end(), answers[at++].begin());
  const auto scores = score_rows(*model, answers, pool);
  const std::optional<Reach> reach = parse_reach(options.reach);
  at = 0;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    for (Explanation& e : lists[i]) {
      e.predicted = predicted[i];
      if (reach) {
        e.output = scores[at][0];
        e.probability = reach->holds(e.output) ? 1 : 0;
      } else {
        e.probability = probability_of(scores[at], e.target);
      }
      ++at;
    }
  }
}

std::vector<Explanation> Explainer::explain(const Matrix& factuals) const {
  return explain(factuals, state_->options);
}

std::vector<Pertinent> Explainer::pertinent(const Matrix& factuals, double share) const {
  const State& s = *state_;
  check_rows(factuals, s.model->features(), "factuals");
  if (!(share > 0 && share <= 1)) throw Error("share", "a number above 0 and up to 1", number(share));
  constexpr std::size_t background_rows = 200;
  std::vector<std::vector<double>> all;
  for (const Matrix& rows : s.class_rows)
    for (std::size_t i = 0; i < rows.rows; ++i) all.push_back(s.space.to_values_of_columns(rows[i]));
  if (all.empty()) throw Error("training rows", "some that are correctly classified", "none");
  std::vector<std::vector<double>> background;
  const std::size_t count = std::min(background_rows, all.size());
  for (std::size_t i = 0; i < count; ++i) background.push_back(all[i * all.size() / count]);
  const std::optional<Reach> reach = parse_reach(s.options.reach);
  const PertinentJob job{*s.model, s.space, background, share, [&](std::span<const float> scores) {
                           return winner({scores.begin(), scores.end()}, reach);
                         }};
  std::vector<Pertinent> found(factuals.rows);
  Pool pool(static_cast<std::size_t>(s.options.threads));
  work_rows(s.space, factuals, "factuals");
  pool.each(factuals.rows,
            [&](std::size_t i) { found[i] = pertinent_features(job, s.space.to_values(factuals[i])); });
  return found;
}

std::string_view status_name(Status status) {
  switch (status) {
    case Status::already:
      return "already";
    case Status::valid:
      return "valid";
    case Status::below_floor:
      return "below_floor";
    case Status::not_found:
      return "not_found";
    case Status::time_limit:
      return "time_limit";
    case Status::not_finite:
      return "not_finite";
  }
  return "unknown";
}

}  // namespace scfe
