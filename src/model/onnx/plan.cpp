#include "model/onnx/plan.h"

#include <algorithm>

namespace scfe::onnx {
inline namespace SCFE_PRECISION {
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

// The step before the only operand of `step`, if nothing else reads what lies between; else null.
Step* lone_predecessor(Plan& plan, const Step& step, const std::vector<int>& uses) {
  if (step.x.size() != 1 || uses[static_cast<std::size_t>(step.x[0])] != 1) return nullptr;
  const int before = plan.buffers[static_cast<std::size_t>(step.x[0])].step;
  if (before < 0) return nullptr;
  Step& previous = plan.steps[static_cast<std::size_t>(before)];
  return previous.x.size() == 1 ? &previous : nullptr;
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

// From the end: a chain of linear maps is multiplied out from its narrow side.
bool fuse(Plan& plan) {
  bool any = false;
  const std::vector<int> uses = use_counts(plan);
  for (auto step = plan.steps.rbegin(); step != plan.steps.rend(); ++step)
    while (const Step* previous = lone_predecessor(plan, *step, uses)) {
      auto merged = step->op->after(*previous->op);
      if (!merged) break;
      step->op = std::move(merged);
      step->x = previous->x;
      any = true;
    }
  return any;
}

void share_gates(Plan& plan) {
  const std::vector<int> uses = use_counts(plan);
  for (Step& step : plan.steps)
    if (Step* previous = lone_predecessor(plan, step, uses)) step.op->take_gate_of(*previous->op);
}

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
