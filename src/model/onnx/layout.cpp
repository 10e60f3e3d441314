#include "model/onnx/layout.h"

#include <algorithm>
#include <numeric>

#include "model/onnx/place.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {
namespace {

// Marks the values that lie on a differentiable path from the input to the scores.
std::vector<bool> gradient_flow(const Plan& plan) {
  std::vector<bool> depends(plan.buffers.size(), false), flows(plan.buffers.size(), false);
  depends[0] = true;
  for (const Step& step : plan.steps)
    for (const int x : step.x)
      if (step.op->differentiable() && depends[id(x)]) depends[id(step.y)] = true;
  flows[id(plan.scores)] = depends[id(plan.scores)];
  for (auto step = plan.steps.rbegin(); step != plan.steps.rend(); ++step)
    if (flows[id(step->y)] && step->op->differentiable())
      for (const int x : step->x) flows[id(x)] = flows[id(x)] || depends[id(x)];
  return flows;
}

// An in-place step shares its operand's buffer if no other step reads that operand.
std::vector<std::size_t> homes(const Plan& plan) {
  std::vector<std::size_t> home(plan.buffers.size());
  std::iota(home.begin(), home.end(), 0);
  std::vector<int> uses(plan.buffers.size(), 0);
  for (const Step& step : plan.steps)
    for (const int x : step.x) ++uses[id(x)];
  ++uses[id(plan.scores)];
  for (const Step& step : plan.steps) {
    if (!step.op->in_place() || step.x.size() != 1 || uses[id(step.x[0])] != 1) continue;
    const int before = plan.buffers[id(step.x[0])].step;
    if (before >= 0 && !plan.steps[id(before)].op->reads_y()) home[id(step.y)] = home[id(step.x[0])];
  }
  return home;
}

class Lives {
 public:
  explicit Lives(const Plan& plan)
      : plan_(plan), count_(plan.buffers.size()), home_(homes(plan)), lives_(2 * count_) {
    for (std::size_t b = 0; b < count_; ++b) {
      lives_[b].rows = lives_[count_ + b].rows = plan.buffers[b].rows;
      if (const int step = plan.buffers[b].step; step >= 0)
        lives_[b].rows += plan.steps[id(step)].op->keeps();
      if (plan.buffers[b].constant) lives_[b].at(0), lives_[b].at(2 * plan.steps.size() + 2);
    }
  }

  void forward() {
    value(0, 0);
    for (std::size_t s = 0; s < plan_.steps.size(); ++s) {
      for (const int x : plan_.steps[s].x) value(x, s + 1);
      value(plan_.steps[s].y, s + 1);
    }
    value(plan_.scores, plan_.steps.size() + 1);
  }

  void backward(Layout& layout) {
    const std::size_t n = plan_.steps.size();
    std::vector<bool> touched(count_, false);
    layout.fresh.resize(n);
    if (layout.flows[id(plan_.scores)]) gradient(plan_.scores, n + 1), touched[id(plan_.scores)] = true;
    for (std::size_t s = n; s-- > 0;) {
      const Step& step = plan_.steps[s];
      layout.fresh[s].assign(step.x.size(), false);
      if (!layout.flows[id(step.y)] || !step.op->differentiable()) continue;
      const std::size_t time = n + 1 + (n - s);
      gradient(step.y, time);
      if (step.op->reads_y()) value(step.y, time);
      for (std::size_t i = 0; i < step.x.size(); ++i) {
        const int x = step.x[i];
        if (step.op->reads_x()) value(x, time);
        if (!layout.flows[id(x)]) continue;
        gradient(x, time);
        layout.fresh[s][i] = !touched[id(x)];
        touched[id(x)] = true;
      }
    }
  }

  std::size_t place_into(Layout& layout) {
    const std::size_t rows = place(lives_);
    layout.value.assign(count_, nowhere);
    layout.gradient.assign(count_, nowhere);
    for (std::size_t b = 0; b < count_; ++b) {
      if (lives_[home_[b]].used) layout.value[b] = lives_[home_[b]].offset;
      if (lives_[count_ + b].used) layout.gradient[b] = lives_[count_ + b].offset;
    }
    return rows;
  }

 private:
  void value(int b, std::size_t time) { lives_[home_[id(b)]].at(time); }
  // Buffer 0 is the input: its gradient goes to the caller's block and needs no memory here.
  void gradient(int b, std::size_t time) {
    if (b != 0) lives_[count_ + id(b)].at(time);
  }

  const Plan& plan_;
  std::size_t count_;
  std::vector<std::size_t> home_;
  std::vector<Life> lives_;  // of the values, then of the gradients
};

}  // namespace

Layout lay_out(const Plan& plan) {
  Layout layout;
  layout.flows = gradient_flow(plan);
  Lives lives(plan);
  lives.forward();
  lives.backward(layout);
  std::size_t scratch = 0, spare = 0;
  for (std::size_t s = 0; s < plan.steps.size(); ++s) {
    const Step& step = plan.steps[s];
    scratch = std::max(scratch, step.op->scratch());
    if (step.op->overwrites() && !layout.fresh[s][0])
      spare = std::max(spare, plan.buffers[id(step.x[0])].rows);
  }
  layout.scratch = lives.place_into(layout);
  layout.spare = layout.scratch + scratch;
  layout.rows = layout.spare + spare;
  return layout;
}

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
