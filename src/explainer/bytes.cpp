#include "explainer/bytes.h"

#include <cmath>
#include <limits>

#include "actionability/features.h"
#include "explainer/state.h"
#include "plausibility/own/own.h"

namespace scfe {
namespace {

void put_feature(const Feature& f, ByteWriter& out) {
  out.put_text(f.name);
  out.put(static_cast<std::uint8_t>(f.kind));
  for (const std::optional<double>& value : {f.min, f.max, f.step}) out.put(*value);  // completed when fitted
  out.put_flag(f.immutable);
  out.put(static_cast<std::uint8_t>(f.direction));
  out.put(f.weight);
  out.put_text(f.unit);
  out.put(std::uint64_t{f.levels.size()});
  for (const std::string& level : f.levels) out.put_text(level);
  out.put(static_cast<std::uint8_t>(f.encoding));
  out.put(std::uint64_t{f.distances.size()});
  for (const std::vector<double>& row : f.distances) out.put_list(row);
  out.put(std::uint64_t{f.transitions.size()});
  for (const std::vector<int>& row : f.transitions) out.put_list(row);
  out.put_list(f.order);
}

Feature get_feature(ByteReader& in) {
  Feature f;
  f.name = in.get_text();
  f.kind = static_cast<Kind>(in.get_choice(5));
  for (std::optional<double>* value : {&f.min, &f.max, &f.step}) *value = in.get<double>();
  f.immutable = in.get_flag();
  f.direction = static_cast<Direction>(in.get_choice(3));
  f.weight = in.get<double>();
  f.unit = in.get_text();
  const std::size_t levels = in.get_size(sizeof(std::uint64_t));
  for (std::size_t i = 0; i < levels; ++i) f.levels.push_back(in.get_text());
  f.encoding = static_cast<Encoding>(in.get_choice(2));
  const std::size_t distances = in.get_size(sizeof(std::uint64_t));
  for (std::size_t i = 0; i < distances; ++i) f.distances.push_back(in.get_list<double>());
  const std::size_t transitions = in.get_size(sizeof(std::uint64_t));
  for (std::size_t i = 0; i < transitions; ++i) f.transitions.push_back(in.get_list<int>());
  f.order = in.get_list<int>();
  return f;
}

std::vector<double> get_row(std::size_t columns, double least, ByteReader& in) {
  std::vector<double> row = in.get_list<double>();
  in.require(row.size() == columns, std::to_string(columns) + " numbers, one per input", row.size());
  for (const double value : row)
    in.require(std::isfinite(value) && value >= least, "finite numbers for each input", value);
  return row;
}

// Levels of short rows are indices later.
void check_short_rows(std::span<const Feature> features, const Matrix& rows, const ByteReader& in) {
  in.require(rows.cols == features.size(), std::to_string(features.size()) + " values in the rows of a class",
             rows.cols);
  for (std::size_t i = 0; i < rows.rows; ++i)
    for (std::size_t f = 0; f < features.size(); ++f) {
      const double value = rows[i][f];
      const bool level =
          value >= 0 && value < static_cast<double>(features[f].level_count()) && value == std::floor(value);
      in.require(features[f].is_category() ? level : std::isfinite(value),
                 "a value of feature '" + features[f].name + "'", value);
    }
}

}  // namespace

void ExplainerBytes::expect_complete(const Explainer& explainer) {
  if (explainer.options().density != DensityKind::own) return;
  for (const FittedDensity& fitted : explainer.state_->classes->densities) {
    const auto* own = static_cast<const Own*>(fitted.density.get());
    if (own != nullptr && own->is_function())
      throw Error("fitted file", "a density from an ONNX file",
                  own->source() + ", functions that no file can hold");
  }
}

void ExplainerBytes::save(const Explainer& explainer, ByteWriter& out) {
  const Explainer::State& s = *explainer.state_;
  out.put(std::uint64_t{s.features.size()});
  for (const Feature& feature : s.features) put_feature(feature, out);
  for (const auto* row : {&s.scaling.offset, &s.scaling.scale, &s.scaling.range, &s.weight})
    out.put_list(*row);
  out.put(std::uint64_t{s.rules.texts.size()});
  for (const std::string& text : s.rules.texts) out.put_text(text);
  const FittedClasses& classes = *s.classes;
  out.put(std::uint64_t{classes.rows.size()});
  for (std::size_t target = 0; target < classes.rows.size(); ++target) {
    out.put_matrix(classes.rows[target]);
    save_density(s.fitted_options.density, classes.densities[target], out);
    out.put(std::uint64_t{classes.neighbour_grids[target].size()});
    for (const FittedDensity& fitted : classes.neighbour_grids[target])
      save_density(DensityKind::knn, fitted, out);
  }
}

Explainer ExplainerBytes::load(std::shared_ptr<const Model> model, const Options& options, ByteReader& in) {
  check_options(options);
  const auto state = std::make_shared<Explainer::State>();
  Explainer::State& s = *state;
  s.model = std::move(model);
  s.fitted_options = options;
  const std::size_t inputs = s.model->features(), classes = s.model->classes();
  std::vector<Feature> features;
  const std::size_t count = in.get_size(sizeof(std::uint64_t));
  for (std::size_t f = 0; f < count; ++f) features.push_back(get_feature(in));
  s.scaling.offset = get_row(inputs, std::numeric_limits<double>::lowest(), in);
  s.scaling.scale = get_row(inputs, std::numeric_limits<double>::min(), in);
  s.scaling.range = get_row(inputs, std::numeric_limits<double>::min(), in);
  s.weight = get_row(inputs, 0, in);
  s.set_features(complete_features(std::move(features), Matrix(0, inputs)));
  std::vector<std::string> rules(in.get_size(sizeof(std::uint64_t)));
  for (std::string& text : rules) text = in.get_text();
  s.set_rules(std::move(rules));
  s.schema_features = s.features;
  s.schema_rules = s.rules.texts;
  const std::size_t columns = s.space.columns();
  const auto saved_classes = in.get<std::uint64_t>();
  in.require(saved_classes == classes, std::to_string(classes) + " classes, as the model", saved_classes);
  const auto loaded = std::make_shared<FittedClasses>();
  loaded->neighbour_grids.resize(classes);
  for (std::size_t target = 0; target < classes; ++target) {
    loaded->rows.push_back(in.get_matrix());
    const Matrix& rows = loaded->rows.back();
    check_short_rows(s.features, rows, in);
    loaded->densities.push_back(load_density(options.density, columns, in));
    in.require(rows.rows == 0 || loaded->densities.back().density != nullptr,
               "a density where there are rows", rows.rows);
    const std::size_t grid = in.get_size(1);
    in.require(grid == 0 || grid == tuned_neighbours.size(), "a density for each k, or none", grid);
    for (std::size_t i = 0; i < grid; ++i) {
      loaded->neighbour_grids[target].push_back(load_density(DensityKind::knn, columns, in));
      in.require(loaded->neighbour_grids[target].back().density != nullptr, "a density for each k", i);
    }
  }
  in.require_end();
  s.classes = loaded;
  return Explainer(state);
}

}  // namespace scfe
