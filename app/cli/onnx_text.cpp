#include "cli/onnx_text.h"

#include <algorithm>

#include "cli/text_table.h"
#include "scfe/text.h"

namespace scfe::cli {
namespace {

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
  const double rounded =
      static_cast<double>(static_cast<long long>(count / (millions ? 1e4 : 10) + 0.5)) / 100;
  return number_text(rounded) + (millions ? " million" : " thousand");
}

}  // namespace

std::string onnx_text(const OnnxInfo& info) {
  std::vector<std::string> outputs, ops;
  for (const OnnxOutput& output : info.outputs)
    outputs.push_back(output.name + (output.scores ? " (the scores stand for it)" : ""));
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
  line("looked through", joined(info.looked_through, ", "));
  line("class names", joined(info.classes, ", "));
  line("operators", joined(ops, ", "));
  line("parameters", count_text(static_cast<double>(info.parameters)));
  if (info.unsupported.empty()) {
    line("scores", std::to_string(info.scores) + (info.scores > 1    ? ""
                                                  : info.probability ? " (a probability: class 1 above 1/2)"
                                                                     : " (class 1 above 0)"));
    line("gradient", info.differentiable ? count_text(info.flops_per_gradient) + " FLOPs for one row"
                                         : "zero: the scores are constant on cells");
  }
  if (!info.tree_obstacle.empty()) line("not proven", info.tree_obstacle);
  for (const std::string& node : info.unsupported) line("unsupported", node);
  return text;
}

}  // namespace scfe::cli
