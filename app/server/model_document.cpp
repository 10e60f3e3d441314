#include "server/model_document.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "ask/limits.h"
#include "scfe/diagnostics.h"
#include "scfe/text.h"
#include "server/models.h"
#include "text/json_text.h"

namespace scfe::server {
namespace {

using app::json_number;
using app::json_quoted;
using app::JsonObject;

constexpr std::size_t bins = 24, most_drawn = 200;  // features with a histogram

std::string or_null(const std::string& text) { return text.empty() ? "null" : json_quoted(text); }

template <class List, class Text>
std::string json_list(const List& list, const Text& text) {
  std::string json;
  for (const auto& entry : list) json += (json.empty() ? "" : ", ") + std::string(text(entry));
  return "[" + json + "]";
}

std::string_view kind_name(Kind kind) {
  constexpr std::array<std::string_view, 5> names = {"continuous", "integer", "ordinal", "binary",
                                                     "categorical"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view direction_name(Direction direction) {
  return direction == Direction::up ? "up" : direction == Direction::down ? "down" : "any";
}

struct Image {
  std::size_t width = 0, height = 0;
};

// Pixels are named y0x0, y0x1, ... row by row, as `scfe images` names them.
Image image_of(const Schema& schema) {
  Image image;
  for (const Column& column : schema.columns) {
    unsigned y = 0, x = 0;
    int read = 0;
    const std::string& name = column.feature.name;
    if (std::sscanf(name.c_str(), "y%ux%u%n", &y, &x, &read) != 2 ||
        static_cast<std::size_t>(read) != name.size())
      return {};
    image.height = std::max<std::size_t>(image.height, std::size_t{y} + 1);
    image.width = std::max<std::size_t>(image.width, std::size_t{x} + 1);
  }
  if (schema.columns.size() < 4 || image.width * image.height != schema.columns.size()) return {};
  for (std::size_t i = 0; i < schema.columns.size(); ++i)
    if (schema.columns[i].feature.name !=
        "y" + std::to_string(i / image.width) + "x" + std::to_string(i % image.width))
      return {};
  return image;
}

std::string image_json(const ServedModel& model) {
  const Image image = image_of(model.schema());
  if (image.width == 0) return "null";
  const Feature& pixel = model.bundle().explainer.features().front();
  return JsonObject()
      .number("width", static_cast<double>(image.width))
      .number("height", static_cast<double>(image.height))
      .number("channels", 1)
      .raw("range",
           "[" + json_number(pixel.min.value_or(0)) + ", " + json_number(pixel.max.value_or(1)) + "]")
      .str();
}

std::string noun_json(const ServedModel& model) {
  return JsonObject().text("one", model.noun().one).text("many", model.noun().many).str();
}

std::string hex(std::uint64_t value) {
  std::array<char, 20> text{};
  (void)std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(value));
  return text.data();
}

// Places of levels of an ordinal feature are those of its values; numbers fall into equal bins.
std::string histogram(const ServedModel& model, std::size_t feature) {
  const Explainer& explainer = model.bundle().explainer;
  const Diagnostics diagnostics(explainer);
  const Feature& f = explainer.features()[feature];
  const bool levels = f.is_category() || !f.levels.empty();
  std::vector<std::vector<double>> values;
  double lo = f.min.value_or(0), hi = f.max.value_or(0);
  bool any = false;
  for (std::size_t c = 0; c < explainer.classes(); ++c) {
    values.push_back(diagnostics.class_values(static_cast<int>(c), feature));
    for (const double value : values.back()) {
      lo = any || f.min ? std::min(lo, value) : value;
      hi = any || f.max ? std::max(hi, value) : value;
      any = true;
    }
  }
  if (!any) return "null";
  const bool whole = !levels && f.kind != Kind::continuous && hi - lo < static_cast<double>(bins);
  const std::size_t count = levels  ? std::max<std::size_t>(f.level_count(), 1)
                            : whole ? static_cast<std::size_t>(hi - lo) + 1
                                    : bins;
  if (whole) lo -= 0.5, hi += 0.5;  // a bin for each whole number, which is its middle
  const double width = hi > lo ? (hi - lo) / static_cast<double>(count) : 1;
  JsonObject counts;
  for (std::size_t c = 0; c < values.size(); ++c) {
    std::vector<double> heights(count);
    for (const double value : values[c]) {
      const double place = levels ? value : std::floor((value - lo) / width);
      heights[std::min(static_cast<std::size_t>(std::max(place, 0.0)), count - 1)] += 1;
    }
    counts.raw(app::class_name(model.schema(), static_cast<int>(c)), json_list(heights, json_number));
  }
  std::vector<double> edges;
  for (std::size_t i = 0; i <= count; ++i)
    edges.push_back(i == count ? hi : lo + width * static_cast<double>(i));
  return JsonObject()
      .raw("edges", levels ? "null" : json_list(edges, json_number))
      .raw("counts", counts.str())
      .str();
}

std::string feature_json(const ServedModel& model, std::size_t index, bool drawn) {
  const Explainer& explainer = model.bundle().explainer;
  const Feature& f = explainer.features()[index];
  const Column& column = model.schema().columns[index];
  const bool levels = column.has_levels();
  const double step = f.step.value_or(0);
  const std::optional<int> decimals = step > 0 ? decimals_of_step(step) : std::nullopt;
  JsonObject object;
  object.text("name", f.name)
      .text("type", kind_name(f.kind))
      .raw("unit", or_null(f.unit))
      .raw("immutable", f.immutable ? "true" : "false")
      .text("direction", direction_name(f.direction))
      .raw("derived", Diagnostics(explainer).is_derived(index) ? "true" : "false")
      .number("weight", f.weight)
      .raw("range", levels
                        ? "null"
                        : "[" + json_number(f.min.value_or(0)) + ", " + json_number(f.max.value_or(1)) + "]")
      .raw("step", levels || step == 0 ? "null" : json_number(step))
      .raw("decimals", levels || !decimals ? "null" : std::to_string(*decimals))
      .raw("levels", levels ? json_list(column.feature.levels, json_quoted) : "null");
  std::vector<std::string> order;
  if (levels && f.kind == Kind::ordinal) order = column.feature.levels;
  for (const int place : f.order) order.push_back(column.feature.levels[static_cast<std::size_t>(place)]);
  object.raw("order", order.empty() ? "null" : json_list(order, json_quoted));
  return object.raw("histogram", drawn ? histogram(model, index) : "null").str();
}

std::string classes_json(const ServedModel& model) {
  const Explainer& explainer = model.bundle().explainer;
  const Diagnostics diagnostics(explainer);
  std::vector<std::string> classes;
  for (int c = 0; c < static_cast<int>(explainer.classes()); ++c)
    classes.push_back(
        JsonObject()
            .text("name", app::class_name(model.schema(), c))
            .number("rows", static_cast<double>(diagnostics.class_values(c, 0).size()))
            .raw("density", diagnostics.has_density(c) ? json_quoted(diagnostics.density_summary(c)) : "null")
            .str());
  return json_list(classes, [](const std::string& text) { return text; });
}

std::string option_json(const Options& options, const OptionRow& row) {
  const std::string text = option_text(options, row);
  return row.json_type() == "string" ? json_quoted(text) : text;
}

std::string defaults_json(const ServedModel& model) {
  const Options& options = model.bundle().explainer.options();
  JsonObject object;
  for (const OptionRow& row : option_catalogue()) {
    if (!row.is_per_request) continue;
    if (row.type != OptionType::target)
      object.raw(row.name, option_json(options, row));
    else if (options.target.is_class())
      object.text(row.name, app::class_name(model.schema(), options.target.number()));
  }
  return object.str();
}

// The middle of the values of all classes, or the most frequent level.
std::string start_cell(const ServedModel& model, std::size_t index) {
  const Column& column = model.schema().columns[index];
  if (column.fill) return *column.fill;
  const Explainer& explainer = model.bundle().explainer;
  std::vector<double> values;
  for (int c = 0; c < static_cast<int>(explainer.classes()); ++c)
    for (const double value : Diagnostics(explainer).class_values(c, index)) values.push_back(value);
  const Feature& f = explainer.features()[index];
  if (values.empty())
    return column.has_levels() ? column.feature.levels.front() : number_text(f.min.value_or(0));
  std::ranges::sort(values);
  double middle = values[values.size() / 2];
  if (f.is_category()) {
    std::map<double, std::size_t> counts;
    for (const double value : values) ++counts[value];
    middle = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; })->first;
  }
  return model.bundle().encoder.text(index, middle);
}

std::string start_json(const ServedModel& model) {
  JsonObject row;
  for (std::size_t i = 0; i < model.schema().columns.size(); ++i) {
    const Column& column = model.schema().columns[i];
    const std::string cell = start_cell(model, i);
    const std::optional<double> number = column.has_levels() ? std::nullopt : parse_number(cell);
    row.raw(column.feature.name, number ? json_number(*number) : json_quoted(cell));
  }
  return row.str();
}

}  // namespace

