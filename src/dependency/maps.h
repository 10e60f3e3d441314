// Columns that follow from another one: each value of the source goes with one value of the target.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "dependency/chance.h"
#include "scfe/feature.h"
#include "scfe/matrix.h"

namespace scfe {

struct ColumnMap {
  std::size_t source, target;
  std::map<double, double> value;  // of the target, by that of the source: the most frequent one
  std::size_t exceptions, rows;
  double
      expected;  // exceptions if the source were unknown: all rows without the target's most frequent value
  double log_probability;
};

struct ColumnMaps {
  std::vector<ColumnMap> found;  // before the correction for the number of tests
  std::size_t tests = 0;
};

// Between all columns with at most 100 values each. A source has levels or whole numbers.
ColumnMaps maps_between(const Matrix& rows, std::span<const Feature> features, const Chance& chance);

// Of each target the one map to keep. Its source follows from no other column, so that maps do not depend on
// each other. Where two columns follow from each other, the number follows the levels, or the later column
// the earlier one. Columns that are not `free` are no targets.
std::vector<ColumnMap> independent_maps(const std::vector<ColumnMap>& maps, std::span<const Feature> features,
                                        const std::vector<char>& free);

// True if the maps have the reverse of this one.
bool is_one_to_one(const ColumnMap& map, const std::vector<ColumnMap>& maps);

}  // namespace scfe
