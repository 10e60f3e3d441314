// Models and explainers: reading, fitting, saving, describing.
#include "ask/fitting.h"
#include "ask/limits.h"
#include "c_api/arrow_in.h"
#include "c_api/arrow_out.h"
#include "c_api/functions_model.h"
#include "c_api/handles.h"
#include "scfe/diagnostics.h"
#include "scfe/options_json.h"
#include "text/json_text.h"

namespace scfe::app {
namespace {

std::string text_list(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + json_quoted(text);
  return "[" + list + "]";
}

// What `scfe fit` prints: the density of each class, then the facts about the model.
std::vector<std::string> said_about(const Bundle& bundle, const std::vector<std::string>& facts) {
  std::vector<std::string> said;
  const Schema& schema = bundle.encoder.schema();
  const Diagnostics diagnostics(bundle.explainer);
  for (std::size_t target = 0; target < schema.label.classes.size(); ++target)
    said.push_back(schema.label.classes[target].name + ": " +
                   diagnostics.density_summary(static_cast<int>(target)));
  for (const std::string& fact : facts)
    if (!fact.empty()) said.push_back(fact);
  for (std::size_t i = 0; i < schema.learned.size(); ++i)
    said.push_back("learned rule " + std::to_string(i + 1) +
                   (schema.learned[i].used ? ": " : " (not used): ") + schema.learned[i].text + " (" +
                   schema.learned[i].evidence + ")");
  return said;
}

std::string_view kind_text(Kind kind) {
  switch (kind) {
    case Kind::continuous:
      return "continuous";
    case Kind::integer:
      return "integer";
    case Kind::ordinal:
      return "ordinal";
    case Kind::binary:
      return "binary";
    case Kind::categorical:
      return "categorical";
  }
  return "";
}

std::string feature_list(const Bundle& bundle) {
  std::string list;
  for (std::size_t f = 0; f < bundle.explainer.features().size(); ++f) {
    const Feature& fitted = bundle.explainer.features()[f];
    const Feature& own = bundle.encoder.schema().columns[f].feature;
    JsonObject object;
    object.text("name", own.name)
        .text("type", kind_text(own.kind))
        .raw("levels", text_list(own.levels))
        .text("unit", own.unit)
        .raw("immutable", own.immutable ? "true" : "false");
    if (fitted.min) object.number("min", *fitted.min);
    if (fitted.max) object.number("max", *fitted.max);
    if (fitted.step) object.number("step", *fitted.step);
    list += (list.empty() ? "" : ",\n") + object.str();
  }
  return "[" + list + "]";
}

std::string description(const scfe_explainer& explainer) {
  const Bundle& bundle = explainer.bundle;
  const Schema& schema = bundle.encoder.schema();
  std::vector<std::string> classes;
  for (std::size_t c = 0; c < bundle.explainer.classes(); ++c)
    classes.push_back(class_name(schema, static_cast<int>(c)));
  const std::string model =
      JsonObject().text("source", bundle.model_file.source).text("kind", bundle.model_file.kind).str();
  return JsonObject()
      .raw("features", feature_list(bundle))
      .raw("classes", text_list(classes))
      .text("label", schema.label.column)
      .text("id", schema.id)
      .raw("inputs", text_list(bundle.encoder.input_names()))
      .raw("options", options_json(bundle.explainer.options()))
      .raw("model", model)
      .raw("said", text_list(explainer.said))
      .str();
}

std::vector<std::string> solver_fact(const Bundle& bundle) {
  return {"solver: " + Diagnostics(bundle.explainer).solver_summary()};
}

void give_loaded(Bundle bundle, scfe_explainer** out) {
  std::vector<std::string> said = said_about(bundle, solver_fact(bundle));
  given(out, "out") = new scfe_explainer{std::move(bundle), std::move(said)};
}

}  // namespace
}  // namespace scfe::app

using namespace scfe::app;

int scfe_model_read(const char* path, scfe_model** out) {
  return guarded(
      [&] { given(out, "out") = new scfe_model{scfe::read_model_file(given_text(path, "path"))}; });
}

int scfe_model_from_bytes(const void* bytes, size_t size, const char* source, scfe_model** out) {
  return guarded([&] {
    if (bytes == nullptr && size > 0) throw scfe::Error("bytes", "the content of a model", "NULL");
    std::string content(static_cast<const char*>(bytes), size);
    given(out, "out") = new scfe_model{scfe::model_file_of(std::move(content), given_text(source, "source"))};
  });
}

int scfe_model_from_functions(const scfe_functions* functions, scfe_model** out) {
  return guarded([&] {
    const scfe_functions& own = given(functions, "functions");
    scfe::ModelFile file{own.source == nullptr ? "functions" : own.source, "functions", "", ""};
    file.model = functions_model(own);
    given(out, "out") = new scfe_model{std::move(file)};
  });
}

