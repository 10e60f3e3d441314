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

// The step that produces the only operand of `step`, if nothing else reads that operand; else null.
Step* lone_predecessor(Plan& plan, const Step& step, const std::vector<int>& uses) {
  if (step.x.size() != 1 || uses[static_cast<std::size_t>(step.x[0])] != 1) return nullptr;
  const int before = plan.buffers[static_cast<std::size_t>(step.x[0])].step;
  if (before < 0) return nullptr;
  Step& previous = plan.steps[static_cast<std::size_t>(before)];
  return previous.x.size() == 1 ? &previous : nullptr;
}

// About how many multiplications a merge takes: out · mid · in for two matrices.
double work_of(const Operator& op, const Operator& previous, std::size_t between) {
  const auto a = static_cast<double>(op.parameters()), b = static_cast<double>(previous.parameters());
  return std::max(a + b, a * b / static_cast<double>(std::max<std::size_t>(between, 1)));
}

// How many multiplications merging may take: a fixed allowance plus some for each parameter.
double merge_budget(const Plan& plan) {
  double budget = 1e9;
  for (const Step& step : plan.steps) budget += 1e3 * static_cast<double>(step.op->parameters());
  return budget;
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

// Works from the end, so that a chain of linear maps is multiplied out from its narrow side.
bool fuse(Plan& plan) {
  bool any = false;
  double budget = merge_budget(plan);
  const std::vector<int> uses = use_counts(plan);
  for (auto step = plan.steps.rbegin(); step != plan.steps.rend(); ++step)
    while (const Step* previous = lone_predecessor(plan, *step, uses)) {
      budget -= work_of(*step->op, *previous->op, plan.buffers[static_cast<std::size_t>(step->x[0])].rows);
      if (budget < 0) return false;
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
