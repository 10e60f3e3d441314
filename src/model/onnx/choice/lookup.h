// A table that renames classes: LabelEncoder, or ArrayFeatureExtractor on constant labels.
//
// Names are text; a whole number is written with its digits.
#pragma once

#include "model/onnx/choice/producers.h"

namespace scfe::onnx {

struct Lookup {
  std::map<std::string, std::string, std::less<>> to;
  bool integers = false;  // the values are whole numbers
};

// nullopt if the node is no such table.
std::optional<Lookup> lookup_of(const Node& node, const Producers& producers);

// Applies the tables from the last to the first; nullopt if one of them does not contain the name.
std::optional<std::string> name_behind(const std::vector<Lookup>& lookups, std::string name);

}  // namespace scfe::onnx
