// The methods behind the catalogue, one file each, and what they share.
#pragma once

#include "method/catalogue.h"
#include "query/row.h"
#include "solver/apg/rows.h"

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

// What the methods with linear constraints (pcfe, mip-live) do not support.
void check_linear_method(const MethodQuestion& question, const std::string& name);

// `given`, or what the method's authors use if `given` is the option's default.
template <class Value>
Value chosen_or(Value given, Value otherwise_default, Value authors) {
  return given == otherwise_default ? authors : given;
}

// Turns points into answers, the same way for every method: they are rounded to what each column can hold,
// kept inside the limits, checked as the model will read them, and rated by the fitted density.
// The compared methods know no floor: an answer below it is still one, and is called so.
void write_answers(const Query& query, std::span<const Row> rows, std::span<const ApgFound> points,
                   std::span<Found> found);

// The rows without their floor, which only S-CFE uses.
std::vector<Row> without_floor(std::span<const Row> rows);

inline constexpr double no_move = 1e-7;  // a smaller change of a feature counts as none

}  // namespace scfe
