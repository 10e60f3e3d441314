// Relations between the levels of a category in a schema: their order, distances and allowed transitions.
//
//     "order": ["school", "college", "phd"]                     lowest first; true: the order of `levels`
//     "distances": [[0, 0.3, 1], [0.3, 0, 0.7], [1, 0.7, 0]]    [i][j]: from level i to j; 1 is as far
//                                                               as a number's whole range
//     "transitions": {"school": ["college", "phd"], "college": ["phd"]}    levels not listed cannot change
#pragma once

#include "data/json_cursor.h"
#include "scfe/feature.h"

namespace scfe {

// `at` is the feature, whose levels have been read before.
void read_level_tables(const JsonCursor& at, Feature& feature);
void write_level_tables(const Feature& feature, nlohmann::ordered_json& entry);
// Throws an Error naming the field unless the tables fit the levels.
void check_level_tables(const Feature& feature, const std::string& field);

}  // namespace scfe