std::string model_entry(const ServedModel& model) {
  std::vector<std::string> classes;
  for (int c = 0; c < static_cast<int>(model.bundle().explainer.classes()); ++c)
    classes.push_back(app::class_name(model.schema(), c));
  return JsonObject()
      .text("name", model.name())
      .text("kind", model.bundle().model_file.kind)
      .number("features", static_cast<double>(model.schema().columns.size()))
      .raw("classes", json_list(classes, json_quoted))
      .raw("ready", "true")
      .raw("image", image_json(model))
      .raw("noun", noun_json(model))
      .str();
}

std::string model_document(const ServedModel& model) {
  constexpr std::array<std::string_view, 3> policies = {"error", "drop", "impute"};
  const Bundle& bundle = model.bundle();
  const Schema& schema = model.schema();
  const Options& options = bundle.explainer.options();
  const bool drawn = schema.columns.size() <= most_drawn && image_of(schema).width == 0;
  std::string features;
  for (std::size_t i = 0; i < schema.columns.size(); ++i)
    features += (i == 0 ? "" : ",\n  ") + feature_json(model, i, drawn);
  return JsonObject()
      .text("name", model.name())
      .text("kind", bundle.model_file.kind)
      .text("fingerprint", hex(fingerprint(bundle.model_file.bytes) ^ fitted_fingerprint(bundle.explainer)))
      .text("solver", Diagnostics(bundle.explainer).solver_summary())
      .raw("noun", noun_json(model))
      .raw("label", or_null(schema.label.column))
      .raw("id", or_null(schema.id))
      .text("missing", policies[static_cast<std::size_t>(schema.missing)])
      .raw("rules", json_list(schema.rules, json_quoted))
      .raw("regression", options.reach.empty() ? "null" : JsonObject().text("reach", options.reach).str())
      .raw("image", image_json(model))
      .raw("classes", classes_json(model))
      .raw("defaults", defaults_json(model))
      .raw("start", start_json(model))
      .raw("features", "[" + features + "]")
      .str();
}

