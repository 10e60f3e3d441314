#include "ask/limits.h"

#include <algorithm>

#include "ask/learned_rules.h"
#include "ask/question.h"
#include "scfe/error.h"
#include "scfe/rules.h"
#include "scfe/text.h"

namespace scfe::app {
namespace {

struct Limits {
  Schema schema;
  std::vector<Feature> features;  // with the defaults that fitting filled in
};

template <class Edit>
void edit(Limits& limits, std::size_t column, const Edit& change) {
  change(limits.schema.columns[column].feature);
  change(limits.features[column]);
}

std::size_t column_of(const Limits& limits, const std::string& name, const std::string& flag) {
  try {
    return limits.schema.find(name);
  } catch (const Error& error) {
    throw Error("--" + flag + ": " + error.what());
  }
}

void set_range(Limits& limits, const std::string& text) {
  const std::size_t equals = text.rfind('='), colon = text.rfind(':');
  const auto fail = [&] { throw Error("--range", "FEATURE=LO:HI, either may be empty", "'" + text + "'"); };
  if (equals == std::string::npos || colon == std::string::npos || colon < equals) fail();
  const std::size_t column = column_of(limits, text.substr(0, equals), "range");
  if (limits.schema.columns[column].has_levels())
    throw Error("--range", "a feature of numbers", "'" + text.substr(0, equals) + "', which has levels");
  const auto side = [&](const std::string& cell, auto member) {
    if (cell.empty()) return;
    const std::optional<double> value = parse_number(cell);
    if (!value) fail();
    edit(limits, column, [&](Feature& feature) { feature.*member = value; });
  };
  side(text.substr(equals + 1, colon - equals - 1), &Feature::min);
  side(text.substr(colon + 1), &Feature::max);
  edit(limits, column, [&](const Feature& feature) {
    if (feature.min && feature.max && *feature.min > *feature.max)
      throw Error("--range", "LO <= HI (a side that is left open is the schema's or the training rows')",
                  "'" + text + "', which is " + number(*feature.min) + " to " + number(*feature.max));
  });
}

void set_direction(Feature& feature, Direction direction, const char* flag) {
  if (feature.kind == Kind::categorical && feature.order.empty())
    throw Error(flag, "numbers, or levels with an order (`order` in the schema gives them one)",
                "'" + feature.name + "' with the levels " + join(feature.levels, ", "));
  if (feature.direction != Direction::any && feature.direction != direction)
    throw Error(
        flag, "features that the schema lets go that way",
        "'" + feature.name + "', whose direction is " + (feature.direction == Direction::up ? "up" : "down"));
  feature.direction = direction;
}

// False if the learned rule cannot stand beside the user's, as a second formula for one column.
bool may_stand_beside(std::vector<std::string> rules, const std::string& learned,
                      const std::vector<Feature>& features) {
  rules.insert(rules.begin(), learned);
  try {
    check_rules(rules, features);
    return true;
  } catch (const Error&) {
    return false;
  }
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

void add_rules(Schema& schema, const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  std::vector<Feature> features;
  for (const Column& column : schema.columns) features.push_back(column.feature);
  try {
    check_rules(texts, features);
  } catch (const Error& error) {
    throw Error(std::string("--rule: ") + error.what());
  }
  for (LearnedRule& rule : schema.learned) {
    if (!rule.used || may_stand_beside(texts, rule.text, features)) continue;
    rule.used = false;
    std::erase(schema.rules, rule.text);
  }
  for (const std::string& text : texts)
    if (!contains(schema.rules, text)) schema.rules.push_back(text);
  try {
    check_rules(schema.rules, features);
  } catch (const Error& error) {
    throw Error(std::string("--rule: ") + error.what());
  }
}

std::vector<std::string> feature_names(const Schema& schema) {
  std::vector<std::string> names;
  for (const Column& column : schema.columns) names.push_back(column.feature.name);
  return names;
}

}  // namespace

std::vector<Flag> limit_flags() {
  return {{"freeze", "A,B", "these features may not change", group::limits, true},
          {"only-up", "A,B", "these may only rise", group::limits, true},
          {"only-down", "A,B", "these may only fall", group::limits, true},
          {"range", "A=LO:HI", "this one may go from LO to HI, either may be empty; can be repeated",
           group::limits, true},
          {"rule", "TEXT", "between features: \"used <= limit\", \"a + b = 1\"; can be repeated",
           group::limits, true}};
}

std::vector<std::string> names_in(const std::vector<std::string>& texts, std::span<const std::string> known) {
  std::vector<std::string> names;
  for (const std::string& text : texts) {
    if (std::ranges::find(known, text) != known.end()) {
      names.push_back(text);
      continue;
    }
    for (std::size_t from = 0; from <= text.size();) {
      const std::size_t comma = std::min(text.find(',', from), text.size());
      names.push_back(text.substr(from, comma - from));
      from = comma + 1;
    }
  }
  return names;
}

void set_limits(Bundle& bundle, const Arguments& arguments) {
  Limits limits{bundle.encoder.schema(), bundle.explainer.features()};
  const std::vector<std::string> known = feature_names(limits.schema);
  const auto each = [&](const std::string& flag, const auto& change) {
    for (const std::string& name : names_in(arguments.all(flag), known))
      edit(limits, column_of(limits, name, flag), change);
  };
  each("freeze", [](Feature& feature) { feature.immutable = true; });
  each("only-up", [](Feature& feature) { set_direction(feature, Direction::up, "--only-up"); });
  for (const std::string& name : names_in(arguments.all("only-down"), known))
    if (contains(names_in(arguments.all("only-up"), known), name))
      throw Error("--only-down", "features that are not in --only-up", "'" + name + "'");
  each("only-down", [](Feature& feature) { set_direction(feature, Direction::down, "--only-down"); });
  for (const std::string& text : arguments.all("range")) set_range(limits, text);
  const bool changed = arguments.has("freeze") || arguments.has("only-up") || arguments.has("only-down") ||
                       arguments.has("range");
  if (arguments.has("id")) {
    limits.schema.id = arguments.text("id");
    std::erase(limits.schema.ignore, limits.schema.id);
  }
  add_rules(limits.schema, arguments.all("rule"));
  if (changed || arguments.has("id") || arguments.has("rule")) {
    check_schema(limits.schema, "schema");
    bundle.encoder = Encoder(limits.schema);
  }
  if (arguments.has("rule")) bundle.explainer = bundle.explainer.with_rules(limits.schema.rules);
  if (changed) bundle.explainer = bundle.explainer.with_features(limits.features);
  arguments.warn(contradictions_of(bundle));
}

}  // namespace scfe::app
