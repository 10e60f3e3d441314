// Where a LightGBM file describes its inputs:
//
//     header      feature_names=age job      feature_infos=[18:75] -1:2:0:1
//                 ([lo:hi] for a number, the bins of codes for a category, "none" for a constant)
//     parameters  [categorical_feature: 1]
//     last line   pandas_categorical:[["none","clerk","boss"]]    (null: the codes are the values themselves)
#include <charconv>

#include "model/level_text.h"
#include "model/trees/read_lightgbm.h"
#include "scfe/error.h"
#include "support/json.h"

namespace scfe {
namespace {

// The rest of the line after the last occurrence of the key.
std::string_view line_after(std::string_view bytes, std::string_view key) {
  const std::size_t at = bytes.rfind(key);
  if (at == bytes.npos) return {};
  const std::string_view line = bytes.substr(at + key.size());
  return line.substr(0, line.find_first_of("\r\n"));
}

std::vector<std::string_view> parts(std::string_view line, char between) {
  std::vector<std::string_view> found;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(between), line.size());
    if (end > 0) found.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return found;
}

// A constant category has no bins in feature_infos, so the parameters are read as well.
std::vector<bool> coded_inputs(std::string_view bytes, std::size_t inputs) {
  std::vector<bool> coded(inputs, false);
  const auto infos = parts(line_after(bytes, "\nfeature_infos="), ' ');
  for (std::size_t i = 0; i < std::min(inputs, infos.size()); ++i)
    coded[i] = infos[i].front() != '[' && infos[i] != "none";
  std::string_view given = line_after(bytes, "\n[categorical_feature: ");
  if (given.ends_with(']')) given.remove_suffix(1);
  for (const std::string_view part : parts(given, ',')) {
    std::size_t input = inputs;
    std::from_chars(part.data(), part.data() + part.size(), input);
    if (input < inputs) coded[input] = true;
  }
  return coded;
}

std::vector<std::vector<std::string>> category_lists(std::string_view bytes) {
  using Json = nlohmann::json;
  const std::string_view line = line_after(bytes, "\npandas_categorical:");
  std::vector<std::vector<std::string>> lists;
  const Json document = line.empty() ? Json() : parse_json(line, "pandas_categorical");
  const auto refuse = [] { throw Error("pandas_categorical", "a list of lists of categories", "another"); };
  if (document.is_null()) return lists;
  if (!document.is_array()) refuse();
  for (const Json& list : document) {
    if (!list.is_array()) refuse();
    auto& levels = lists.emplace_back();
    for (const Json& level : list) levels.push_back(level_text(level, "pandas_categorical"));
  }
  return lists;
}

}  // namespace

BoosterInputs lightgbm_inputs(std::string_view bytes) {
  BoosterInputs inputs;
  for (const std::string_view name : parts(line_after(bytes, "\nfeature_names="), ' '))
    inputs.names.emplace_back(name);
  inputs.coded = coded_inputs(bytes, inputs.names.size());
  inputs.lists = category_lists(bytes);
  return inputs;
}

}  // namespace scfe
