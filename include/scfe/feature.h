// What is known of one column of the table, and what may be done to it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace scfe {

enum class Kind { continuous, integer, ordinal, binary, categorical };
enum class Direction { any, up, down };
// How a category enters the model: one input per level, or one input that holds the level's place 0, 1, ...
enum class Encoding { one_hot, code };

struct Feature {
  std::string name = {};
  Kind kind = Kind::continuous;
  // Where answers may go; by default the range of the training rows. A factual outside stays possible.
  std::optional<double> min = {}, max = {};
  // Answers are multiples of it (0.01: two decimals). By default read off the training rows.
  std::optional<double> step = {};
  bool immutable = false;
  Direction direction = Direction::any;
  double weight = 1;  // in the distance: 4 makes a change of this feature twice as far
  std::string unit = {};
  std::vector<std::string> levels = {};  // of a category, by place; of features whose cells are no numbers

  // Of a category alone.
  Encoding encoding = Encoding::one_hot;
  // Distance from one level to another, [from][to], in units of a feature's whole range; empty: 1/sqrt(2).
  std::vector<std::vector<double>> distances = {};
  // Places of the levels that may follow each level; empty: any.
  std::vector<std::vector<int>> transitions = {};
  // Places of the levels from the lowest to the highest, where they have an order; empty: none. `direction`
  // then has a meaning, and without `distances` the way from end to end is 1, in even steps.
  std::vector<int> order = {};

  // Whether its values are places of levels, with no distance but "another one". A binary feature is a
  // category of two levels that enters the model as 0 or 1.
  bool is_category() const { return kind == Kind::categorical || kind == Kind::binary; }
  std::size_t level_count() const { return kind == Kind::binary ? 2 : levels.size(); }
  bool is_one_hot() const { return kind == Kind::categorical && encoding == Encoding::one_hot; }
  // How many inputs of the model it takes.
  std::size_t width() const { return is_one_hot() ? levels.size() : 1; }
};

// Whether one level of a category may follow another, immutability aside. Of a feature as completed
// (Explainer::features()).
bool may_become(const Feature& feature, int from, int to);

}  // namespace scfe
