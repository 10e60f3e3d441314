#include "answer/describe.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "answer/reason.h"
#include "solver/proof.h"
#include "support/text.h"

namespace scfe {

std::string_view status_name(Status status) {
  static constexpr std::string_view names[] = {"already",   "valid",      "below_floor",
                                               "not_found", "time_limit", "not_finite"};
  return names[static_cast<std::size_t>(status)];
}

std::string_view stability_name(StabilityProof proof) {
  static constexpr std::string_view names[] = {"", "exact", "bounded", "sampled"};
  return names[static_cast<std::size_t>(proof)];
}

std::string Explanation::reason() const {
  return reasons.empty() && knee ? std::string(knee_text) : join(reasons, "; ");
}

Lengths lengths_of(const Space& space, std::span<const double> from, std::span<const double> to) {
  Lengths lengths;
  double square = 0;
  for (std::size_t f = 0; f < to.size(); ++f) {
    const double distance = space.distance(f, from[f], to[f]);
    lengths.l1 += distance;
    square += distance * distance;
  }
  lengths.l2 = std::sqrt(square);
  lengths.distance =
      space.proximity().squared ? lengths.l2 : space.proximity().distance(space.cost(from, to));
  return lengths;
}

Explanation describe(const Query& query, const Row& row, const Found& found) {
  const Space& space = query.fitted.space;
  Explanation e;
  e.target = query.target;
  e.status = found.status;
  e.reasons = reasons_of(query, row, found);
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
    e.reasons.push_back(found.certificate);
  }
  for (const int feature : space.changed(row.values, found.values)) {
    const auto f = static_cast<std::size_t>(feature);
    e.changes.push_back({f, row.values[f], found.values[f]});
  }
  const Lengths lengths = lengths_of(space, row.values, found.values);
  e.l1 = lengths.l1;
  e.l2 = lengths.l2;
  e.metric = space.proximity().squared ? Distance::l2 : query.options.distance;
  e.distance = lengths.distance;
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
