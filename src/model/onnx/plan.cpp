#include "model/onnx/plan.h"

#include <algorithm>

namespace scfe::onnx {
namespace {

std::vector<int> use_counts(const Plan& plan) {
  std::vector<int> uses(plan.buffers.size(), 0);
  for (const Step& step : plan.steps)
    for (const int x : step.x) ++uses[static_cast<std::size_t>(x)];
  ++uses[static_cast<std::size_t>(plan.scores)];
  return uses;
}

void number_steps(Plan& plan) {
  for (std::size_t s = 0; s < plan.steps.size(); ++s)
    plan.buffers[static_cast<std::size_t>(plan.steps[s].y)].step = static_cast<int>(s);
}

}  // namespace

void prune(Plan& plan) {
  std::vector<bool> wanted(plan.buffers.size(), false);
  wanted[static_cast<std::size_t>(plan.scores)] = true;
  for (auto step = plan.steps.rbegin(); step != plan.steps.rend(); ++step)
    if (wanted[static_cast<std::size_t>(step->y)])
      for (const int x : step->x) wanted[static_cast<std::size_t>(x)] = true;
  std::erase_if(plan.steps, [&](const Step& step) { return !wanted[static_cast<std::size_t>(step.y)]; });
  for (std::size_t b = 1; b < plan.buffers.size(); ++b)
    if (!wanted[b]) plan.buffers[b] = {};
  number_steps(plan);
}

void fuse(Plan& plan) {
  const std::vector<int> uses = use_counts(plan);
  for (Step& step : plan.steps) {
    if (step.x.size() != 1 || uses[static_cast<std::size_t>(step.x[0])] != 1) continue;
    const int before = plan.buffers[static_cast<std::size_t>(step.x[0])].step;
    if (before < 0) continue;
    const Step& previous = plan.steps[static_cast<std::size_t>(before)];
    if (previous.x.size() != 1) continue;
    if (auto merged = step.op->after(*previous.op)) {
      step.op = std::move(merged);
      step.x = previous.x;
    }
  }
}

}  // namespace scfe::onnx
