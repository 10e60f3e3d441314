#include "ask/verify.h"

#include <algorithm>
#include <cmath>

#include "scfe/diagnostics.h"
#include "scfe/text.h"
#include "text/text_table.h"

namespace scfe::app {
namespace {

struct Check {
  const Question& question;
  const GivenAnswer& given;
  std::vector<std::string> found = {};
  std::vector<std::string> changed = {};  // names

  void require(bool holds, const std::string& violation) {
    if (!holds) found.push_back(violation);
  }
};

void check_validity(Check& check) {
  const Schema& schema = check.question.bundle.encoder.schema();
  const GivenAnswer& given = check.given;
  const double p = given.prediction.probability[static_cast<std::size_t>(given.target)];
  check.require(given.prediction.winner == given.target, "validity: the model says " +
                                                             class_name(schema, given.prediction.winner) +
                                                             ", not " + class_name(schema, given.target));
  check.require(
      p >= check.question.options.probability,
      "probability: " + short_number(p) + " is below " + short_number(check.question.options.probability));
}

void check_number(Check& check, const Feature& limit, double from, double to) {
  const std::string what = limit.name + " = " + number_text(to);
  const double lo = std::min(*limit.min, from), hi = std::max(*limit.max, from);
  check.require(to >= lo, "range: " + what + " is below " + number_text(lo));
  check.require(to <= hi, "range: " + what + " is above " + number_text(hi));
  check.require(limit.direction != Direction::up || to >= from,
                "direction: " + what + " is below " + number_text(from) + ", may only rise");
  check.require(limit.direction != Direction::down || to <= from,
                "direction: " + what + " is above " + number_text(from) + ", may only fall");
  const double step = limit.step.value_or(0), k = step > 0 ? to / step : 0;
  const bool on_grid = std::abs(k - std::round(k)) <= 1e-9 * std::max(1.0, std::abs(k));
  check.require(on_grid || to == *limit.min || to == *limit.max,
                "step: " + what + " is no multiple of " + number_text(step));
}

void check_features(Check& check) {
  const Encoder& encoder = check.question.bundle.encoder;
  const Diagnostics diagnostics(check.question.bundle.explainer);
  const std::vector<Feature> limits = limited(check.question.bundle.explainer.features(), check.given.limits);
  const std::vector<double> from = encoder.values(check.given.factual),
                            to = encoder.values(*check.given.answer);
  for (std::size_t i = 0; i < from.size(); ++i) {
    const Feature& limit = limits[i];
    if (from[i] == to[i]) continue;
    if (!diagnostics.is_derived(i)) check.changed.push_back(limit.name);
    const std::string move =
        limit.name + " went from " + encoder.text(i, from[i]) + " to " + encoder.text(i, to[i]);
    check.require(!limit.immutable, "frozen: " + move);
    if (limit.is_category())
      check.require(may_become(limit, static_cast<int>(from[i]), static_cast<int>(to[i])),
                    "transition: " + move);
    else
      check_number(check, limit, from[i], to[i]);
  }
}

void check_rules(Check& check) {
  for (const std::string& rule :
       Diagnostics(check.question.bundle.explainer).broken_rules(check.given.factual, *check.given.answer))
    check.require(false, "rule: " + rule);
}

void check_changes(Check& check) {
  const Options& options = check.question.options;
  const std::size_t changes = check.changed.size();
  const std::string count = std::to_string(changes), names = join(check.changed, ";");
  const bool limited = options.sparsity == SparsityKind::top_m && limits_changes(options.method);
  check.require(!limited || changes <= static_cast<std::size_t>(options.max_changes),
                "changes: " + count + " are more than " + std::to_string(options.max_changes));
  check.require(!check.given.changes || *check.given.changes == count,
                "changes: the file says " + check.given.changes.value_or("") + ", there are " + count);
  check.require(!check.given.changed || *check.given.changed == names,
                "changed: the file says '" + check.given.changed.value_or("") + "', it is '" + names + "'");
  check.require(check.given.status != status_name(Status::already) || changes == 0,
                "changes: 'already' needs none, there are " + count);
}

void check_floor(Check& check) {
  const Diagnostics fitted(check.question.bundle.explainer);
  const Options& options = check.question.options;
  const GivenAnswer& given = check.given;
  const std::optional<double>& own = given.limits.log_density;
  const bool asked = options.density != DensityKind::none && (own || options.plausible > 0) &&
                     fitted.has_density(given.target);
  if (!asked) return;
  if (check.changed.empty()) return;  // a row that needs nothing stays as it is, however typical it is
  const double floor = own ? *own : fitted.floor(given.target, options.plausible);
  const Typicality typical = fitted.typicality(given.factual, *given.answer, given.target);
  const std::string wanted =
      own ? "a log-density of " + short_number(floor) + " was" : percent(options.plausible) + " were";
  const double tolerance = 1e-6 * std::max(1.0, std::abs(floor));
  if (given.status == status_name(Status::below_floor))
    return check.require(typical.log_density <= floor + tolerance,
                         "status: 'below_floor', but as typical as " + percent(typical.quantile));
  check.require(typical.log_density >= floor - tolerance,
                "floor: as typical as " + percent(typical.quantile) + ", " + wanted + " asked for");
}

// How robust a given answer is, with --robust.
Stability stability_of(const Question& question, const GivenAnswer& given) {
  Matrix answer(1, given.answer->size());
  answer.values = *given.answer;
  return Diagnostics(question.bundle.explainer)
      .stability(answer, question.options, std::vector<Target>{given.target})[0];
}

void check_stability(Check& check) {
  const double eps = check.question.options.robust;
  if (eps == 0) return;
  const Stability stability = stability_of(check.question, check.given);
  check.require(stability.holds, "robust: within " + percent(eps) + " of the ranges the margin may fall to " +
                                     short_number(stability.margin) + " (" +
                                     std::string(stability_name(stability.proof)) + ")");
}

// The limits that an answer breaks, as text for people. Empty if it keeps all of them.
std::vector<std::string> violations(const Question& question, const GivenAnswer& given) {
  if (!given.has_line) return {"missing: the answers do not have it"};
  if (!given.status.empty() && meaning_of(given.status) == Says::unknown)
    return {"status: '" + given.status +
            "' is none of valid, below_floor, already, not_found, time_limit, not_finite"};
  if (!given.answer && meaning_of(given.status) == Says::answer)
    return {"status: '" + given.status + "', but the cells are empty"};
  if (!given.blank && meaning_of(given.status) == Says::none)
    return {"status: '" + given.status + "', but the cells are not empty"};
  if (!given.answer) return {};
  Check check{question, given};
  check_validity(check);
  check_features(check);
  check_rules(check);
  check_changes(check);
  check_floor(check);
  check_stability(check);
  return check.found;
}

}  // namespace

Verified verify(const Question& question, const GivenAnswers& answers) {
  Verified result;
  result.without = answers.dropped;
  result.strays = answers.strays;
  for (const GivenAnswer& answer : answers.all) {
    ++(!answer.has_line ? result.missing : answer.answer ? result.checked : result.without);
    result.below += answer.status == status_name(Status::below_floor) ? 1 : 0;
    const std::vector<std::string> broken = violations(question, answer);
    if (answer.answer && question.options.robust > 0 && result.stability == StabilityProof::none)
      result.stability = stability_of(question, answer).proof;
    for (const std::string& violation : broken) result.violations.push_back({answer.name, violation});
    result.broken += answer.has_line && !broken.empty() ? 1 : 0;
  }
  return result;
}

}  // namespace scfe::app
