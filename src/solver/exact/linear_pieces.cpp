#include "solver/exact/linear_pieces.h"

#include <algorithm>
#include <cmath>

namespace scfe {
namespace {

double weight_of(const Query& query, std::size_t input) {
  return (query.target == 1 ? 1 : -1) * query.fitted.model.linear()->weight[0][input];
}

LinearPiece category(const Query& query, const Row& row, std::size_t f) {
  LinearPiece piece;
  piece.feature = f;
  std::vector<double> values = row.values, from(query.fitted.space.inputs()), to(from);
  query.fitted.space.to_inputs(values, from);
  for (const int level : row.levels[f]) {
    values[f] = level;
    query.fitted.space.to_inputs(values, to);
    double gain = 0;
    for (std::size_t i = query.fitted.space.input_of(f);
         i < query.fitted.space.input_of(f) + query.fitted.space.input_width(f); ++i)
      gain += weight_of(query, i) * (to[i] - from[i]);
    const double cost = query.fitted.space.cost(f, row.values[f], level);
    if (!(gain > 0)) continue;
    piece.options.push_back({static_cast<double>(level), gain, cost});
    piece.efficiency = std::max(piece.efficiency, cost > 0 ? gain * gain / cost : INFINITY);
  }
  return piece;
}

// The last writable number within a limit. A writable limit has a rounding error after the way through the
// work space; without a step, rounding to nine digits may go beyond the limit.
double writable_bound(const Query& query, std::size_t f, double u, double sign) {
  const std::size_t column = query.fitted.space.first(f);
  const double limit = query.fitted.space.to_original(column, u),
               written = query.fitted.writing.nearest(f, limit);
  const double tolerance = 1e-12 * (query.fitted.space.range(column) + std::abs(limit));
  if (sign * (written - limit) <= tolerance &&
      (query.fitted.writing.step[f] == 0 || std::abs(written - limit) <= tolerance))
    return written;
  if (query.fitted.writing.step[f] > 0) return query.fitted.writing.neighbour(f, limit, sign > 0 ? -1 : 1);
  const double digit = std::pow(10.0, std::floor(std::log10(std::abs(limit))) - 8);
  return query.fitted.writing.nearest(f, written - sign * digit);
}

LinearPiece number(const Query& query, const Row& row, std::size_t f) {
  LinearPiece piece;
  piece.feature = f;
  piece.number = true;
  const std::size_t column = query.fitted.space.first(f);
  const double a = weight_of(query, query.fitted.space.input_of(f)), x = row.values[f];
  const double w = a < 0 ? row.lo[column] : row.hi[column];
  piece.sign = a < 0 ? -1 : 1;
  if (a == 0 || w == 0 || std::isnan(x)) return piece;
  piece.reach = piece.sign * (writable_bound(query, f, row.factual[column] + w, piece.sign) - x);
  if (!(piece.reach > 0)) return piece;
  piece.slope = std::abs(a);
  piece.weight = query.fitted.space.cost(f, 0, 1);
  piece.efficiency = a * a / piece.weight;
  return piece;
}

}  // namespace

std::vector<LinearPiece> linear_pieces(const Query& query, const Row& row) {
  std::vector<LinearPiece> pieces;
  for (std::size_t f = 0; f < query.fitted.space.features(); ++f) {
    LinearPiece piece = query.fitted.space.is_category(f) ? category(query, row, f) : number(query, row, f);
    if (piece.efficiency > 0) pieces.push_back(std::move(piece));
  }
  std::ranges::stable_sort(
      pieces, [](const LinearPiece& a, const LinearPiece& b) { return a.efficiency > b.efficiency; });
  return pieces;
}

}  // namespace scfe
