// The levels of a feature brought into the order that a model has them in.
#pragma once

#include <string>
#include <vector>

#include "scfe/schema.h"

namespace scfe {

// The model's levels first, as it has them; any that it does not know behind them.
void order_levels(Feature& feature, const std::vector<std::string>& known);
// The model's levels in place of the schema's. What counts their places, an ordinal's order and a binary's
// direction, becomes the order of a category; a rule that does cannot be kept.
void take_levels(const Schema& schema, Feature& feature, const std::vector<std::string>& known);
// Only the levels at these places may follow another one; those of other places may stay.
void offer_only(Feature& feature, const std::vector<int>& places);
// A column of numbers whose values are the model's categories: a category itself, unless each value is its
// own code. Its range and direction stay.
void take_numbers(const Schema& schema, Column& column, const std::vector<std::string>& known);

}  // namespace scfe
