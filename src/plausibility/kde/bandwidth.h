// Bandwidth by leave-one-out likelihood: the h that maximises
//
//     L(h) = mean_i [ log( 1/m_i sum_{j : x_j != x_i} exp(-|x_i - x_j|² / 2h²) ) ] - d_active log h
//
// m_i is the number of rows that differ from x_i. Copies of a row are left out with it; otherwise L would be
// unbounded as h -> 0. d_active counts the features that vary, since a constant one would lower h for no
// reason. A grid in log h is followed by a golden-section search around its best point; h is at least 1/1000
// of the spread. Paper mode uses d_active = 1 like the authors' public code, which gives 3-6 spreads.
#pragma once

#include <cstdint>

#include "scfe/matrix.h"

namespace scfe {

double choose_bandwidth(const Matrix& rows, bool paper, std::uint64_t seed);

}  // namespace scfe
