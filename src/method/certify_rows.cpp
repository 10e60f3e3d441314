#include "method/certify_rows.h"

#include <algorithm>
#include <cmath>

#include "method/certificate.h"
#include "scfe/error.h"
#include "solver/written/write_rows.h"
#include "support/text.h"

namespace scfe {
namespace {

// An answer is what holds in single precision: the bound lets it miss the margin by this.
constexpr double single_dust = 5e-6;
// Answers so close to the bound, relatively, count as optimal: rounding to nine digits and the cushion on the
// margin cost about as much.
constexpr double optimal = 1e-4;

bool answered(const Found& found) {
  return found.status == Status::valid || found.status == Status::below_floor;
}

class Certifier {
 public:
  explicit Certifier(const Problem& problem)
      : problem_(problem), pieces_(problem.setting.model, problem.setting.space, problem.target) {}

  void run(const Instance& instance, Found& found) const {
    if (found.status == Status::already) {
      found.certificate = "proven optimal";
      found.proven = true;
      return;
    }
    if (!answered(found) && found.status != Status::not_found) return;
    const std::size_t changes = changes_allowed(instance, found);
    if (count_supports(instance.factual.size(), changes) > most_supports) {
      found.certificate = "no bound: more than " + number(most_supports) + " sets of " +
                          std::to_string(changes) + " features";
      return;
    }
    const double required = problem_.wished.validity.required() + instance.extra_margin;
    const Certificate certificate =
        certify({pieces_, instance.factual, problem_.setting.space.weight(), instance.lo, instance.hi,
                 required - single_dust * (1 + std::abs(found.margin) +
                                           std::abs(pieces_.smallest_margin(instance.factual))),
                 changes, answered(found) ? cost(instance, found) : INFINITY, until()});
    if (!certificate.closest.empty()) take_closer(instance, certificate, found);
    found.lower_bound = certificate.lower_bound;
    describe(instance, certificate, found);
  }

 private:
  // Half of a time limit is left for the rows that still want an answer.
  Deadline until() const {
    const std::chrono::duration<double> half(problem_.options.time_limit / 2);
    if (problem_.deadline == Deadline::max()) return problem_.deadline;
    return problem_.deadline - std::chrono::duration_cast<Deadline::duration>(half);
  }

  double cost(const Instance& instance, const Found& found) const {
    double sum = 0;
    for (std::size_t f = 0; f < found.values.size(); ++f)
      sum += problem_.setting.space.cost(f, instance.values[f], found.values[f]);
    return sum;
  }

  std::size_t changes_allowed(const Instance& instance, const Found& found) const {
    const Options& o = problem_.options;
    std::size_t changed = 0;
    for (std::size_t f = 0; f < found.values.size(); ++f) changed += found.values[f] != instance.values[f];
    const auto most = static_cast<std::size_t>(o.max_changes);
    if (!answered(found)) return most;
    return o.fewest_first || changed > most ? changed : most;
  }

  // The closer point as it would be written; kept if that holds and is closer still.
  void take_closer(const Instance& instance, const Certificate& certificate, Found& found) const {
    if (problem_.options.method != Method::scfe) return;  // a compared method's answer is its own
    if (answered(found) && certificate.cost > cost(instance, found) * (1 - optimal)) return;
    // The closest point sits on the line; how far beyond it single precision agrees is tried out.
    for (const double stretch : {1.0, 1 + 1e-6, 1 + 1e-5, 1 + 1e-4}) {
      ApgFound point;
      point.valid = point.meets_floor = true;
      for (const double w : certificate.closest) point.w.push_back(stretch * w);
      take_if_closer(instance, point, found);
    }
  }

  void take_if_closer(const Instance& instance, const ApgFound& point, Found& found) const {
    Found other;
    write_rows({problem_.wished, problem_.setting.writing, problem_.wished.validity.required()},
               {&instance, 1}, {&point, 1}, {&other, 1});
    const bool better =
        other.status == Status::valid && (!answered(found) || found.status == Status::below_floor ||
                                          cost(instance, other) < cost(instance, found));
    if (!better) return;
    other.gradients = found.gradients;
    found = std::move(other);
  }

  void describe(const Instance& instance, const Certificate& certificate, Found& found) const {
    if (!answered(found)) {
      if (certificate.complete && std::isinf(certificate.cost)) {
        found.certificate = "proven: there is none";
        found.proven = true;
      }
      found.lower_bound = 0;
      return;
    }
    const double l2 = std::sqrt(cost(instance, found)), least = std::sqrt(certificate.lower_bound);
    found.proven = l2 <= least * (1 + optimal);
    if (found.proven) {
      found.certificate = "proven optimal";
      return;
    }
    found.certificate =
        least > 0 ? "within " + number(100 * (l2 / least - 1)) + " %" : "no bound: time was up";
  }

  const Problem& problem_;
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

void certify_rows(const Problem& problem, std::span<Found> found) {
  if (problem.setting.model.ensemble() != nullptr) {  // its own solver proves what it finds
    for (std::size_t i = 0; i < found.size(); ++i)
      if (found[i].proven && answered(found[i]) && !problem.instances[i].floor &&
          !problem.instances[i].allowed)
        found[i].certificate = "proven optimal";
    return;
  }
  const Certifier certifier(problem);
  problem.pool.each(found.size(), [&](std::size_t i) { certifier.run(problem.instances[i], found[i]); });
}

}  // namespace scfe
