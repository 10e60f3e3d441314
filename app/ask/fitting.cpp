#include "ask/fitting.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

#include "ask/agreement.h"
#include "ask/limits.h"
#include "ask/own_density.h"
#include "ask/question.h"
#include "scfe/diagnostics.h"
#include "scfe/error.h"
#include "scfe/onnx.h"
#include "scfe/reach.h"
#include "scfe/text.h"

namespace scfe::app {
namespace {

// The names of the classes outside and inside a range to reach.
std::array<std::string, 2> reach_names(const std::string& text) {
  const std::optional<Reach> reach = parse_reach(text);
  if (!reach) throw Error("--reach", "LO:HI, either may be empty", "''");
  if (!reach->hi) return {"below " + number_text(*reach->lo), number_text(*reach->lo) + " or more"};
  if (!reach->lo) return {"above " + number_text(*reach->hi), number_text(*reach->hi) + " or less"};
  const std::string range = number_text(*reach->lo) + " to " + number_text(*reach->hi);
  return {"not " + range, range};
}

// Why trees in an ONNX file are not solved exactly; empty if they are, or if there are none.
std::string tree_obstacle(const Bundle& bundle) {
  if (bundle.model_file.kind != "onnx") return "";
  OnnxOptions options;
  options.precision = bundle.explainer.options().precision;
  options.output = bundle.model_file.output;
  const OnnxInfo info = inspect_onnx(std::as_bytes(std::span(bundle.model_file.bytes)), options);
  return info.tree_obstacle.empty() ? "" : "not proven because of " + info.tree_obstacle;
}

// The classes in the order that --classes gives.
Schema with_class_order(const Arguments& arguments, Schema schema) {
  if (!arguments.has("classes")) return schema;
  if (schema.label.above || arguments.has("reach"))
    throw Error("--classes", "a label of classes",
                arguments.has("reach") ? "--reach" : "a numeric label (above)");
  std::vector<std::string> names;
  for (const LabelClass& one : schema.label.classes) names.push_back(one.name);
  std::vector<LabelClass> ordered;
  for (const std::string& name : names_in(arguments.all("classes"), names)) {
    const auto place = static_cast<std::size_t>(schema.label.find(name));
    if (std::ranges::count(ordered, names[place], &LabelClass::name) > 0)
      throw Error("--classes", "each class once", "'" + name + "' twice");
    ordered.push_back(schema.label.classes[place]);
  }
  if (ordered.size() != names.size())
    throw Error("--classes", "all " + std::to_string(names.size()) + " classes",
                std::to_string(ordered.size()));
  schema.label.classes = std::move(ordered);
  return schema;
}

double least_agreement(const Arguments& arguments) {
  const std::string text = arguments.text_or("min-agreement", "99%");
  const auto share = parse_number(plain_share(text));
  if (!share || *share < 0 || *share > 1)
    throw Error("--min-agreement", "a share from 0 to 1", "'" + text + "'");
  return *share;
}

// The number of training rows of each class, without those that are dropped for a missing cell.
std::vector<std::size_t> labelled_rows(const Table& training, const Schema& schema) {
  std::vector<std::size_t> columns, rows(schema.label.classes.size());
  if (schema.missing == Missing::drop)
    for (const Column& column : schema.columns) columns.push_back(training.column(column.feature.name));
  const std::size_t label = training.column(schema.label.column);
  for (std::size_t row = 0; row < training.rows(); ++row) {
    const auto missing = [&](std::size_t column) {
      return schema.is_missing(training.cell(row, column), training.columns[column]);
    };
    if (missing(label) || std::ranges::any_of(columns, missing)) continue;
    if (const auto found = schema.label.class_of(training.cell(row, label)))
      ++rows[static_cast<std::size_t>(*found)];
  }
  return rows;
}

// Says how many training cells were filled, or rows dropped, for missing cells.
void warn_of_gaps(const Table& training, const Schema& schema, const Warn& warn) {
  if (schema.missing == Missing::error) return;
  std::vector<std::size_t> columns;
  for (const Column& column : schema.columns) columns.push_back(training.column(column.feature.name));
  const auto label = std::ranges::find(training.columns, schema.label.column) - training.columns.begin();
  const bool labelled = static_cast<std::size_t>(label) < training.columns.size();
  std::size_t filled = 0, left_out = 0;
  for (std::size_t row = 0; row < training.rows(); ++row) {
    const auto missing = [&](std::size_t column) {
      return schema.is_missing(training.cell(row, column), training.columns[column]);
    };
    const auto gaps = static_cast<std::size_t>(std::ranges::count_if(columns, missing));
    if ((labelled && missing(static_cast<std::size_t>(label))) ||
        (gaps > 0 && schema.missing == Missing::drop))
      ++left_out;
    else
      filled += gaps;
  }
  if (filled > 0)
    warn({training.source + ": " + counted(filled, "missing cell") + " filled (policy: impute)"});
  if (left_out > 0)
    warn({training.source + ": " + counted(left_out, "row") + " with missing cells or no label left out"});
}

// Warns if the model contradicts most labels: the classes may be in another order than the model's, or the
// model's output is no logit but, say, a price, which is above 0 for every row.
void warn_of_contradictions(const Bundle& bundle, const Table& training, const Warn& warn) {
  const Explainer& explainer = bundle.explainer;
  const Schema& schema = bundle.encoder.schema();
  if (!explainer.options().reach.empty() || schema.label.classes.empty()) return;
  const std::vector<std::size_t> rows = labelled_rows(training, schema);
  std::vector<std::size_t> agreed;
  for (std::size_t c = 0; c < rows.size(); ++c)
    agreed.push_back(Diagnostics(explainer).class_size(static_cast<int>(c)));
  const auto sum = [](const auto& counts) { return std::accumulate(counts.begin(), counts.end(), 0.0); };
  const double share = sum(agreed) / sum(rows);
  const double chance = rows.size() == 2 ? 0.5 : static_cast<double>(std::ranges::max(rows)) / sum(rows) / 2;
  for (std::size_t c = 0; rows.size() == 2 && c < 2; ++c) {
    const bool none = rows[c] > 0 && agreed[c] == 0 && agreed[1 - c] > 0;
    if (none && (share >= chance || agreed[1 - c] == rows[1 - c]))
      return warn({"the model puts no training row of " + class_name(schema, static_cast<int>(c)) +
                   " there; if its output is a number and no class, ask with --reach LO:HI"});
  }
  if (share == 0)
    throw Error(
        "model",
        "a class for some training row that is its label; if the classes are in another order than the "
        "model's, --classes sets it",
        "none");
  if (share < chance)
    warn({"the model agrees with the label of only " + percent(share) +
          " of the training rows; if the classes are in another order than the model's, --classes sets it"});
}

}  // namespace

std::vector<Flag> fit_flags() {
  return {
      {"model", "FILE", "the model: ONNX, XGBoost (.json, .ubj), LightGBM (text), or a dense network as JSON",
       group::fit},
      {"model-output", "NAME", "ONNX: the output that holds the scores, where several may be meant",
       group::fit},
      {"data", "CSV", "its training rows", group::fit},
      {"label", "COLUMN", "the label: the column of classes; types and ranges are inferred", group::fit},
      {"schema", "JSON", "in place of --label: what the columns mean (see scfe schema)", group::fit},
      {"id", "COLUMN", "column that names a row", group::fit},
      {"ignore", "A,B", "further columns that are not features", group::fit, true},
      {"above", "NUMBER", "numeric label: class 1 above it, class 0 otherwise", group::fit},
      {"missing", "POLICY", "cells that are missing: error [default], drop the row, or impute", group::fit},
      {"classes", "A,B", "the classes of the label in the order of the model's scores", group::fit},
      {"predictions", "COLUMN",
       "of the training rows: what the training library itself predicts, classes or probabilities of the "
       "second class; refused if the file disagrees",
       group::fit},
      {"min-agreement", "SHARE", "with --predictions: the least share of rows on which they agree [99%]",
       group::fit}};
}

Missing missing_from(const Arguments& arguments) {
  const std::string policy = arguments.text_or("missing", "error");
  if (policy == "error") return Missing::error;
  if (policy == "drop") return Missing::drop;
  if (policy == "impute") return Missing::impute;
  throw Error("--missing", "error, drop or impute", "'" + policy + "'");
}

Inference inference_from(const Arguments& arguments, const Table& training) {
  Inference how;
  how.label = arguments.text_or("label", "");
  how.id = arguments.text_or("id", "");
  how.missing = missing_from(arguments);
  how.ignore = names_in(arguments.all("ignore"), training.columns);
  if (arguments.has("predictions") && std::ranges::count(how.ignore, arguments.text("predictions")) == 0)
    how.ignore.push_back(arguments.text("predictions"));
  if (arguments.has("above")) {
    how.above = parse_number(arguments.text("above"));
    if (!how.above) throw Error("--above", "a number", "'" + arguments.text("above") + "'");
  }
  return how;
}

Schema schema_from(const Arguments& arguments, const Table& training, const ModelFile* model) {
  if (arguments.has("schema") || arguments.has("schema-json")) {
    Schema schema = arguments.has("schema-json") ? parse_schema(arguments.text("schema-json"), "schema")
                                                 : read_schema(arguments.text("schema"));
    if (arguments.has("missing")) schema.missing = missing_from(arguments);
    if (arguments.has("label") && schema.label.column != arguments.text("label"))
      throw Error("--label",
                  "'" + schema.label.column + "' as in " + arguments.text_or("schema", "the schema"),
                  "'" + arguments.text("label") + "'");
    return schema;
  }
  if (arguments.has("reach")) {  // a regression model: its output counts, and the label is not used
    Inference how = inference_from(arguments, training);
    const std::string label = std::exchange(how.label, "");
    if (!label.empty()) how.ignore.push_back(label);
    Schema schema = infer_schema(training, how);
    if (label.empty()) return schema;
    std::erase(schema.ignore, label);
    schema.label.column = label;
    for (const std::string& name : reach_names(arguments.text("reach")))
      schema.label.classes.push_back({name, {name}});
    return schema;
  }
  if (!arguments.has("label")) throw Error("--label", "the class column (or --schema)", "nothing");
  Inference how = inference_from(arguments, training);
  if (model != nullptr) how.model_classes = [model] { return open_model(*model)->classes(); };
  return infer_schema(training, how);
}

Bundle fit_from(const Arguments& arguments, std::vector<std::string>* said) {
  ModelFile model = read_model_file(arguments.text("model"));
  model.output = arguments.text_or("model-output", "");
  return fit_table(arguments, std::move(model), read_csv(arguments.text("data")), said);
}

Bundle fit_table(const Arguments& arguments, ModelFile model, const Table& training,
                 std::vector<std::string>* said, std::vector<DensityModel> densities) {
  std::vector<std::string> notes;
  const double least = least_agreement(arguments);
  if (arguments.has("predictions"))
    (void)training.column(arguments.text("predictions"));  // Error if absent
  else if (arguments.has("min-agreement"))
    throw Error("--min-agreement", "--predictions beside it", "none");
  const Schema schema =
      match_model(with_class_order(arguments, schema_from(arguments, training, &model)), model, &notes);
  arguments.warn(notes);
  arguments.warn(Encoder(schema).warnings(training));
  warn_of_gaps(training, schema, arguments.warn);
  Options options = options_from(arguments, {}, schema);
  if (densities.empty())
    densities = own_densities(arguments, schema);
  else
    options.density = DensityKind::own;
  Bundle bundle = fit_bundle(std::move(model), schema, training, options, std::move(densities));
  warn_of_contradictions(bundle, training, arguments.warn);
  std::vector<std::string> facts = {label_agreement(bundle, training)};
  if (arguments.has("predictions"))
    facts.push_back(prediction_agreement(bundle, training, arguments.text("predictions"), least));
  facts.push_back("solver: " + Diagnostics(bundle.explainer).solver_summary());
  facts.push_back(tree_obstacle(bundle));
  if (said != nullptr) *said = std::move(facts);
  return bundle;
}

}  // namespace scfe::app
