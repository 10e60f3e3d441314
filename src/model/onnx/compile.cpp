#include "model/onnx/compile.h"

#include "model/onnx/ensemble_of.h"
#include "model/onnx/layout.h"
#include "model/onnx/lowering.h"
#include "model/onnx/output_of.h"
#include "model/onnx/program.h"

namespace scfe::onnx {
namespace {

std::vector<std::size_t> levels_of(const OnnxInfo& info) {
  std::vector<std::size_t> levels;
  for (const OnnxInput& input : info.inputs)
    for (std::size_t i = 0; i < input.count; ++i)
      levels.push_back(i < input.levels.size() ? input.levels[i].size() : 0);
  return levels;
}

// The first node without a gradient that depends on the inputs.
std::string gradient_obstacle(const Plan& plan) {
  std::vector<bool> depends(plan.buffers.size(), false);
  depends[0] = true;
  for (const Step& step : plan.steps)
    for (const int x : step.x) {
      if (!depends[id(x)]) continue;
      if (!step.op->differentiable()) return step.node;
      depends[id(step.y)] = true;
    }
  return "no node: the output does not depend on the inputs";
}

}  // namespace

template <>
std::shared_ptr<const Model> compile<Real>(const Reading& reading) {
  OnnxInfo info;
  auto [plan, complete, centred] = lower(reading.graph, reading.scores, reading.options, info, nullptr);
  if (!reading.options.scores.empty()) return make_program(std::move(plan));
  const Model::Output output = output_of(reading.graph, reading.scores);
  if (std::optional<Ensemble> ensemble = ensemble_of(plan, reading.graph, levels_of(info)).ensemble) {
    ensemble->output = output;
    return ensemble_model(std::move(*ensemble), "tree ensemble");
  }
  if (centred) {  // the probabilities of answers are to be those of the forest
    OnnxInfo again;
    plan = lower(reading.graph, reading.scores, reading.options, again, nullptr, true).plan;
  }
  return make_program(std::move(plan), output);
}

template <>
void describe<Real>(const Reading& reading, OnnxInfo& info) {
  const Lowered lowered = lower(reading.graph, reading.scores, reading.options, info, &info.unsupported);
  if (!info.inputs.empty()) info.features = info.inputs.back().first + info.inputs.back().count;
  if (!lowered.complete) return;
  const Plan& plan = lowered.plan;
  info.scores = plan.buffers[static_cast<std::size_t>(plan.scores)].rows;
  for (const Step& step : plan.steps) info.flops_per_gradient += 2 * step.op->flops();
  info.differentiable = lay_out(plan).flows[0];
  if (!info.differentiable) info.gradient_obstacle = gradient_obstacle(plan);
  info.tree_obstacle = ensemble_of(plan, reading.graph, levels_of(info)).obstacle;
}

}  // namespace scfe::onnx
