#include "method/certify_rows.h"

#include <cmath>

#include "method/catalogue.h"
#include "method/certificate.h"
#include "scfe/error.h"
#include "solver/proof.h"
#include "solver/written/write_rows.h"
#include "support/text.h"
#include "validity/rounding.h"

namespace scfe {
namespace {

// Answers this close to the bound, relatively, count as optimal: rounding to nine digits and the extra margin
// cost about as much.
constexpr double optimal = 1e-4;

void certify_closest(std::string text, Found& found) {
  found.certificate = std::move(text);
  found.certified = Proof::closest;
  found.proven = true;
}

class Certifier {
 public:
  explicit Certifier(const Query& query)
      : query_(query), pieces_(query.fitted.model, query.fitted.space, query.target) {}

  void run(const Row& row, Found& found) const {
    if (found.status == Status::already) {
      certify_closest("proven optimal", found);
      return;
    }
    if (!found.answered() && found.status != Status::not_found) return;
    // The bound would be one for rows whose derived columns stay as they are.
    if (const Rules& rules = query_.fitted.rules; !rules.derived.empty()) {
      found.certificate = "no bound: " + query_.fitted.features[rules.derived.front().feature].name +
                          " follows from other features";
      return;
    }
    const std::size_t changes = changes_allowed(row, found);
    if (count_supports(row.factual.size(), changes) > most_supports) {
      found.certificate = "no bound: more than " + number(most_supports) + " sets of " +
                          std::to_string(changes) + " features";
      return;
    }
    const Certificate certificate = certify(
        {pieces_, row.factual, query_.fitted.space.weight(), row.lo, row.hi,
         row.required - single_precision_slack(found.margin, pieces_.smallest_margin(row.factual)), changes,
         found.answered() ? cost(row, found) : INFINITY, until(), query_.fitted.space.proximity()});
    if (!certificate.closest.empty()) take_closer(row, certificate, found);
    found.lower_bound = certificate.lower_bound;
    describe(row, certificate, found);
  }

 private:
  // Half of the time limit is reserved for rows that have no answer yet.
  Deadline until() const { return query_.deadline.sooner_by(query_.options.time_limit / 2); }

  double cost(const Row& row, const Found& found) const {
    return query_.fitted.space.cost(row.values, found.values);
  }

  std::size_t changes_allowed(const Row& row, const Found& found) const {
    const Options& o = query_.options;
    const std::size_t changed = query_.fitted.space.changes(row.values, found.values);
    const auto most = static_cast<std::size_t>(o.max_changes);
    if (!found.answered()) return most;
    return o.fewest_first || changed > most ? changed : most;
  }

  // Replaces the answer by the closer point, if that is still valid and closer once it is written.
  void take_closer(const Row& row, const Certificate& certificate, Found& found) const {
    if (!find_method(query_.options.method).ours) return;  // answers of the compared methods are not improved
    if (found.answered() && certificate.cost > cost(row, found) * (1 - optimal)) return;
    // The closest point lies on the decision boundary. Single precision may need a slightly larger change.
    for (const double stretch : {1.0, 1 + 1e-6, 1 + 1e-5, 1 + 1e-4}) {
      ApgFound point;
      point.valid = point.meets_floor = true;
      for (const double w : certificate.closest) point.w.push_back(stretch * w);
      take_if_closer(row, point, found);
    }
  }

  void take_if_closer(const Row& row, const ApgFound& point, Found& found) const {
    Found other;
    write_rows(query_, 0, {&row, 1}, {&point, 1}, {&other, 1});
    const bool better =
        other.status == Status::valid &&
        (!found.answered() || found.status == Status::below_floor || cost(row, other) < cost(row, found));
    if (!better) return;
    other.gradients = found.gradients;
    found = std::move(other);
  }

  void describe(const Row& row, const Certificate& certificate, Found& found) const {
    if (!found.answered()) {
      if (certificate.complete && std::isinf(certificate.cost))
        certify_closest("proven: there is none", found);
      found.lower_bound = 0;
      return;
    }
    const Proximity& proximity = query_.fitted.space.proximity();
    const double distance = proximity.length(cost(row, found)),
                 least = proximity.length(certificate.lower_bound);
    found.proven = distance <= least * (1 + optimal);
    if (found.proven) return certify_closest("proven optimal", found);
    found.certified = least > 0 ? Proof::within_bound : Proof::none;
    found.certificate =
        least > 0 ? "within " + number(100 * (distance / least - 1)) + " %" : "no bound: time was up";
  }

  const Query& query_;
  Pieces pieces_;
};

}  // namespace

void check_certify(const Model& model, const Space& space, const Options& options) {
  if (!options.certify) return;
  if (options.robust > 0) throw Error("certify", "no robust answers beside it", number(options.robust));
  if (model.ensemble() != nullptr) return;
  if (!is_relu_network(model))
    throw Error("certify", "a linear model, dense layers with ReLU between them, or a tree ensemble",
                "another model");
  if (space.has_categories()) throw Error("certify", "a table of numbers", "categories");
  if (!options.reach.empty()) throw Error("certify", "a classifier", "a regression model (reach)");
  if (options.probability > 0 && model.scores() > 1)
    throw Error("certify", "no probability beside it (of several classes)", number(options.probability));
}

void certify_rows(const Query& query, std::span<const Row> rows, std::span<Found> found) {
  if (query.fitted.model.ensemble() != nullptr) {  // the exact solver proves its answers itself
    for (std::size_t i = 0; i < found.size(); ++i)
      if (found[i].answered() && is_proof(query, rows[i], found[i]))
        certify_closest("proven optimal", found[i]);
    return;
  }
  const Certifier certifier(query);
  query.pool.each(found.size(), [&](std::size_t i) { certifier.run(rows[i], found[i]); });
}

}  // namespace scfe
