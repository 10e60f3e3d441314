// The methods behind the catalogue, one file each.
#pragma once

#include "method/catalogue.h"

namespace scfe {

void solve_dcfe(const Query& query, std::span<const Row> rows, std::span<Found> found);

void check_cem(const MethodQuestion& question);
void solve_cem_negative(const Query& query, std::span<const Row> rows, std::span<Found> found);
void solve_cem_positive(const Query& query, std::span<const Row> rows, std::span<Found> found);

void check_pcfe(const MethodQuestion& question);
void solve_pcfe(const Query& query, std::span<const Row> rows, std::span<Found> found);

void check_mip_live(const MethodQuestion& question);
void solve_mip_live(const Query& query, std::span<const Row> rows, std::span<Found> found);

void solve_wachter(const Query& query, std::span<const Row> rows, std::span<Found> found);

void solve_nearest(const Query& query, std::span<const Row> rows, std::span<Found> found);

// `given`, or what the method's authors use if `given` is the option's default.
template <class Value>
Value chosen_or(Value given, Value otherwise_default, Value authors) {
  return given == otherwise_default ? authors : given;
}

}  // namespace scfe
