// The properties of one column, and the limits of its changes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace scfe {

enum class Kind { continuous, integer, ordinal, binary, categorical };
enum class Direction { any, up, down };
// Model inputs of a category: one per level, or a single one with the level's place 0, 1, ...
enum class Encoding { one_hot, code };

struct Feature {
  std::string name = {};
  Kind kind = Kind::continuous;
  // The range of answers; by default that of the training rows. The factual's own value is always allowed.
  std::optional<double> min = {}, max = {};
  // Answers are multiples of this (0.01: two decimals). By default taken from the training rows.
  std::optional<double> step = {};
  bool immutable = false;
  Direction direction = Direction::any;
  double weight = 1;  // of d² in l2 (4 doubles the distance of a change), of d in l1 and Gower's
  std::string unit = {};
  std::vector<std::string> levels = {};  // for categories and features whose cells are text, by place

  // The members below are for categories only.
  Encoding encoding = Encoding::one_hot;
  // Distance between levels, [from][to], where 1 is a number's whole range; empty: 1/sqrt(2).
  std::vector<std::vector<double>> distances = {};
  // For each level the places of the levels it may change to; empty: all.
  std::vector<std::vector<int>> transitions = {};
  // Places of the levels from lowest to highest; empty: unordered. With an order `direction` applies, and
  // without `distances` the distance from lowest to highest is 1, in equal steps.
  std::vector<int> order = {};

  // True if values are places of levels without numeric meaning. A binary feature is a category of two levels
  // with a single model input, 0 or 1.
  bool is_category() const { return kind == Kind::categorical || kind == Kind::binary; }
  std::size_t level_count() const { return kind == Kind::binary ? 2 : levels.size(); }
  bool is_one_hot() const { return kind == Kind::categorical && encoding == Encoding::one_hot; }
  // The number of model inputs.
  std::size_t width() const { return is_one_hot() ? levels.size() : 1; }
};

// Whether one level of a category may follow another, immutability aside. Of a feature as completed
// (Explainer::features()).
bool may_become(const Feature& feature, int from, int to);

}  // namespace scfe
