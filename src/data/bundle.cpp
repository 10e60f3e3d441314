#include "scfe/bundle.h"

#include <algorithm>

#include "data/bundle_file.h"
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
  return {std::move(model_file), std::move(encoder), std::move(explainer)};
}

}  // namespace

Bundle fit_bundle(ModelFile file, const Schema& schema, const Table& training, const Options& options) {
  auto model = open_model(file, options.precision);
  Encoder encoder(match_model(with_written_decimals(schema, training), file));
  check_fit(*model, file, encoder);
  Encoded rows = options.reach.empty() ? encoder.encode_labelled(training) : encoder.encode(training);
  if (rows.rows.empty()) throw Error(training.source, "at least one row without missing cells", "none");
  Explainer explainer(std::move(model),
                      {std::move(rows.inputs), std::move(rows.labels), encoder.features(), schema.rules},
                      options);
  return {std::move(file), std::move(encoder), std::move(explainer)};
}

void save_bundle(const std::string& path, const Bundle& bundle) {
  ByteWriter model, explainer;
  model.put_text(bundle.model_file.source);
  model.put_text(bundle.model_file.kind);
  model.put_text(bundle.model_file.bytes);
  model.put_text(bundle.model_file.output);
  ExplainerBytes::save(bundle.explainer, explainer);
  write_file(path, pack_sections({{"model", model.bytes()},
                                  {"schema", schema_text(bundle.encoder.schema())},
                                  {"options", options_json(bundle.explainer.options())},
                                  {"explainer", explainer.bytes()}}));
}

Bundle load_bundle(const std::string& path) {
  const std::string bytes = read_file(path);
  const BundleFile file(bytes, path);
  try {
    return unpack(file);
  } catch (const Error& error) {
    throw Error(path + ": " + error.what());
  }
}

}  // namespace scfe
