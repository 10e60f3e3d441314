#include "scfe/bundle.h"

#include <algorithm>

#include "data/bundle_file.h"
#include "data/learned.h"
#include "data/schema.h"
#include "explainer/bytes.h"
#include "scfe/error.h"
#include "scfe/file.h"
#include "scfe/options_json.h"

namespace scfe {
namespace {

// The hint on encodings: with categories, the number of model inputs depends on how they are encoded.
std::string ways_of(const Schema& schema) {
  const bool levels = std::ranges::any_of(schema.columns, &Column::has_levels);
  return levels ? R"(: a category has one for each level, with "encoding": "code" one alone; two levels are )"
                  R"("binary", one input, or "categorical", two)"
                : "";
}

void check_fit(const Model& model, const ModelFile& file, const Encoder& encoder) {
  if (model.features() != encoder.inputs())
    throw Error(
        file.source + ": inputs",
        std::to_string(encoder.inputs()) + " (of the schema's features" + ways_of(encoder.schema()) + ")",
        std::to_string(model.features()));
  const std::size_t classes = encoder.schema().label.classes.size();
  if (classes > 0 && model.classes() != classes)
    throw Error(file.source + ": classes", std::to_string(classes) + " (of the schema's label)",
                std::to_string(model.classes()));
}

bool same_but_for_defaults(const Feature& schema, const Feature& fitted) {
  const auto kept = [](const std::optional<double>& given, const std::optional<double>& completed) {
    return !given || given == completed;
  };
  return schema.name == fitted.name && schema.kind == fitted.kind && schema.levels == fitted.levels &&
         schema.encoding == fitted.encoding && schema.immutable == fitted.immutable &&
         schema.direction == fitted.direction && schema.weight == fitted.weight &&
         schema.unit == fitted.unit && schema.order == fitted.order &&
         schema.transitions == fitted.transitions &&
         (schema.distances.empty() || schema.distances == fitted.distances) &&
         (schema.is_category() ||
          (kept(schema.min, fitted.min) && kept(schema.max, fitted.max) && kept(schema.step, fitted.step)));
}

// The schema and the explainer both hold the features and the rules. Whoever reads the bundle relies on them
// to be the same.
void check_same(const Encoder& encoder, const Explainer& explainer) {
  const std::vector<Feature> schema = encoder.features();
  const std::vector<Feature>& fitted = explainer.features();
  if (schema.size() != fitted.size())
    throw Error("explainer: features", std::to_string(schema.size()) + " (of the schema)",
                std::to_string(fitted.size()));
  for (std::size_t f = 0; f < schema.size(); ++f)
    if (!same_but_for_defaults(schema[f], fitted[f]))
      throw Error("explainer: feature " + std::to_string(f + 1), "'" + schema[f].name + "' as in the schema",
                  "'" + fitted[f].name + "' with other levels or limits");
  if (encoder.schema().rules != explainer.rules())
    throw Error("explainer: rules", std::to_string(encoder.schema().rules.size()) + " as in the schema",
                std::to_string(explainer.rules().size()) + " or others");
}

Bundle unpack(const BundleFile& file) {
  ByteReader model(file.section("model"), "model");
  ModelFile model_file;
  model_file.source = model.get_text();
  model_file.kind = model.get_text();
  model_file.bytes = model.get_text();
  model_file.output = model.get_text();
  model.require_end();
  Encoder encoder(parse_schema(std::string(file.section("schema")), "schema"));
  const Options options = parse_options_json(std::string(file.section("options")), "options");
  auto opened = open_model(model_file, options.precision);
  check_fit(*opened, model_file, encoder);
  ByteReader fitted(file.section("explainer"), "explainer");
  Explainer explainer = ExplainerBytes::load(std::move(opened), options, fitted);
  check_same(encoder, explainer);
  return {std::move(model_file), std::move(encoder), std::move(explainer)};
}

}  // namespace

Bundle fit_bundle(ModelFile file, const Schema& schema, const Table& training, const Options& options,
                  std::vector<DensityModel> densities) {
  auto model = open_model(file, options.precision);
  Encoder encoder(match_model(with_written_decimals(schema, training), file));
  check_fit(*model, file, encoder);
  Encoded rows = encoder.encode_values(training, options.reach.empty());
  if (rows.rows.empty()) throw Error(training.source, "at least one row without missing cells", "none");
  if (options.learned_rules != LearnedRules::none || !encoder.schema().learned.empty())
    encoder = Encoder(with_learned_rules(encoder, rows, options));
  Explainer explainer(std::move(model),
                      {std::move(rows.values), std::move(rows.labels), encoder.features(),
                       encoder.schema().rules, true, std::move(rows.rows), std::move(densities)},
                      options);
  return {std::move(file), std::move(encoder), std::move(explainer)};
}

std::string bundle_bytes(const Bundle& bundle) {
  if (bundle.model_file.model)
    throw Error("fitted file", "a model from a file (ONNX, XGBoost, LightGBM or JSON)",
                bundle.model_file.source + ", functions that no file can hold");
  ExplainerBytes::expect_complete(bundle.explainer);
  ByteWriter model, explainer;
  model.put_text(bundle.model_file.source);
  model.put_text(bundle.model_file.kind);
  model.put_text(bundle.model_file.bytes);
  model.put_text(bundle.model_file.output);
  ExplainerBytes::save(bundle.explainer, explainer);
  return pack_sections({{"model", model.bytes()},
                        {"schema", schema_text(bundle.encoder.schema())},
                        {"options", options_json(bundle.explainer.options())},
                        {"explainer", explainer.bytes()}});
}

Bundle parse_bundle(std::string_view bytes, const std::string& source) {
  const BundleFile file(bytes, source);
  try {
    return unpack(file);
  } catch (const Error& error) {
    throw Error(source + ": " + error.what());
  }
}

void save_bundle(const std::string& path, const Bundle& bundle) { write_file(path, bundle_bytes(bundle)); }

Bundle load_bundle(const std::string& path) { return parse_bundle(read_file(path), path); }

}  // namespace scfe
