// The kinds of model files. Each is a row of `kinds`: how to recognise its bytes and how to read them.
#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <span>

#include "data/checksum.h"
#include "data/match_model.h"
#include "explainer/bytes.h"
#include "model/onnx/embed.h"
#include "model/read_json.h"
#include "model/trees/read_lightgbm.h"
#include "model/trees/read_xgboost.h"
#include "scfe/bundle.h"
#include "scfe/error.h"
#include "scfe/file.h"
#include "scfe/onnx.h"
#include "support/catalogue.h"

namespace scfe {
namespace {

struct ModelKind {
  std::string_view name;
  bool (*recognises)(std::string_view bytes);
  std::shared_ptr<const Model> (*open)(const ModelFile& file, Precision precision);
  ModelNames (*names)(const ModelFile& file);
};

ModelNames no_names(const ModelFile&) { return {}; }

bool is_json(std::string_view bytes) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && bytes[first] == '{';
}

void expect_float(const ModelFile& file, Precision precision) {
  if (precision == Precision::float64)
    throw Error("precision", "float (" + file.kind + " models have an arithmetic of their own)",
                std::string(name_of(precision)));
}

std::shared_ptr<const Model> open_json(const ModelFile& file, Precision precision) {
  expect_float(file, precision);
  return parse_model_json(file.bytes, file.source);
}

// Protobuf starts with a field tag: here of ir_version, producer_name or producer_version. Text files never
// start with one of these bytes.
bool is_onnx(std::string_view bytes) {
  return !bytes.empty() && (bytes[0] == 0x08 || bytes[0] == 0x12 || bytes[0] == 0x1a);
}

// Moves external data into the model, because a fitted explainer stores it as one block.
void embed(ModelFile& file) {
  try {
    file.bytes = onnx::embed_external_data(std::move(file.bytes),
                                           std::filesystem::absolute(file.source).parent_path());
  } catch (const Error& error) {
    throw Error(file.source + ": " + error.what());
  }
}

std::shared_ptr<const Model> open_onnx(const ModelFile& file, Precision precision) {
  try {
    OnnxOptions options;
    options.precision = precision;
    options.output = file.output;
    return read_onnx(std::as_bytes(std::span(file.bytes)), options);
  } catch (const Error& error) {
    throw Error(file.source + ": " + error.what());
  }
}

// A single input that holds several features has no names for them.
ModelNames onnx_names(const ModelFile& file) {
  ModelNames names;
  try {
    OnnxOptions options;
    options.output = file.output;
    const OnnxInfo info = inspect_onnx(std::as_bytes(std::span(file.bytes)), options);
    names.classes = info.classes;
    for (const OnnxInput& input : info.inputs) {
      for (std::size_t f = 0; f < input.count; ++f)
        names.levels.push_back(f < input.levels.size() ? input.levels[f] : std::vector<std::string>{});
      names.inputs.insert(names.inputs.end(), input.count, input.count == 1 ? input.name : "");
      const bool whole = input.type == "integer" || input.type == "boolean";
      names.whole.insert(names.whole.end(), input.count, whole ? input.name : "");
    }
  } catch (const Error& error) {
    throw Error(file.source + ": " + error.what());
  }
  return names;
}

template <BoosterInputs (*inputs_of)(std::string_view)>
ModelNames booster_names(const ModelFile& file) {
  ModelNames names;
  try {
    BoosterInputs inputs = inputs_of(file.bytes);
    const std::size_t count = std::max({inputs.names.size(), inputs.coded.size(), inputs.levels.size()});
    names.inputs = std::move(inputs.names);
    names.inputs.resize(count);
    names.levels = std::move(inputs.levels);
    names.levels.resize(count);
    names.lettered = std::move(inputs.lettered);
    names.lettered.resize(count);
    names.coded = std::move(inputs.coded);
    names.coded.resize(count);
    names.lists = std::move(inputs.lists);
    names.keeps_levels = inputs.keeps_levels;
  } catch (const Error& error) {
    throw Error(file.source + ": " + error.what());
  }
  return names;
}

bool is_xgboost(std::string_view bytes) { return is_xgboost_ubjson(bytes) || is_xgboost_json(bytes); }

std::shared_ptr<const Model> open_xgboost(const ModelFile& file, Precision precision) {
  expect_float(file, precision);
  return parse_xgboost(file.bytes, file.source);
}

std::shared_ptr<const Model> open_lightgbm(const ModelFile& file, Precision precision) {
  expect_float(file, precision);
  return parse_lightgbm(file.bytes, file.source);
}

// The first kind that recognises the bytes is used. The order matters: XGBoost files are JSON, too.
constexpr std::array kinds = {
    ModelKind{"xgboost", is_xgboost, open_xgboost, booster_names<xgboost_inputs>},
    ModelKind{"lightgbm", is_lightgbm, open_lightgbm, booster_names<lightgbm_inputs>},
    ModelKind{"dense-json", is_json, open_json, no_names},
    ModelKind{"onnx", is_onnx, open_onnx, onnx_names},
};

// Names a format that cannot be read by its first bytes, and says what to do with it.
std::string foreign_format(std::string_view bytes) {
  constexpr std::string_view zip = "PK\x03\x04", hdf5 = "\x89HDF";
  if (bytes.empty()) return "an empty file";
  if (bytes.size() > 1 && bytes[0] == '\x80' && bytes[1] >= 1 && bytes[1] <= 5)
    return "a Python pickle (export the model with skl2onnx, or open it with the Python package: "
           "docs/python.md)";
  if (bytes.starts_with(zip) || bytes.starts_with(hdf5))
    return "an archive as PyTorch and Keras save it (export the model to ONNX, or open it with the Python "
           "package: docs/python.md)";
  return "something else";
}

}  // namespace

ModelFile read_model_file(const std::string& path) { return model_file_of(read_file(path), path); }

ModelFile model_file_of(std::string bytes, const std::string& source) {
  ModelFile file{source, "", std::move(bytes), ""};
  for (const ModelKind& kind : kinds) {
    if (!kind.recognises(file.bytes)) continue;
    file.kind = kind.name;
    if (kind.name == "onnx") embed(file);
    return file;
  }
  throw Error(source, "a model (ONNX, XGBoost, LightGBM or JSON)", foreign_format(file.bytes));
}

std::shared_ptr<const Model> open_model(const ModelFile& file, Precision precision) {
  if (file.model) return file.model;
  if (!file.output.empty() && file.kind != "onnx")
    throw Error("model output", "none (" + file.kind + " models have one)", "'" + file.output + "'");
  return find_row(std::span<const ModelKind>(kinds), "kind of model", file.kind).open(file, precision);
}

ModelNames model_names(const ModelFile& file) {
  return find_row(std::span<const ModelKind>(kinds), "kind of model", file.kind).names(file);
}

std::uint64_t fingerprint(std::string_view bytes, std::uint64_t before) { return fnv1a(bytes, before); }

std::uint64_t fitted_fingerprint(const Explainer& explainer) {
  ByteWriter out;
  ExplainerBytes::save(explainer, out);
  return fingerprint(out.bytes());
}

}  // namespace scfe
