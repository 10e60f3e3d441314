// Schema from and to JSON; scfe/schema.h describes the format.
#include <cmath>

#include "data/json_cursor.h"
#include "data/levels_json.h"
#include "data/number.h"
#include "data/schema.h"
#include "scfe/file.h"

namespace scfe {
namespace {

constexpr const char* format_name = "scfe-schema";

// Reading.

void read_range(const JsonCursor& at, Feature& feature) {
  const std::vector<JsonCursor> bounds = at.list();
  if (bounds.size() != 2) at.reject("[lo, hi]");
  if (!bounds[0].is_null()) feature.min = bounds[0].number();
  if (!bounds[1].is_null()) feature.max = bounds[1].number();
}

// A cell may be given as a JSON number or as text.
std::string cell_text(const JsonCursor& at) { return at.is_number() ? number_text(at.number()) : at.text(); }

Column read_column(const JsonCursor& at) {
  at.only({"name", "type", "range", "decimals", "step", "written_decimals", "unit", "immutable", "direction",
           "weight", "levels", "encoding", "order", "distances", "transitions", "other", "fill"});
  Column column;
  Feature& f = column.feature;
  f.name = at.at("name").text();
  f.kind = at.at("type").choice(kind_names);
  if (const auto range = at.find("range")) read_range(*range, f);
  if (const auto decimals = at.find("decimals")) f.step = step_of_decimals(decimals->whole_number(0, 15));
  if (const auto step = at.find("step")) {
    if (f.step) step->reject("either decimals or step, not both");
    f.step = step->number();
  }
  if (const auto written = at.find("written_decimals"))
    column.written_decimals = written->whole_number(0, 15);
  if (const auto unit = at.find("unit")) f.unit = unit->text();
  if (const auto immutable = at.find("immutable")) f.immutable = immutable->boolean();
  if (const auto direction = at.find("direction")) f.direction = direction->choice(direction_names);
  if (const auto weight = at.find("weight")) f.weight = weight->number();
  if (const auto levels = at.find("levels")) f.levels = levels->texts();
  if (const auto encoding = at.find("encoding")) {
    if (f.kind != Kind::categorical) encoding->reject("an encoding for categorical features only");
    column.feature.encoding = encoding->choice(encoding_names);
  }
  read_level_tables(at, f);
  if (const auto other = at.find("other")) column.other = other->text();
  if (const auto fill = at.find("fill")) column.fill = cell_text(*fill);
  return column;
}

Label read_label(const JsonCursor& at) {
  at.only({"column", "classes", "above"});
  Label label;
  label.column = at.at("column").text();
  if (const auto above = at.find("above")) label.above = above->number();
  for (const JsonCursor& entry : at.at("classes").list()) {
    if (entry.is_text()) {
      label.classes.push_back(
          {entry.text(), label.above ? std::vector<std::string>{} : std::vector{entry.text()}});
      continue;
    }
    entry.only({"name", "values"});
    LabelClass named{entry.at("name").text(), {}};
    for (const JsonCursor& value : entry.at("values").list()) named.values.push_back(cell_text(value));
    label.classes.push_back(std::move(named));
  }
  return label;
}

void read_learned(const JsonCursor& at, Schema& schema) {
  for (const JsonCursor& entry : at.list()) {
    entry.only({"rule", "evidence", "used"});
    LearnedRule rule{entry.at("rule").text(), entry.at("evidence").text()};
    if (const auto used = entry.find("used")) rule.used = used->boolean();
    if (rule.used) schema.rules.push_back(rule.text);
    schema.learned.push_back(std::move(rule));
  }
}

Schema read_document(const JsonCursor& at) {
  at.only({"format", "version", "label", "id", "ignore", "missing", "features", "rules", "learned_rules"});
  if (at.at("format").text() != format_name) at.at("format").reject('"' + std::string(format_name) + '"');
  if (at.at("version").number() != 1) at.at("version").reject("1");
  Schema schema;
  if (const auto label = at.find("label")) schema.label = read_label(*label);
  if (const auto id = at.find("id")) schema.id = id->text();
  if (const auto ignore = at.find("ignore")) schema.ignore = ignore->texts();
  if (const auto missing = at.find("missing")) {
    missing->only({"policy", "strings"});
    if (const auto policy = missing->find("policy")) schema.missing = policy->choice(missing_names);
    if (const auto strings = missing->find("strings")) schema.missing_strings = strings->texts();
  }
  for (const JsonCursor& entry : at.at("features").list()) schema.columns.push_back(read_column(entry));
  if (const auto rules = at.find("rules")) schema.rules = rules->texts();
  if (const auto learned = at.find("learned_rules")) read_learned(*learned, schema);
  return schema;
}

// Writing.

using Ordered = nlohmann::ordered_json;

// Whole numbers without a decimal point: 4 instead of 4.0.
Ordered number_json(double value) {
  constexpr double exact = 9007199254740992.0;  // 2^53
  if (value == std::round(value) && std::abs(value) < exact) return static_cast<std::int64_t>(value);
  return value;
}

Ordered bound(const std::optional<double>& value) { return value ? number_json(*value) : Ordered(nullptr); }

// JSON on one line, with spaces after commas and colons.
std::string line_of(const Ordered& json) {
  if (!json.is_structured()) return json.dump(-1, ' ', false, Ordered::error_handler_t::replace);
  std::string text;
  for (const auto& [key, value] : json.items()) {
    if (!text.empty()) text += ", ";
    text += (json.is_object() ? line_of(key) + ": " : "") + line_of(value);
  }
  return json.is_object() ? "{" + text + "}" : "[" + text + "]";
}

void write_step(double step, Ordered& entry) {
  const std::optional<int> decimals = step > 0 ? decimals_of_step(step) : std::nullopt;
  if (decimals && step_of_decimals(*decimals) == step)
    entry["decimals"] = *decimals;
  else
    entry["step"] = number_json(step);
}

Ordered feature_json(const Column& column) {
  const Feature& f = column.feature;
  Ordered entry;
  entry["name"] = f.name;
  entry["type"] = name_of(kind_names, f.kind);
  if (column.has_levels()) entry["levels"] = f.levels;
  if (column.feature.encoding != Encoding::one_hot)
    entry["encoding"] = name_of(encoding_names, column.feature.encoding);
  write_level_tables(f, entry);
  if (!column.other.empty()) entry["other"] = column.other;
  if (f.min || f.max) entry["range"] = {bound(f.min), bound(f.max)};
  if (f.step) write_step(*f.step, entry);
  if (column.written_decimals) entry["written_decimals"] = *column.written_decimals;
  if (!f.unit.empty()) entry["unit"] = f.unit;
  entry["immutable"] = f.immutable;
  entry["direction"] = name_of(direction_names, f.direction);
  entry["weight"] = number_json(f.weight);
  if (column.fill && column.has_levels()) entry["fill"] = *column.fill;
  // Written as a number only if that reproduces the cell's exact text.
  if (column.fill && !column.has_levels()) {
    const std::optional<double> value = parse_number(*column.fill);
    entry["fill"] =
        value && number_text(*value) == *column.fill ? number_json(*value) : Ordered(*column.fill);
  }
  return entry;
}

Ordered label_json(const Label& label) {
  Ordered entry;
  entry["column"] = label.column;
  if (label.above) entry["above"] = number_json(*label.above);
  for (const LabelClass& named : label.classes) {
    const bool plain = label.above || named.values == std::vector{named.name};
    entry["classes"].push_back(plain ? Ordered(named.name)
                                     : Ordered{{"name", named.name}, {"values", named.values}});
  }
  return entry;
}

// One line for each entry; nothing for an empty list.
std::string list_text(const std::string& key, const std::vector<Ordered>& entries) {
  std::string text;
  for (const Ordered& entry : entries)
    text += (text.empty() ? ",\n  \"" + key + "\": [\n    " : ",\n    ") + line_of(entry);
  return text.empty() ? text : text + "\n  ]";
}

}  // namespace

Schema parse_schema(const std::string& text, const std::string& source) {
  const nlohmann::json document = parse_json(text, source);
  Schema schema = read_document(JsonCursor(document, source));
  check_schema(schema, source);
  return schema;
}

Schema read_schema(const std::string& path) { return parse_schema(read_file(path), path); }

std::string schema_text(const Schema& schema) {
  const auto line = [](const char* key, const Ordered& value) {
    return "  \"" + std::string(key) + "\": " + line_of(value);
  };
  std::string text = "{\n" + line("format", format_name) + ",\n" + line("version", 1) + ",\n";
  if (!schema.label.column.empty()) text += line("label", label_json(schema.label)) + ",\n";
  if (!schema.id.empty()) text += line("id", schema.id) + ",\n";
  if (!schema.ignore.empty()) text += line("ignore", schema.ignore) + ",\n";
  const Ordered missing{{"policy", name_of(missing_names, schema.missing)},
                        {"strings", schema.missing_strings}};
  text += line("missing", missing) + ",\n  \"features\": [";
  for (std::size_t i = 0; i < schema.columns.size(); ++i)
    text += (i == 0 ? "\n    " : ",\n    ") + line_of(feature_json(schema.columns[i]));
  text += "\n  ]";
  std::vector<Ordered> own, learned;
  for (const std::string& rule : schema.own_rules()) own.emplace_back(rule);
  for (const LearnedRule& rule : schema.learned)
    learned.push_back({{"rule", rule.text}, {"evidence", rule.evidence}, {"used", rule.used}});
  return text + list_text("rules", own) + list_text("learned_rules", learned) + "\n}\n";
}

void write_schema(const std::string& path, const Schema& schema) { write_file(path, schema_text(schema)); }

}  // namespace scfe
