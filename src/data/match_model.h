// The names that a model file gives to its inputs, levels and classes.
#pragma once

#include <string>
#include <vector>

#include "scfe/bundle.h"

namespace scfe {

struct ModelNames {
  std::vector<std::string> inputs;               // names of all inputs; empty if the file has none
  std::vector<std::vector<std::string>> levels;  // of each text or coded input; empty for a number
  std::vector<std::string> classes;              // in the order of the scores; empty if the file has none
  std::vector<std::string> whole = {};           // by input: its name if it is declared integer or boolean
  // Only set for gradient boosters.
  std::vector<bool> coded = {};                         // by input: true for the code of a category
  std::vector<std::vector<std::string>> lettered = {};  // other reading of `levels`; 0: a lost letter
  std::vector<std::vector<std::string>> lists = {};     // levels of some columns, in column order
  bool keeps_levels = true;  // false: this version of the format never stores levels
};
ModelNames model_names(const ModelFile& file);

// Handles columns with levels that are a single model input each (match_codes.cpp).
void take_codes(Schema& schema, ModelNames names, std::vector<std::string>& notes);

}  // namespace scfe
