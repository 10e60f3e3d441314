// What a model file says of its inputs and classes.
#pragma once

#include <string>
#include <vector>

#include "scfe/bundle.h"

namespace scfe {

struct ModelNames {
  std::vector<std::string> inputs;               // of every input; empty where the file does not say
  std::vector<std::vector<std::string>> levels;  // of inputs that are text, by place; empty: a number
  std::vector<std::string> classes;              // in the order of the scores; empty: the file names none
};
ModelNames model_names(const ModelFile& file);

}  // namespace scfe
