#include "answer/describe.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "answer/reason.h"
#include "solver/proof.h"

namespace scfe {

Explanation describe(const Query& query, const Row& row, const Found& found) {
  const Space& space = query.fitted.space;
  Explanation e;
  e.target = query.target;
  e.status = found.status;
  e.reason = reason_of(query, row, found);
  e.counterfactual.resize(space.inputs());
  space.to_inputs(found.values, e.counterfactual);
  e.margin = found.margin;
  if (query.has_density()) {
    e.log_density = e.found() ? found.log_density : 0;
    e.quantile = e.found() ? quantile_of(query.fitted.density, found.log_density) : 0;
  }
  e.gradients = found.gradients;
  e.timed_out = found.timed_out;
  e.proof = is_proof(query, row, found) ? Proof::closest : found.certified;
  e.certificate = found.certificate;
  if (!found.certificate.empty()) {
    e.lower_bound = space.proximity().distance(found.lower_bound);
    e.reason += (e.reason.empty() ? "" : "; ") + found.certificate;
  }
  double square = 0;
  for (const int feature : space.changed(row.values, found.values)) {
    const auto f = static_cast<std::size_t>(feature);
    const double distance = space.distance(f, row.values[f], found.values[f]);
    e.changes.push_back({f, row.values[f], found.values[f]});
    e.l1 += distance;
    square += distance * distance;
  }
  e.l2 = std::sqrt(square);
  e.metric = space.proximity().squared ? Distance::l2 : query.options.distance;
  e.distance =
      space.proximity().squared ? e.l2 : space.proximity().distance(space.cost(row.values, found.values));
  return e;
}

bool closer(const Explanation& a, const Explanation& b, bool fewest_first) {
  const auto rank = [&](const Explanation& e) {
    const int kind = !e.found() ? 2 : e.status == Status::below_floor ? 1 : 0;
    return std::tuple(kind, kind == 0 && fewest_first ? e.changes.size() : 0, kind == 1 ? -e.quantile : 0.0,
                      e.distance);
  };
  return rank(a) < rank(b);
}

void drop_below_floor(std::vector<Explanation>& list) {
  if (std::ranges::find(list, Status::valid, &Explanation::status) != list.end())
    std::erase_if(list, [](const Explanation& e) { return e.status == Status::below_floor; });
}

std::vector<int> support_of(const Explanation& e) {
  std::vector<int> support;
  for (const FeatureChange& change : e.changes) support.push_back(static_cast<int>(change.feature));
  return support;
}

}  // namespace scfe
