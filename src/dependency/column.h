// A column of the table as cells: levels, or ranges of numbers. An event is a run of cells, and says that a
// row has one of their values:
//
//     level    one level of a feature with levels
//     value    a number that at least 1/20 of the rows have
//     others   all numbers but such a value at an end of the column: previous > 0 where many rows have 0
//     tail     all numbers up to, or above, a quantile: 1/16 ... 15/16, and 1/32 ... 1/256 at both ends
//
// The events of a column depend on that column alone.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "scfe/feature.h"
#include "scfe/matrix.h"

namespace scfe {

inline bool has_levels(const Feature& feature) { return feature.is_category() || !feature.levels.empty(); }

struct Event {
  enum class Kind { level, value, others, tail };
  Kind kind;
  std::size_t first, last;  // cells

  bool is_single() const { return kind == Kind::level || kind == Kind::value; }
  bool contains(const Event& other) const { return first <= other.first && other.last <= last; }
};

struct CellColumn {
  // Cells of rarer levels are left out as well: they are too few to expect anything of them.
  static constexpr int left_out = -1;
  struct Cell {
    double lo, hi;  // the smallest and the largest value in it
  };
  std::vector<int> code;  // the cell of each row; left_out: missing or a rare level
  std::vector<char> is_missing;
  std::vector<Cell> cells;
  std::vector<Event> events;
};

CellColumn cells_of(const Matrix& rows, std::size_t feature, const Feature& about);

}  // namespace scfe
