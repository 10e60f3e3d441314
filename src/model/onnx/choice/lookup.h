// A table from one name of a class to another: LabelEncoder, and ArrayFeatureExtractor on constant labels.
//
// Names are text; a whole number stands as its digits.
#pragma once

#include "model/onnx/choice/producers.h"

namespace scfe::onnx {

struct Lookup {
  std::map<std::string, std::string, std::less<>> to;
  bool integers = false;  // the values are whole numbers
};

// Nothing where the node is no such table.
std::optional<Lookup> lookup_of(const Node& node, const Producers& producers);

// The name behind all tables, the last of which is the first to be asked; nothing where one does not know it.
std::optional<std::string> name_behind(const std::vector<Lookup>& lookups, std::string name);

}  // namespace scfe::onnx
