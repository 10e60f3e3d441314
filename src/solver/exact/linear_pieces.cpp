#include "solver/exact/linear_pieces.h"

#include <algorithm>
#include <cmath>

#include "actionability/links.h"

namespace scfe {
namespace {

constexpr int most_listed = 1000;

double sign_of(const Query& query) { return query.target == 1 ? 1 : -1; }

double efficiency_of(const Query& query, double gain, double cost) {
  return cost > 0 ? query.fitted.space.proximity().power(gain) / cost : INFINITY;
}

LinearPiece category(const Query& query, const Additive& score, const Row& row, std::size_t f) {
  LinearPiece piece;
  piece.feature = f;
  std::vector<double> values = row.values, from(query.fitted.space.inputs()), to(from);
  query.fitted.space.to_inputs(values, from);
  const auto gain_of = [&](std::size_t feature) {
    double gain = 0;
    for (std::size_t i = query.fitted.space.input_of(feature);
         i < query.fitted.space.input_of(feature) + query.fitted.space.input_width(feature); ++i)
      gain += sign_of(query) * (score.term(i, to[i]) - score.term(i, from[i]));
    return gain;
  };
  for (const int level : row.levels[f]) {
    values[f] = level;
    if (row.links != nullptr) row.links->complete(values);
    if (!row.keeps_rules(values)) continue;  // what follows from this level has no value, or may not have it
    query.fitted.space.to_inputs(values, to);
    double gain = gain_of(f);
    if (row.links != nullptr)
      for (const Derivation& d : row.links->derived())
        if (d.sources.front() == f) gain += gain_of(d.feature);
    const double cost = query.fitted.space.cost(f, row.values[f], level);
    if (!(gain > 0)) continue;
    piece.options.push_back({static_cast<double>(level), gain, cost});
    piece.efficiency = std::max(piece.efficiency, efficiency_of(query, gain, cost));
  }
  return piece;
}

// The last writable number within a limit. A writable limit has a rounding error after the way through the
// work space; without a step, rounding to nine digits may go beyond the limit.
double writable_bound(const Query& query, std::size_t f, double u, double sign) {
  const std::size_t column = query.fitted.space.first(f);
  const double limit = query.fitted.space.to_original(column, u),
               written = query.fitted.writing.nearest(f, limit);
  const double tolerance = 1e-12 * (query.fitted.space.scale(column) + std::abs(limit));
  if (sign * (written - limit) <= tolerance &&
      (query.fitted.writing.step[f] == 0 || std::abs(written - limit) <= tolerance))
    return written;
  if (query.fitted.writing.step[f] > 0) return query.fitted.writing.neighbour(f, limit, sign > 0 ? -1 : 1);
  const double digit = std::pow(10.0, std::floor(std::log10(std::abs(limit))) - 8);
  return query.fitted.writing.nearest(f, written - sign * digit);
}

LinearPiece number(const Query& query, const Additive& score, const Row& row, std::size_t f) {
  LinearPiece piece;
  piece.feature = f;
  piece.number = true;
  const std::size_t column = query.fitted.space.first(f);
  const double a = sign_of(query) * *score.slope(query.fitted.space.input_of(f)), x = row.values[f];
  const double w = a < 0 ? row.lo[column] : row.hi[column];
  piece.sign = a < 0 ? -1 : 1;
  if (a == 0 || w == 0 || std::isnan(x)) return piece;
  piece.reach = piece.sign * (writable_bound(query, f, row.factual[column] + w, piece.sign) - x);
  if (!(piece.reach > 0)) return piece;
  piece.slope = std::abs(a);
  piece.weight = query.fitted.space.cost(f, 0, 1);
  piece.efficiency = query.fitted.space.proximity().power(a) / piece.weight;
  return piece;
}

// A number whose term is no line (one-hot or binned numbers): its writable values, one by one.
LinearPiece listed(const Query& query, const Additive& score, const Row& row, std::size_t f) {
  LinearPiece piece;
  piece.feature = f;
  const std::size_t column = query.fitted.space.first(f), input = query.fitted.space.input_of(f);
  const double x = row.values[f];
  if (std::isnan(x)) return piece;
  for (const int sign : {-1, 1}) {
    const double w = sign < 0 ? row.lo[column] : row.hi[column];
    if (w == 0) continue;
    const double bound = writable_bound(query, f, row.factual[column] + w, sign);
    for (int away = 1;; ++away) {
      const double value = query.fitted.writing.neighbour(f, x, sign * away);
      if (!(sign * (bound - value) >= 0)) break;
      if (value == x) continue;
      const double gain = sign_of(query) * (score.term(input, value) - score.term(input, x));
      const double cost = query.fitted.space.cost(f, x, value);
      if (!(gain > 0)) continue;
      piece.options.push_back({value, gain, cost});
      piece.efficiency = std::max(piece.efficiency, efficiency_of(query, gain, cost));
    }
  }
  return piece;
}

}  // namespace

bool fits_linear_pieces(const Query& query, const Row& row) {
  const std::shared_ptr<const Additive> score = additive(query.fitted.model);
  const Space& space = query.fitted.space;
  for (std::size_t f = 0; score && f < space.features(); ++f) {
    if (space.is_category(f) || score->slope(space.input_of(f))) continue;
    const std::size_t column = space.first(f);
    const double width = static_cast<double>(row.hi[column] - row.lo[column]) * space.scale(column);
    if (width > 0 && !(width <= most_listed * query.fitted.writing.step[f])) return false;
  }
  return score != nullptr;
}

std::vector<LinearPiece> linear_pieces(const Query& query, const Additive& score, const Row& row) {
  std::vector<LinearPiece> pieces;
  for (std::size_t f = 0; f < query.fitted.space.features(); ++f) {
    const bool line = score.slope(query.fitted.space.input_of(f)).has_value();
    LinearPiece piece = query.fitted.space.is_category(f) ? category(query, score, row, f)
                        : line                            ? number(query, score, row, f)
                                                          : listed(query, score, row, f);
    if (piece.efficiency > 0) pieces.push_back(std::move(piece));
  }
  std::ranges::stable_sort(
      pieces, [](const LinearPiece& a, const LinearPiece& b) { return a.efficiency > b.efficiency; });
  return pieces;
}

}  // namespace scfe
