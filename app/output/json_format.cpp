// JSON lines. The first line holds the question, so that it can be asked again; then there is a line per row.
#include <array>
#include <cstdio>

#include "output/further.h"
#include "output/line_format.h"
#include "scfe/options_json.h"
#include "scfe/text.h"
#include "scfe/version.h"
#include "text/json_text.h"

namespace scfe::app {
namespace {

std::string hexadecimal(std::uint64_t value) {
  std::array<char, 20> text{};
  (void)std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(value));
  return text.data();
}

// JSON strings contain no raw line ends, so all of them can be removed.
std::string without_line_ends(std::string text) {
  std::erase(text, '\n');
  return text;
}

class JsonFormat : public LineFormat {
 public:
  explicit JsonFormat(const Question& question) : question_(question) {}

  std::string head() const override {
    const Bundle& bundle = question_.bundle;
    Options options = question_.options;
    options.threads = 0;  // does not change the answers
    JsonObject model, run;
    model.text("source", bundle.model_file.source)
        .text("kind", bundle.model_file.kind)
        .text("fnv1a64", hexadecimal(fingerprint(bundle.model_file.bytes)));
    if (!bundle.model_file.output.empty()) model.text("output", bundle.model_file.output);
    run.text("scfe", version())
        .raw("model", model.str())
        .text("fitted", hexadecimal(fitted_fingerprint(bundle.explainer)))
        .raw("options", options_json(options))
        .raw("schema", without_line_ends(schema_text(bundle.encoder.schema())));
    return JsonObject().raw("run", run.str()).str() + "\n";
  }

  std::string line(const Answer& answer) const override {
    const Schema& schema = question_.bundle.encoder.schema();
    const Explanation& e = answer.explanation;
    JsonObject row;
    row.text("row", answer.name).text("status", status_name(e.status));
    if (has_ranks(question_.options)) row.number("answer", static_cast<double>(answer.rank));
    if (e.knee) row.raw("knee", "true");
    if (const std::string reason = e.reason(); !reason.empty()) row.text("reason", reason);
    row.text("predicted", class_name(schema, e.predicted)).text("target", class_name(schema, e.target));
    if (e.found())
      row.raw("changes", changes(answer))
          .raw("counterfactual", cells(answer))
          .raw("metrics", metrics(answer));
    if (!answer.filled.empty()) row.raw("filled", filled(answer));
    if (!e.hints.empty()) row.raw("hints", hints(e));
    if (!e.certificate.empty()) row.text("certificate", e.certificate).number("lower_bound", e.lower_bound);
    return row.str() + "\n";
  }

 private:
  std::string cell(std::size_t column, const std::string& text) const {
    const Column& c = question_.bundle.encoder.schema().columns[column];
    if (c.has_levels()) return json_quoted(text);
    const std::optional<double> number = parse_number(text);
    return number ? number_text(*number) : "null";
  }

  std::string changes(const Answer& answer) const {
    std::string list;
    for (const std::size_t column : answer.changed) {
      const Feature& feature = question_.bundle.encoder.schema().columns[column].feature;
      JsonObject change;
      change.text("feature", feature.name)
          .raw("from", cell(column, answer.from[column]))
          .raw("to", cell(column, answer.to[column]));
      if (!feature.unit.empty()) change.text("unit", feature.unit);
      for (const FeatureChange& made : answer.explanation.changes)
        if (made.feature == column && has_room(question_, answer.explanation, made))
          change.number("room", made.room);
      list += (list.empty() ? "" : ", ") + change.str();
    }
    return "[" + list + "]";
  }

  std::string filled(const Answer& answer) const {
    JsonObject object;
    for (const std::size_t column : answer.filled)
      object.raw(question_.bundle.encoder.schema().columns[column].feature.name,
                 cell(column, answer.from[column]));
    return object.str();
  }

  std::string rooms(const Explanation& e) const {
    JsonObject object;
    for (const NumberRoom& stays : e.rooms)
      object.number(question_.bundle.encoder.schema().columns[stays.feature].feature.name, stays.room);
    return object.str();
  }

  std::string hints(const Explanation& e) const {
    const Schema& schema = question_.bundle.encoder.schema();
    std::string list;
    for (const Hint& hint : e.hints) {
      JsonObject object;
      const auto place = static_cast<std::size_t>(hint.value);
      const auto name = [&] { return schema.columns[place].feature.name; };
      if (hint.kind == Hint::Kind::changes) object.number("max_changes", hint.value);
      if (hint.kind == Hint::Kind::plausible) object.number("plausible", hint.value);
      if (hint.kind == Hint::Kind::feature) object.text("free", name());
      if (hint.kind == Hint::Kind::upper) object.text("above", name()).number("reached", hint.reached);
      if (hint.kind == Hint::Kind::lower) object.text("below", name()).number("reached", hint.reached);
      if (hint.kind == Hint::Kind::rule) object.text("rule", schema.rules[place]);
      if (hint.kind == Hint::Kind::probability) object.number("probability", 0);
      if (hint.kind == Hint::Kind::robust) object.number("robust", 0);
      object.number("l2", hint.l2);
      if (e.metric != Distance::l2) object.number("distance", hint.distance);
      list += (list.empty() ? "" : ", ") + object.text("text", hint.text).str();
    }
    return "[" + list + "]";
  }

  std::string cells(const Answer& answer) const {
    const Schema& schema = question_.bundle.encoder.schema();
    JsonObject object;
    for (std::size_t column = 0; column < answer.to.size(); ++column)
      object.raw(schema.columns[column].feature.name, cell(column, answer.to[column]));
    return object.str();
  }

  std::string metrics(const Answer& answer) const {
    const Explanation& e = answer.explanation;
    JsonObject object;
    object.number("probability_before", answer.probability_before)
        .number("probability", e.probability)
        .number("l0", static_cast<double>(answer.changed.size()))
        .number("l1", e.l1)
        .number("l2", e.l2);
    if (e.metric != Distance::l2) object.text("metric", name_of(e.metric)).number("distance", e.distance);
    if (question_.options.density != DensityKind::none)
      object.number("log_density", e.log_density).number("quantile", e.quantile);
    if (!question_.options.reach.empty())
      object.number("output_before", answer.output_before).number("output", e.output);
    if (e.stability != StabilityProof::none)
      object.text("stability", stability_name(e.stability)).number("stable_margin", e.stable_margin);
    if (!e.rooms.empty()) object.raw("room_either_way", rooms(e));
    if (e.proven()) object.raw("proven", "true");
    return object.number("gradients", static_cast<double>(e.gradients)).str();
  }

  const Question& question_;
};

}  // namespace

std::unique_ptr<LineFormat> json_format(const Question& question) {
  return std::make_unique<JsonFormat>(question);
}

}  // namespace scfe::app
