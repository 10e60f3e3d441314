// Brings the levels of a feature into the model's order.
#pragma once

#include <string>
#include <vector>

#include "scfe/schema.h"

namespace scfe {

// Puts the model's levels first, in its order, and levels it does not know last.
void order_levels(Feature& feature, const std::vector<std::string>& known);
// For a feature of places that becomes a category: an ordinal's order and a binary's direction, which refer
// to places, become the `order` of a category.
void order_by_place(Feature& feature);
// Replaces the schema's levels by the model's; places become an `order` as above. Throws if a rule uses the
// feature.
void take_levels(const Schema& schema, Feature& feature, const std::vector<std::string>& known);
// Allows changes only to the levels at these places; rows may keep other levels.
void offer_only(Feature& feature, const std::vector<int>& places);
// For a numeric column whose values are the model's categories: it becomes a category, unless each value
// equals its code. Its range and direction are kept.
void take_numbers(const Schema& schema, Column& column, const std::vector<std::string>& known);

}  // namespace scfe
