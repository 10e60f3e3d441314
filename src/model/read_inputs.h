// What an XGBoost or LightGBM file says about the model's inputs: names, and which of them are categories.
#pragma once

#include <string>
#include <vector>

namespace scfe {

struct BoosterInputs {
  std::vector<std::string> names;                // empty if the file has none
  std::vector<bool> coded;                       // true for an input that is the code of a category
  std::vector<std::vector<std::string>> levels;  // per input, by code; empty: a number, or not in the file
  // XGBoost 3.1 and 3.2 store offsets in letters instead of bytes and cut off the end of the text. This is
  // `levels` read that way, with a NUL for every lost letter. Empty if all letters are single bytes.
  std::vector<std::vector<std::string>> lettered;
  // LightGBM only: the levels of each categorical training column. The columns are in order but not named.
  std::vector<std::vector<std::string>> lists;
  bool keeps_levels = true;  // false: this version of the library never writes levels
};

}  // namespace scfe
