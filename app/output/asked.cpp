#include "output/asked.h"

#include <algorithm>
#include <filesystem>

#include "scfe/text.h"
#include "text/text_table.h"

namespace scfe::app {
namespace {

std::string typical_floor(const Question& question) {
  const Options& o = question.options;
  if (o.density == DensityKind::none) return "not asked (no density was fitted)";
  if (!(o.plausible > 0)) return "not asked (no floor)";
  return "at least as typical as " + percent(o.plausible) + " of the target class";
}

// Adds the limits of the schema and the question.
// "amount=100:5000" in words. Question has checked how it is written.
std::string range_in_words(const std::string& text) {
  const std::size_t equals = text.rfind('='), colon = text.rfind(':');
  const auto side = [](const std::string& cell) {
    const std::optional<double> value = parse_number(cell);
    return value ? number_text(*value) : cell;
  };
  const std::string name = text.substr(0, equals), low = side(text.substr(equals + 1, colon - equals - 1)),
                    high = side(text.substr(colon + 1));
  if (low.empty() && high.empty()) return name;
  if (low.empty()) return name + " up to " + high;
  return name + " from " + low + (high.empty() ? "" : " to " + high);
}

void add_limits(const Question& question, std::vector<AskedLine>& lines) {
  const Schema& schema = question.bundle.encoder.schema();
  std::vector<std::string> fixed, up, down;
  for (const Column& column : schema.columns) {
    const Feature& f = column.feature;
    if (f.immutable) fixed.push_back(f.name);
    if (!f.immutable && f.direction == Direction::up) up.push_back(f.name);
    if (!f.immutable && f.direction == Direction::down) down.push_back(f.name);
  }
  const auto add = [&](const char* what, const std::vector<std::string>& which, const char* between) {
    if (!which.empty()) lines.push_back({what, join(which, between)});
  };
  add("May not change", fixed, ", ");
  add("May only rise", up, ", ");
  add("May only fall", down, ", ");
  std::vector<std::string> ranges;
  for (const std::string& range : question.ranges) ranges.push_back(range_in_words(range));
  add("Within", ranges, ", ");
  add("Rules", schema.own_rules(), "; ");
}

std::vector<std::string> learned_in_use(const Question& question) {
  std::vector<std::string> rules;
  for (const LearnedRule& rule : question.bundle.encoder.schema().learned)
    if (rule.used) rules.push_back(rule.text);
  return rules;
}

}  // namespace

std::string asked_title(const Question& question, Target target) {
  const Schema& schema = question.bundle.encoder.schema();
  const std::string label = schema.label.column.empty() ? "the outcome" : schema.label.column;
  if (!question.options.reach.empty())
    return "What would it take for the output to be in " + question.options.reach + "?";
  if (!target.is_class()) return "What would it take for " + label + " to change?";
  return "What would it take for " + label + " to be " + class_name(schema, target.number()) + "?";
}

std::vector<AskedLine> asked_lines(const Question& question) {
  const Options& o = question.options;
  std::vector<AskedLine> lines = {
      {"Model", std::filesystem::path(question.bundle.model_file.source).filename().string()},
      {"Changes", o.sparsity == SparsityKind::top_m
                      ? "at most " + counted(static_cast<std::size_t>(o.max_changes), "feature")
                      : "any number, with the penalty " + std::string(name_of(o.sparsity))},
      {"Plausible", typical_floor(question)}};
  if (o.probability > 0) lines.push_back({"Probability", "at least " + percent(o.probability)});
  if (o.robust > 0)
    lines.push_back(
        {"Robust", "still valid if every number is off by up to " + percent(o.robust) + " of its range"});
  add_limits(question, lines);
  const std::vector<std::string> learned = learned_in_use(question);
  if (!learned.empty()) lines.push_back({"Learned from the training rows", join(learned, "; ")});
  return lines;
}

std::string limits_text(const Question& question) {
  std::vector<AskedLine> lines;
  add_limits(question, lines);
  const std::size_t learned = learned_in_use(question).size();
  if (learned > 0)
    lines.push_back(
        {"Learned from the training rows", counted(learned, "rule") + " (`scfe inspect` lists them)"});
  std::string text;
  for (const AskedLine& line : lines) text += (text.empty() ? "" : " ") + line.what + ": " + line.value + ".";
  return text;
}

std::string typical_text(const Question& question, const Explanation& e) {
  const std::string rows = class_rows_name(question, e.target);
  if (e.status != Status::below_floor) return "as typical as " + percent(e.quantile) + " of " + rows;
  const double asked = question.options.plausible;
  return "less typical than asked: as typical as " + percent_against(e.quantile, asked) + " of " + rows +
         ", " + percent(asked) + " were asked for";
}

std::string unchanged_text(const Question& question, const Answer& answer) {
  const std::size_t rest = question.bundle.encoder.schema().columns.size() - answer.changed.size();
  if (rest == 0) return "every feature changes";
  return rest == 1 ? "the other feature stays as it is"
                   : "the other " + std::to_string(rest) + " features stay as they are";
}

std::string capital(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

}  // namespace scfe::app