int scfe_settings_density(scfe_settings* settings, const scfe_model* density) {
  return guarded([&] {
    const scfe::ModelFile& file = given(density, "density").file;
    if (file.model == nullptr && file.kind != "onnx")
      throw scfe::Error("density", "functions or an ONNX file", file.kind);
    given(settings, "settings")
        .densities.push_back(file.model ? scfe::DensityModel{file.model, file.source}
                                        : scfe::density_model_of(file.bytes, file.source));
  });
}

int scfe_model_describe(const scfe_model* model, scfe_bytes** out) {
  return guarded([&] {
    const scfe::ModelFile& file = given(model, "model").file;
    const auto opened = scfe::open_model(file);
    give(out, JsonObject()
                  .text("source", file.source)
                  .text("kind", file.kind)
                  .number("inputs", static_cast<double>(opened->features()))
                  .number("scores", static_cast<double>(opened->scores()))
                  .str());
  });
}

void scfe_model_free(scfe_model* model) { delete model; }

int scfe_fit(const scfe_model* model, ArrowArrayStream* training, const scfe_settings* settings,
             scfe_explainer** out) {
  return guarded([&] {
    const scfe::Table rows = read_stream(training, "data");
    const Arguments arguments = arguments_of(settings);
    scfe::ModelFile file = given(model, "model").file;
    file.output = arguments.text_or("model-output", "");
    std::vector<std::string> facts;
    scfe::Bundle bundle =
        fit_table(arguments, std::move(file), rows, &facts,
                  settings == nullptr ? std::vector<scfe::DensityModel>() : settings->densities);
    std::vector<std::string> said = said_about(bundle, facts);
    given(out, "out") = new scfe_explainer{std::move(bundle), std::move(said)};
  });
}

int scfe_limited(const scfe_explainer* explainer, const scfe_settings* settings, scfe_explainer** out) {
  return guarded([&] {
    const scfe_explainer& own = given(explainer, "explainer");
    scfe::Bundle limited = own.bundle;
    set_limits(limited, arguments_of(settings));
    given(out, "out") = new scfe_explainer{std::move(limited), own.said};
  });
}

int scfe_load(const char* path, scfe_explainer** out) {
  return guarded([&] { give_loaded(scfe::load_bundle(given_text(path, "path")), out); });
}

int scfe_load_bytes(const void* bytes, size_t size, scfe_explainer** out) {
  return guarded([&] {
    if (bytes == nullptr) throw scfe::Error("bytes", "the content of a fitted file", "NULL");
    give_loaded(scfe::parse_bundle({static_cast<const char*>(bytes), size}, "fitted file"), out);
  });
}

int scfe_save(const scfe_explainer* explainer, const char* path) {
  return guarded([&] { scfe::save_bundle(given_text(path, "path"), given(explainer, "explainer").bundle); });
}

int scfe_save_bytes(const scfe_explainer* explainer, scfe_bytes** out) {
  return guarded([&] { give(out, scfe::bundle_bytes(given(explainer, "explainer").bundle)); });
}

void scfe_explainer_free(scfe_explainer* explainer) { delete explainer; }

int scfe_schema_json(const scfe_explainer* explainer, scfe_bytes** out) {
  return guarded(
      [&] { give(out, scfe::schema_text(given(explainer, "explainer").bundle.encoder.schema())); });
}

int scfe_describe(const scfe_explainer* explainer, scfe_bytes** out) {
  return guarded([&] { give(out, description(given(explainer, "explainer"))); });
}

int scfe_class_values(const scfe_explainer* explainer, size_t target, size_t feature, ArrowArrayStream* out) {
  return guarded([&] {
    const scfe::Explainer& own = given(explainer, "explainer").bundle.explainer;
    if (target >= own.classes())
      throw scfe::Error("target", "below " + std::to_string(own.classes()), std::to_string(target));
    if (feature >= own.features().size())
      throw scfe::Error("feature", "below " + std::to_string(own.features().size()), std::to_string(feature));
    OutColumn table = OutColumn::structs("", {OutColumn::numbers("value")});
    for (const double value : scfe::Diagnostics(own).class_values(static_cast<int>(target), feature)) {
      table.child(0).add(value);
      table.end_struct();
    }
    give_stream(std::move(table), &given(out, "out"));
  });
}

int scfe_infer_schema(ArrowArrayStream* training, const scfe_settings* settings, scfe_bytes** out) {
  return guarded([&] {
    const scfe::Table rows = read_stream(training, "data");
    const Arguments arguments = arguments_of(settings);
    const bool plain = !arguments.has("label") && !arguments.has("schema-json") && !arguments.has("reach");
    give(out, scfe::schema_text(plain ? scfe::infer_schema(rows, inference_from(arguments, rows))
                                      : schema_from(arguments, rows)));
  });
}
