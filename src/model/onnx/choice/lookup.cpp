#include "model/onnx/choice/lookup.h"

#include <cmath>

namespace scfe::onnx {
namespace {

struct Names {
  std::vector<std::string> names;
  bool integers = false;
};

std::string whole(double value) { return std::to_string(to_integer(value)); }

Names names_of(const Tensor& tensor) {
  if (tensor.type == Type::text) return {tensor.texts, false};
  Names all{{}, true};
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    if (tensor.type == Type::real && tensor.real(i) != std::trunc(tensor.real(i))) return {};
    all.names.push_back(whole(tensor.real(i)));
  }
  return all;
}

Names names_of(const Node& node, const std::string& which) {
  if (const Attribute* tensor = find(node, which + "_tensor"); tensor && tensor->tensor)
    return names_of(*tensor->tensor);
  if (const Attribute* texts = find(node, which + "_strings")) return {texts->texts, false};
  Names all{{}, true};
  if (const Attribute* integers = find(node, which + "_int64s"))
    for (const std::int64_t value : integers->integers) all.names.push_back(std::to_string(value));
  else if (const Attribute* reals = find(node, which + "_floats"))
    return names_of(real_tensor({static_cast<std::int64_t>(reals->reals.size())}, reals->reals));
  return all;
}

std::vector<std::string> positions(std::size_t count) {
  std::vector<std::string> all;
  for (std::size_t k = 0; k < count; ++k) all.push_back(std::to_string(k));
  return all;
}

std::optional<Lookup> table(const std::vector<std::string>& keys, const Names& values) {
  if (values.names.empty() || keys.size() != values.names.size()) return std::nullopt;
  Lookup lookup{{}, values.integers};
  for (std::size_t k = 0; k < keys.size(); ++k) lookup.to.emplace(keys[k], values.names[k]);
  return lookup;
}

}  // namespace

std::optional<Lookup> lookup_of(const Node& node, const Producers& producers) {
  if (node.domain != "ai.onnx.ml") return std::nullopt;
  if (node.op == "LabelEncoder") {
    if (const Attribute* classes = find(node, "classes_strings"))
      return table(positions(classes->texts.size()), {classes->texts, false});
    return table(names_of(node, "keys").names, names_of(node, "values"));
  }
  if (node.op != "ArrayFeatureExtractor" || node.inputs.size() != 2) return std::nullopt;
  const Tensor* labels = producers.constant(node.inputs[0]);
  return labels ? table(positions(labels->size()), names_of(*labels)) : std::nullopt;
}

std::optional<std::string> name_behind(const std::vector<Lookup>& lookups, std::string name) {
  for (auto lookup = lookups.rbegin(); lookup != lookups.rend(); ++lookup) {
    const auto found = lookup->to.find(name);
    if (found == lookup->to.end()) return std::nullopt;
    name = found->second;
  }
  return name;
}

}  // namespace scfe::onnx