std::string options_document() {
  constexpr std::array<std::string_view, 9> types = {"flag",   "whole",  "number", "share",  "seconds",
                                                     "choice", "target", "range",  "numbers"};
  std::vector<std::string> rows, limits;
  const auto bound = [](double value) { return std::isfinite(value) ? json_number(value) : "null"; };
  const auto same = [](const std::string& text) { return text; };
  for (const OptionRow& row : option_catalogue()) {
    if (!row.is_per_request) continue;
    const auto choices = row.choices();
    const bool free = row.type == OptionType::target || row.type == OptionType::flag || !choices.empty();
    rows.push_back(JsonObject()
                       .text("name", row.name)
                       .text("type", types[static_cast<std::size_t>(row.type)])
                       .text("json_type", row.json_type())
                       .text("group", name_of(row.group))
                       .text("help", row.help)
                       .raw("default", option_json({}, row))
                       .text("expected", row.expected())
                       .raw("least", free ? "null" : bound(row.bounds.least))
                       .raw("greatest", free ? "null" : bound(row.bounds.greatest))
                       .raw("choices", choices.empty() ? "null" : json_list(choices, json_quoted))
                       .str());
  }
  for (const app::Flag& flag : app::limit_flags()) {
    const std::string example = flag.name == "range"  ? R"({"amount": [null, 5000]})"
                                : flag.name == "rule" ? R"(["used <= limit"])"
                                                      : R"(["amount"])";
    limits.push_back(
        JsonObject().text("name", flag.name).text("help", flag.help).raw("example", example).str());
  }
  return JsonObject().raw("options", json_list(rows, same)).raw("limits", json_list(limits, same)).str();
}

}  // namespace scfe::server
