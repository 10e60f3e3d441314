// What a booster's file says of its inputs beside their names.
#pragma once

#include <string>
#include <vector>

namespace scfe {

struct BoosterInputs {
  std::vector<std::string> names;                // empty: the file has none
  std::vector<bool> coded;                       // inputs that are the code of a category
  std::vector<std::vector<std::string>> levels;  // by code; empty: a number, or the file does not say
  // XGBoost 3.1 and 3.2 count letters where they should count bytes, and cut off the rest: what `levels` are
  // then, with a 0 for every letter that is lost. Empty where all letters are single bytes.
  std::vector<std::vector<std::string>> lettered;
  // LightGBM's: of each column that was a category of the training table, and only in the columns' order.
  std::vector<std::vector<std::string>> lists;
  bool keeps_levels = true;  // false: a file of a version that never holds them
};

}  // namespace scfe
