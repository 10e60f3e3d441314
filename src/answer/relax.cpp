#include "answer/relax.h"

#include <algorithm>

namespace scfe {
namespace {

constexpr int further_changes = 2, further_changes_of_trees = 1;  // their supports are enumerated
constexpr int many = 12;

// What the schema says of a feature, and the question does not repeat more narrowly.
void lift_schema(const Feature& lasting, Feature& feature) {
  feature.immutable = feature.immutable && !lasting.immutable;
  if (feature.direction == lasting.direction) feature.direction = Direction::any;
  if (feature.transitions == lasting.transitions) feature.transitions.clear();
}

}  // namespace

RelaxedSolver::RelaxedSolver(const HintJob& job) : job_(job), answers_(job.rows.factuals.rows) {}

bool RelaxedSolver::late() const { return is_past(job_.deadline); }

Relaxed RelaxedSolver::plain() const {
  Relaxed relaxed{.options = job_.options, .features = {}};
  relaxed.options.hints = relaxed.options.path = relaxed.options.certify = false;
  relaxed.options.answers = 1;
  relaxed.features.assign(job_.setting.features.begin(), job_.setting.features.end());
  relaxed.row_limits.assign(job_.rows.limits.begin(), job_.rows.limits.end());
  return relaxed;
}

Relaxed RelaxedSolver::more_changes() const {
  Relaxed relaxed = plain();
  const bool trees = job_.setting.model.ensemble() != nullptr;
  relaxed.options.max_changes =
      std::min(relaxed.options.max_changes + (trees ? further_changes_of_trees : further_changes),
               static_cast<int>(relaxed.features.size()));
  relaxed.options.fewest_first = true;
  return relaxed;
}

Relaxed RelaxedSolver::many_changes() const {
  Relaxed relaxed = plain();
  if (job_.setting.model.ensemble() != nullptr && relaxed.options.solver != Solver::apg)
    relaxed.options.solver = Solver::search;
  relaxed.options.max_changes =
      std::min(std::max(many, relaxed.options.max_changes), static_cast<int>(relaxed.features.size()));
  relaxed.options.fewest_first = true;
  return relaxed;
}

Relaxed RelaxedSolver::without(std::size_t f, Aspect aspect) const {
  Relaxed relaxed = plain();
  Feature& feature = relaxed.features[f];
  const Feature& lasting = job_.setting.lasting[f];
  if (aspect == Aspect::frozen) feature.immutable = lasting.immutable;
  if (aspect == Aspect::one_way) feature.direction = lasting.direction;
  if (aspect == Aspect::levels) feature.transitions = lasting.transitions;
  if (aspect == Aspect::upper) feature.max = lasting.max;
  if (aspect == Aspect::lower) feature.min = lasting.min;
  for (RowLimits& row : relaxed.row_limits)
    for (FeatureLimit& limit : row.features) {
      if (limit.feature != f) continue;
      if (aspect == Aspect::frozen) limit.fixed = false;
      if (aspect == Aspect::upper) limit.max.reset();
      if (aspect == Aspect::lower) limit.min.reset();
    }
  return relaxed;
}

Relaxed RelaxedSolver::without_rule(std::size_t rule) const {
  Relaxed relaxed = plain();
  std::vector<std::string> texts = job_.setting.rules.texts;
  texts.erase(texts.begin() + static_cast<std::ptrdiff_t>(rule));
  relaxed.rules = Rules(std::move(texts), relaxed.features);
  return relaxed;
}

bool RelaxedSolver::is_lasting(std::size_t rule) const {
  return std::ranges::find(job_.setting.lasting_rules, job_.setting.rules.texts[rule]) !=
         job_.setting.lasting_rules.end();
}

bool RelaxedSolver::derives(std::size_t rule) const {
  const Rules& rules = job_.setting.rules;
  return std::ranges::any_of(rules.derived, [&](const Derivation& d) { return d.text == rules.texts[rule]; });
}

Relaxed RelaxedSolver::without_any(Whose whose) const {
  const bool asked = whose != Whose::schema, schema = whose == Whose::schema || whose == Whose::both;
  const std::span<const Feature> lasting = job_.setting.lasting;
  Relaxed relaxed = asked ? more_changes() : plain();
  if (asked) {
    if (whose != Whose::limits)
      relaxed.options.plausible = relaxed.options.probability = relaxed.options.robust = 0;
    for (RowLimits& limits : relaxed.row_limits) {
      limits.features.clear();
      if (whose != Whose::limits) limits.log_density.reset();
    }
    relaxed.features.assign(lasting.begin(), lasting.end());
  }
  for (std::size_t f = 0; schema && f < lasting.size(); ++f) lift_schema(lasting[f], relaxed.features[f]);
  // Columns that a rule derives have no distance: those rules stay.
  const std::vector<std::string>& rules = job_.setting.rules.texts;
  std::vector<std::string> texts;
  for (std::size_t r = 0; r < rules.size(); ++r)
    if (derives(r) || !(is_lasting(r) ? schema : asked)) texts.push_back(rules[r]);
  relaxed.rules = Rules(std::move(texts), relaxed.features);
  return relaxed;
}

Feature RelaxedSolver::own(std::size_t row, std::size_t f) const {
  RowLimits own;
  if (!job_.rows.limits.empty())
    for (const FeatureLimit& limit : job_.rows.limits[row].features)
      if (limit.feature == f) own.features.push_back({0, limit.min, limit.max, limit.fixed});
  return limited({job_.setting.features[f]}, own)[0];
}

bool RelaxedSolver::is_fixed(std::size_t row, std::size_t f) const {
  if (job_.setting.features[f].immutable) return true;
  return !job_.rows.limits.empty() &&
         std::ranges::any_of(job_.rows.limits[row].features,
                             [&](const FeatureLimit& limit) { return limit.feature == f && limit.fixed; });
}

bool RelaxedSolver::limits(std::size_t row, std::size_t f, Aspect aspect) const {
  const Feature& lasting = job_.setting.lasting[f];
  if (lasting.immutable) return false;
  if (is_fixed(row, f) || aspect == Aspect::frozen) return is_fixed(row, f) && aspect == Aspect::frozen;
  const Feature feature = own(row, f);
  if (aspect == Aspect::one_way) return feature.direction != lasting.direction;
  if (aspect == Aspect::levels) return feature.transitions != lasting.transitions;
  if (feature.is_category()) return false;
  return aspect == Aspect::upper ? *feature.max < *lasting.max : *feature.min > *lasting.min;
}

std::vector<std::pair<std::size_t, Explanation>> RelaxedSolver::operator()(
    const Relaxed& relaxed, std::span<const std::size_t> rows) {
  const Setting& s = job_.setting;
  const Setting setting{
      s.model,          s.space,      s.writing,        relaxed.rules ? *relaxed.rules : s.rules,
      relaxed.features, s.density,    s.neighbour_grid, s.lasting,
      s.lasting_rules,  s.class_rows, s.autoencoder};
  explain_rows(setting, relaxed.options, {job_.rows.factuals, rows, job_.rows.target, relaxed.row_limits},
               job_.deadline, job_.pool, answers_);
  std::vector<std::pair<std::size_t, Explanation>> valid;
  for (const std::size_t row : rows)
    if (const Status status = answers_[row].front().status;
        status == Status::valid || status == Status::already)
      valid.emplace_back(row, std::move(answers_[row].front()));
  return valid;
}

}  // namespace scfe
