// One bandwidth by leave-one-out likelihood: the h that maximises
//
//     L(h) = mean_i [ log( 1/m_i sum_{j : x_j != x_i} exp(-|x_i - x_j|² / 2h²) ) ] - d_active log h
//
// Copies of a row (m_i rows are none) are left out with it: with duplicates L would grow without bound as
// h -> 0. d_active counts the features that vary; a constant one would pull h down for nothing. The
// search is a log grid, then golden section around its best, and h is never below 1/1000 of the spread.
// Paper mode takes d_active = 1, as the public code does: its bandwidths come out 3-6 spreads wide.
#pragma once

#include <cstdint>

#include "scfe/matrix.h"

namespace scfe {

double choose_bandwidth(const Matrix& rows, bool paper, std::uint64_t seed);

}  // namespace scfe
