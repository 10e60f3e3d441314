// Exact search for a model with one linear score, alone or behind encoders (model/additive.h): the cheapest
// change of at most m features, with its proof.
//
//     min  sum_f cost_f   subject to   sum_f gain_f >= need        gain: what a change adds to the margin
//
//     number     gain = a d,  cost = c d²  or  c d    within its limits, in its steps
//     category   gain and cost of each level; likewise a number that is encoded like one
//
// With efficiencies e = a² / c (of a category the largest gain² / cost), Cauchy-Schwarz gives
// cost(S) >= need² / sum over S of e, which prunes supports that cannot beat the incumbent. Where costs are
// lengths (proximity/proximity.h), e = a / c (of a category the largest gain / cost), and the cheapest way
// takes the most efficient numbers first, each up to its limit. Within a support, levels are tried one by
// one. Numbers start at the continuous optimum, clipped at the limits, and move outwards step by step while
// their continuous bound is below the incumbent; the last one takes what is missing. Numbers without a step
// are exact to nine digits. The model's sums have rounding errors: the lower bound assumes that all of them
// help, and an answer that costs more than this bound is not called proven. For rows without a density floor
// or other demands.
#pragma once

#include <span>

#include "query/query.h"
#include "query/row.h"
#include "solver/found.h"

namespace scfe {

// True if the score is a sum of lines in numbers, and of any functions of categories and of numbers with few
// values.
bool fits_linear_pieces(const Query& query, const Row& row);
// Requires that. found[i] belongs to rows[i].
void exact_linear_rows(const Query& query, std::span<const Row> rows, std::span<Found> found);

}  // namespace scfe
