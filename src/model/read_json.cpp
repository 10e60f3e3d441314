// A dense network as a small JSON document:
//
//     {"format": "scfe-dense", "version": 1,
//      "layers": [{"weight": [[...], ...], "bias": [...], "activation": "relu"}, ...],
//      "classes": ["no", "yes"]}
//
// weight is out x in. activation is a name of model/network/activation.h, or "softmax" in the last layer; the
// default is "none". classes is optional: a name or number per class, of which only the count is checked.
#include "model/read_json.h"

#include "scfe/error.h"
#include "scfe/file.h"
#include "support/json.h"

namespace scfe {
namespace {

using Json = nlohmann::json;

const Json& member(const Json& object, const char* name, const std::string& field) {
  if (!object.is_object()) throw Error(field, "an object", object.type_name());
  const auto found = object.find(name);
  if (found == object.end()) throw Error(field, std::string("a member \"") + name + '"', "none");
  return *found;
}

const Json& array(const Json& value, const std::string& field) {
  if (!value.is_array()) throw Error(field, "an array", value.type_name());
  return value;
}

std::vector<double> numbers(const Json& value, const std::string& field) {
  std::vector<double> list;
  for (const Json& entry : array(value, field)) {
    if (!entry.is_number())
      throw Error(field + '[' + std::to_string(list.size()) + ']', "a number", brief(entry));
    list.push_back(entry.get<double>());
  }
  return list;
}

Matrix matrix(const Json& value, const std::string& field) {
  Matrix matrix;
  for (const Json& line : array(value, field)) {
    const std::string name = field + " row " + std::to_string(matrix.rows + 1);
    const std::vector<double> row = numbers(line, name);
    if (matrix.rows == 0) matrix.cols = row.size();
    if (row.size() != matrix.cols)
      throw Error(name, std::to_string(matrix.cols) + " numbers, as the first row",
                  std::to_string(row.size()));
    matrix.values.insert(matrix.values.end(), row.begin(), row.end());
    ++matrix.rows;
  }
  return matrix;
}

Layer layer(const Json& value, const std::string& field) {
  Layer layer;
  layer.weight = matrix(member(value, "weight", field), field + " weight");
  layer.bias = numbers(member(value, "bias", field), field + " bias");
  const Json activation = value.value("activation", Json("none"));
  if (!activation.is_string()) throw Error(field + " activation", "a name", brief(activation));
  layer.activation = activation.get<std::string>();
  return layer;
}

std::shared_ptr<const Model> network(const Json& document) {
  const Json& format = member(document, "format", "document");
  if (format != "scfe-dense") throw Error("format", "\"scfe-dense\"", brief(format));
  const Json& version = member(document, "version", "document");
  if (version != 1) throw Error("version", "1", brief(version));
  std::vector<Layer> layers;
  for (const Json& entry : array(member(document, "layers", "document"), "layers"))
    layers.push_back(layer(entry, "layer " + std::to_string(layers.size() + 1)));
  auto model = dense_network(std::move(layers));
  if (const auto classes = document.find("classes"); classes != document.end()) {
    const std::size_t named = array(*classes, "classes").size();
    if (named != model->classes())
      throw Error("classes", std::to_string(model->classes()) + " entries", std::to_string(named));
  }
  return model;
}

}  // namespace

std::shared_ptr<const Model> parse_model_json(const std::string& text, const std::string& source) {
  const Json document = parse_json(text, source);
  try {
    return network(document);
  } catch (const Error& error) {
    throw Error(source + ": " + error.what());
  }
}

std::shared_ptr<const Model> read_model_json(const std::string& path) {
  return parse_model_json(read_file(path), path);
}

}  // namespace scfe
