// What is known of one column of the table, and what may be done to it.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace scfe {

enum class Kind { continuous, integer, ordinal, binary, categorical };
enum class Direction { any, up, down };

struct Feature {
  std::string name;
  Kind kind = Kind::continuous;
  // Where answers may go; by default the range of the training rows. A factual outside stays possible.
  std::optional<double> min, max;
  // Answers are multiples of it (0.01: two decimals). By default read off the training rows.
  std::optional<double> step;
  bool immutable = false;
  Direction direction = Direction::any;
  double weight = 1;  // in the distance: 4 makes a change of this feature twice as far
  std::string unit;
  std::vector<std::string> levels;  // of a category
};

}  // namespace scfe
