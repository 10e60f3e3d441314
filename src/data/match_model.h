// What a model file says of its inputs and classes.
#pragma once

#include <string>
#include <vector>

#include "scfe/bundle.h"

namespace scfe {

struct ModelNames {
  std::vector<std::string> inputs;  // of every input; empty where the file does not say
  std::vector<std::vector<std::string>>
      levels;                           // of inputs that are text or codes, by place; empty: a number
  std::vector<std::string> classes;     // in the order of the scores; empty: the file names none
  std::vector<std::string> whole = {};  // by place: how the file calls an input declared integer or boolean
  // Of boosters alone.
  std::vector<bool> coded = {};                         // inputs that are the code of a category
  std::vector<std::vector<std::string>> lettered = {};  // another reading of `levels`, a 0 for a lost letter
  std::vector<std::vector<std::string>> lists = {};     // levels of some columns, in the columns' order
  bool keeps_levels = true;                             // false: a file of a version that never holds levels
};
ModelNames model_names(const ModelFile& file);

}  // namespace scfe
