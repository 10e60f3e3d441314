// scfe inspect: describes a model or a fitted explainer.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "ask/learned_rules.h"
#include "ask/question.h"
#include "cli/verb.h"
#include "scfe/diagnostics.h"
#include "scfe/error.h"
#include "scfe/file.h"
#include "scfe/onnx.h"
#include "scfe/text.h"
#include "text/text_table.h"

namespace scfe::app {
namespace {

void print_file(const ModelFile& file) {
  std::printf("model     %s (%s), %zu bytes, fnv1a64 %016llx\n", file.source.c_str(), file.kind.c_str(),
              file.bytes.size(), static_cast<unsigned long long>(fingerprint(file.bytes)));
}

void print_model(const ModelFile& file, Precision precision) {
  const auto model = open_model(file, precision);
  print_file(file);
  std::printf("inputs    %zu\nclasses   %zu\n", model->features(), model->classes());
}

std::string joined(const std::vector<std::string>& parts, const std::string& between) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::vector<std::string> sizes;
  for (const std::int64_t size : shape) sizes.push_back(std::to_string(size));
  return "(" + joined(sizes, ", ") + ")";
}

std::string inputs_text(const OnnxInfo& info) {
  TextTable table({Align::left, Align::left, Align::left, Align::right, Align::left});
  table.add({"input", "type", "shape", "features", "levels"});
  for (const OnnxInput& input : info.inputs) {
    std::vector<std::string> levels;
    for (const auto& names : input.levels) levels.push_back(joined(names, ", "));
    table.add(
        {input.name, input.type, shape_text(input.shape), std::to_string(input.count), joined(levels, "; ")});
  }
  return table.text();
}

// 1234567 becomes "1.23 million".
std::string count_text(double count) {
  if (count < 1e4) return number_text(count);
  const bool millions = count >= 1e6;
  const double rounded = std::round(count / (millions ? 1e4 : 10)) / 100;
  return number_text(rounded) + (millions ? " million" : " thousand");
}

// Describes an ONNX file, as text for people.
std::string onnx_text(const OnnxInfo& info) {
  std::vector<std::string> outputs, ops;
  for (const OnnxOutput& output : info.outputs)
    outputs.push_back(output.name +
                      (output.scores ? " (computed from the scores, which are used in its place)" : ""));
  for (const auto& [name, count] : info.ops)
    ops.push_back(name + (count > 1 ? " x " + std::to_string(count) : ""));
  std::string text = "\n" + inputs_text(info) + "\n";
  const auto line = [&](const std::string& name, std::string value) {
    // Names in the file may contain line ends; each entry stays on one line.
    std::ranges::replace_if(
        value, [](unsigned char c) { return c < ' ' || c == 127; }, ' ');
    if (!value.empty())
      text += name + std::string(name.size() < 16 ? 16 - name.size() : 1, ' ') + value + "\n";
  };
  line("producer", info.producer);
  line("outputs", joined(outputs, ", "));
  line("skipped at end", joined(info.looked_through, ", "));
  line("class names", joined(info.classes, ", "));
  line("operators", joined(ops, ", "));
  line("parameters", count_text(static_cast<double>(info.parameters)));
  if (info.unsupported.empty()) {
    line("scores", std::to_string(info.scores) + (info.scores > 1    ? ""
                                                  : info.probability ? " (a probability: class 1 above 1/2)"
                                                                     : " (class 1 above 0)"));
    line("gradient", info.differentiable ? count_text(info.flops_per_gradient) + " FLOPs for one row"
                                         : "none: the scores are piecewise constant");
  }
  if (!info.tree_obstacle.empty()) line("not proven", info.tree_obstacle);
  for (const std::string& node : info.unsupported) line("unsupported", node);
  return text;
}

// Describes a model even if it cannot run. Returns 1 in that case.
int print_onnx(const ModelFile& file, const OnnxOptions& options) {
  OnnxInfo info;
  try {
    info = inspect_onnx(std::as_bytes(std::span(file.bytes)), options);
  } catch (const Error& error) {
    throw Error(file.source + ": " + error.what());
  }
  print_file(file);
  std::printf("inputs    %zu\n", info.features);
  if (info.scores > 0) std::printf("classes   %zu\n", info.scores == 1 ? 2 : info.scores);
  std::printf("precision %s%s\n", info.in_double ? "double" : "float",
              options.precision == Precision::automatic ? " (as the file declares it)" : "");
  std::printf("%s", onnx_text(info).c_str());
  return info.unsupported.empty() ? 0 : 1;
}

std::string_view kind_name(Kind kind) {
  static constexpr std::string_view names[] = {"continuous", "integer", "ordinal", "binary", "categorical"};
  return names[static_cast<std::size_t>(kind)];
}

std::string limits_text(const Feature& f) {
  if (f.immutable) return "may not change";
  if (f.direction == Direction::up) return "may only rise";
  return f.direction == Direction::down ? "may only fall" : "";
}

std::string range_text(const Column& column) {
  const Feature& f = column.feature;
  if (column.has_levels()) return std::to_string(f.levels.size()) + " levels";
  if (!f.min || !f.max) return "";
  return number_text(*f.min) + " .. " + number_text(*f.max);
}

void print_bundle(const Bundle& bundle) {
  print_model(bundle.model_file, bundle.explainer.options().precision);
  const Schema& schema = bundle.encoder.schema();
  std::printf("solver    %s\n", Diagnostics(bundle.explainer).solver_summary().c_str());
  std::printf("label     %s\n", schema.label.column.c_str());
  for (std::size_t i = 0; i < schema.label.classes.size(); ++i)
    std::printf("  %zu  %s: %s\n", i, schema.label.classes[i].name.c_str(),
                Diagnostics(bundle.explainer).density_summary(static_cast<int>(i)).c_str());
  TextTable features({Align::left, Align::left, Align::left, Align::right, Align::left, Align::left});
  features.add({"feature", "type", "range", "step", "unit", "limit"});
  for (const Column& column : schema.columns) {
    const Feature& f = column.feature;
    features.add({f.name, std::string(kind_name(f.kind)), range_text(column),
                  f.step ? number_text(*f.step) : "", f.unit, limits_text(f)});
  }
  std::printf("\n%s", features.text().c_str());
  for (const std::string& rule : schema.own_rules()) std::printf("rule      %s\n", rule.c_str());
  if (!schema.learned.empty()) std::printf("\n%s", learned_rules_text(schema).c_str());
  TextTable options({Align::left, Align::left});
  Options usual;
  usual.density = Diagnostics(bundle.explainer).groups().empty()
                      ? DensityKind::kde
                      : DensityKind::mixture;  // what auto stands for
  for (const OptionRow& row : option_catalogue()) {
    const std::string text = option_text(bundle.explainer.options(), row);
    options.add(
        {std::string(row.name), text + (text == option_text(usual, row) ? "" : "  (not the default)")});
  }
  std::printf("\n%s", options.text().c_str());
}

int run_inspect(const Arguments& arguments) {
  require_files(arguments, 1, "a model or E.scfe");
  const std::string& path = arguments.files.front();
  if (std::filesystem::is_fifo(path)) throw Error(path, "a file (it is read more than once)", "a pipe");
  if (path.ends_with(".scfe") || read_file(path).starts_with("\x89SCFE")) {
    print_bundle(load_bundle(path));
    return 0;
  }
  Options asked;
  if (arguments.has("precision")) set_option(asked, "precision", arguments.text("precision"));
  OnnxOptions options;
  options.precision = asked.precision;
  options.output = arguments.text_or("model-output", "");
  ModelFile file = read_model_file(path);
  file.output = options.output;
  if (file.kind == "onnx") return print_onnx(file, options);
  print_model(file, options.precision);
  return 0;
}

}  // namespace

Verb inspect_verb() {
  return {"inspect",
          "model.onnx|E.scfe",
          "Describe a model or a fitted explainer",
          {{"precision", "auto|float|double", "arithmetic of an ONNX model (a fitted explainer has its own)",
            group::fit},
           {"model-output", "NAME", "ONNX: the output that holds the scores, where several may be meant",
            group::fit}},
          false,
          run_inspect};
}

}  // namespace scfe::app
