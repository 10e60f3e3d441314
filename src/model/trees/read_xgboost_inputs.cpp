// Where an XGBoost file describes its inputs: learner.feature_names, learner.feature_types ("c" is the code
// of a category), and since version 3.1 gradient_booster.model.cats.enc, which lists the levels of each input
// by code, as numbers or as text:
//
//     {"type": 15, "values": [1, 3, 7]}        {"offsets": [0, 2, 4], "values": [110, 111, 105, 102]}
//
// All texts are in one list of bytes, and each ends at the offset of the next (some versions count letters,
// see BoosterInputs::lettered). An input without levels uses the values of its category as codes.
#include <algorithm>
#include <cmath>

#include "model/level_text.h"
#include "model/trees/read_xgboost.h"
#include "model/trees/ubjson.h"
#include "scfe/error.h"
#include "support/json.h"

namespace scfe {
namespace {

using Json = nlohmann::json;

// The member at the end of the path, or null.
Json found(const Json& object, const char* path) {
  const Json::json_pointer pointer(path);
  return object.contains(pointer) ? object.at(pointer) : Json();
}

using Texts = std::vector<std::string>;

double whole_from(const Json& value, double least, double most) {
  const double number = value.is_number() ? value.get<double>() : NAN;
  if (!(number >= least && number <= most && number == std::floor(number)))
    throw Error("cats", "the bytes of texts, and where each begins", brief(value));
  return number;
}

std::string text_of(const Json& bytes) {
  std::string all;
  for (const Json& byte : bytes)  // the file holds them as signed numbers, some versions as unsigned ones
    all += static_cast<char>(static_cast<int>(whole_from(byte, -128, 255)));
  return all;
}

std::vector<std::size_t> offsets_of(const Json& list) {
  constexpr double most = 2147483647;
  std::vector<std::size_t> offsets;
  for (const Json& offset : list) offsets.push_back(static_cast<std::size_t>(whole_from(offset, 0, most)));
  return offsets;
}

// Bytes of the UTF-8 letter that begins with `lead`.
std::size_t letter_size(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  return byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

Texts texts_by_letters(const std::vector<std::size_t>& offsets, const std::string& all) {
  Texts texts;
  std::size_t at = 0;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    texts.emplace_back();
    for (std::size_t k = offsets[i]; k < offsets[i + 1]; ++k) {
      const std::size_t size = at < all.size() ? letter_size(all[at]) : 1;
      texts.back() += at + size <= all.size() ? all.substr(at, size) : std::string(1, '\0');
      at += size;
    }
  }
  return texts;
}

Texts texts_by_bytes(const std::vector<std::size_t>& offsets, const std::string& all) {
  Texts texts;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    const std::size_t first = offsets[i], last = offsets[i + 1];
    if (first > last || last > all.size())
      throw Error("cats", "texts within their list", std::to_string(last));
    texts.push_back(all.substr(first, last - first));
  }
  return texts;
}

void read_levels(const Json& encoding, BoosterInputs& inputs) {
  const Json values = found(encoding, "/values"), begins = found(encoding, "/offsets");
  Texts& levels = inputs.levels.emplace_back();
  Texts& lettered = inputs.lettered.emplace_back();
  if (begins.is_null()) {
    for (const Json& value : values) levels.push_back(level_text(value, "cats"));
    return;
  }
  const std::string all = text_of(values);
  const std::vector<std::size_t> offsets = offsets_of(begins);
  levels = texts_by_bytes(offsets, all);
  if (std::ranges::any_of(all, [](char c) { return letter_size(c) > 1; }))
    lettered = texts_by_letters(offsets, all);
}

// Null if the file cannot be parsed: the reader of the trees reports that error.
Json document_or_null(std::string_view bytes) {
  try {
    return xgboost_document(bytes, "XGBoost model");
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

BoosterInputs xgboost_inputs(std::string_view bytes) {
  BoosterInputs inputs;
  const Json document = document_or_null(bytes);
  for (const Json& name : found(document, "/learner/feature_names"))
    if (name.is_string()) inputs.names.push_back(name.get<std::string>());
  for (const Json& type : found(document, "/learner/feature_types")) inputs.coded.push_back(type == "c");
  Json categories = found(document, "/learner/gradient_booster/model/cats");
  if (categories.is_null()) categories = found(document, "/learner/gradient_booster/gbtree/model/cats");
  inputs.keeps_levels = categories.is_object();
  for (const Json& encoding : found(categories, "/enc")) read_levels(encoding, inputs);
  return inputs;
}

}  // namespace scfe
