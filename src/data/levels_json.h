// What a schema says of the levels of a category among themselves: their order, the distances between them,
// and which may follow which.
//
//     "order": ["school", "college", "phd"]                 lowest first; true: as `levels` lists them
//     "distances": [[0, 0.3, 1], [0.3, 0, 0.7], [1, 0.7, 0]]    from row to column, in units of a whole range
//     "transitions": {"school": ["college", "phd"], "college": ["phd"]}    a level not named here stays as it
//     is
#pragma once

#include "data/json_cursor.h"
#include "scfe/feature.h"

namespace scfe {

// `at` is the feature; its levels have been read.
void read_level_tables(const JsonCursor& at, Feature& feature);
void write_level_tables(const Feature& feature, nlohmann::ordered_json& entry);
// Error naming the field unless the tables fit the levels.
void check_level_tables(const Feature& feature, const std::string& field);

}  // namespace scfe
