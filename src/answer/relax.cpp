#include "answer/relax.h"

#include <algorithm>

#include "answer/lists.h"
#include "plan/catalogue.h"

namespace scfe {
namespace {

constexpr int further_changes = 2, further_changes_of_trees = 1;  // for trees every support is tried
constexpr int many = 12;

// Lifts the schema's limits of a feature, unless the question has a narrower one of the same kind.
void lift_schema(const Feature& of_schema, Feature& feature) {
  feature.immutable = feature.immutable && !of_schema.immutable;
  if (feature.direction == of_schema.direction) feature.direction = Direction::any;
  if (feature.transitions == of_schema.transitions) feature.transitions.clear();
}

}  // namespace

RelaxedSolver::RelaxedSolver(const Query& query, const TableRows& rows)
    : query_(query), rows_(rows), answers_(rows.factuals.rows) {}

bool RelaxedSolver::late() const { return is_past(query_.deadline); }

Relaxed RelaxedSolver::plain() const {
  Relaxed relaxed{.options = query_.options, .features = {}};
  relaxed.options.hints = relaxed.options.path = relaxed.options.certify = false;
  relaxed.options.answers = 1;
  relaxed.features.assign(query_.fitted.features.begin(), query_.fitted.features.end());
  relaxed.row_limits.assign(rows_.limits.begin(), rows_.limits.end());
  return relaxed;
}

Relaxed RelaxedSolver::more_changes() const {
  Relaxed relaxed = plain();
  const bool trees = query_.fitted.model.ensemble() != nullptr;
  relaxed.options.max_changes =
      std::min(relaxed.options.max_changes + (trees ? further_changes_of_trees : further_changes),
               static_cast<int>(relaxed.features.size()));
  relaxed.options.fewest_first = true;
  return relaxed;
}

Relaxed RelaxedSolver::many_changes() const {
  Relaxed relaxed = plain();
  if (query_.fitted.model.ensemble() != nullptr && !moves_all(relaxed.options))
    relaxed.options.solver = Solver::search;
  relaxed.options.max_changes =
      std::min(std::max(many, relaxed.options.max_changes), static_cast<int>(relaxed.features.size()));
  relaxed.options.fewest_first = true;
  return relaxed;
}

Relaxed RelaxedSolver::without(std::size_t f, Aspect aspect) const {
  Relaxed relaxed = plain();
  Feature& feature = relaxed.features[f];
  const Feature& of_schema = query_.fitted.schema_features[f];
  if (aspect == Aspect::frozen) feature.immutable = of_schema.immutable;
  if (aspect == Aspect::one_way) feature.direction = of_schema.direction;
  if (aspect == Aspect::levels) feature.transitions = of_schema.transitions;
  if (aspect == Aspect::upper) feature.max = of_schema.max;
  if (aspect == Aspect::lower) feature.min = of_schema.min;
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
  std::vector<std::string> texts = query_.fitted.rules.texts;
  texts.erase(texts.begin() + static_cast<std::ptrdiff_t>(rule));
  relaxed.rules = Rules(std::move(texts), relaxed.features);
  return relaxed;
}

bool RelaxedSolver::is_of_schema(std::size_t rule) const {
  return std::ranges::find(query_.fitted.schema_rules, query_.fitted.rules.texts[rule]) !=
         query_.fitted.schema_rules.end();
}

bool RelaxedSolver::derives(std::size_t rule) const {
  const Rules& rules = query_.fitted.rules;
  return std::ranges::any_of(rules.derived, [&](const Derivation& d) { return d.text == rules.texts[rule]; });
}

Relaxed RelaxedSolver::without_any(Whose whose) const {
  const bool asked = whose != Whose::schema, schema = whose == Whose::schema || whose == Whose::both;
  const std::span<const Feature> schema_features = query_.fitted.schema_features;
  Relaxed relaxed = asked ? more_changes() : plain();
  if (asked) {
    if (whose != Whose::question_limits)
      relaxed.options.plausible = relaxed.options.probability = relaxed.options.robust = 0;
    for (RowLimits& limits : relaxed.row_limits) {
      limits.features.clear();
      if (whose != Whose::question_limits) limits.log_density.reset();
    }
    relaxed.features.assign(schema_features.begin(), schema_features.end());
  }
  for (std::size_t f = 0; schema && f < schema_features.size(); ++f)
    lift_schema(schema_features[f], relaxed.features[f]);
  // Rules that derive a column stay, because such a column has no distance of its own.
  const std::vector<std::string>& rules = query_.fitted.rules.texts;
  std::vector<std::string> texts;
  for (std::size_t r = 0; r < rules.size(); ++r)
    if (derives(r) || !(is_of_schema(r) ? schema : asked)) texts.push_back(rules[r]);
  relaxed.rules = Rules(std::move(texts), relaxed.features);
  return relaxed;
}

Row RelaxedSolver::asked(std::size_t row) const {
  return std::move(make_rows(query_, rows_, {&row, 1}).front());
}

Feature RelaxedSolver::own(std::size_t row, std::size_t f) const {
  RowLimits own;
  if (!rows_.limits.empty())
    for (const FeatureLimit& limit : rows_.limits[row].features)
      if (limit.feature == f) own.features.push_back({0, limit.min, limit.max, limit.fixed});
  return limited({query_.fitted.features[f]}, own)[0];
}

bool RelaxedSolver::is_fixed(std::size_t row, std::size_t f) const {
  if (query_.fitted.features[f].immutable) return true;
  return !rows_.limits.empty() &&
         std::ranges::any_of(rows_.limits[row].features,
                             [&](const FeatureLimit& limit) { return limit.feature == f && limit.fixed; });
}

bool RelaxedSolver::limits(std::size_t row, std::size_t f, Aspect aspect) const {
  const Feature& of_schema = query_.fitted.schema_features[f];
  if (of_schema.immutable) return false;
  if (is_fixed(row, f) || aspect == Aspect::frozen) return is_fixed(row, f) && aspect == Aspect::frozen;
  const Feature feature = own(row, f);
  if (aspect == Aspect::one_way) return feature.direction != of_schema.direction;
  if (aspect == Aspect::levels) return feature.transitions != of_schema.transitions;
  if (feature.is_category()) return false;
  return aspect == Aspect::upper ? *feature.max < *of_schema.max : *feature.min > *of_schema.min;
}

std::vector<std::pair<std::size_t, Explanation>> RelaxedSolver::operator()(
    const Relaxed& relaxed, std::span<const std::size_t> rows) {
  const Fitted fitted =
      query_.fitted.with(relaxed.features, relaxed.rules ? *relaxed.rules : query_.fitted.rules);
  Options options = relaxed.options;
  options.below_floor = BelowFloor::none;  // an answer below the floor would be no hint
  Query query(fitted, options, query_.target, query_.deadline, query_.pool);
  query.answers_only = true;
  answer_lists(query, {rows_.factuals, rows, relaxed.row_limits}, answers_);
  std::vector<std::pair<std::size_t, Explanation>> valid;
  for (const std::size_t row : rows)
    if (const Status status = answers_[row].front().status;
        status == Status::valid || status == Status::already)
      valid.emplace_back(row, std::move(answers_[row].front()));
  return valid;
}

}  // namespace scfe
