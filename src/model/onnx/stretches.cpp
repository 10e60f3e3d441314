#include "model/onnx/stretches.h"

#include <algorithm>
#include <map>

#include "model/ops/image_conv.h"
#include "model/ops/image_stretch.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {
namespace {

using Candidates = std::vector<std::shared_ptr<const ImageOp>>;  // per step; null if it has no image form

// Steps [first, last) that become one step on images.
struct Stretch {
  std::size_t first = 0, last = 0;
  int x = -1;
  ImageSize in;
  std::vector<ImageStep> steps;
};

// The image size that an operator expects, if it is fixed.
std::optional<ImageSize> taken_by(const ImageOp& op) {
  if (const auto* conv = dynamic_cast<const ImageConv*>(&op)) return conv->in();
  if (const auto* pool = dynamic_cast<const ImagePool*>(&op)) return pool->in();
  return std::nullopt;
}

// The longest stretch of steps from `first`, even if other steps read its inner results.
Stretch grow(const Plan& plan, const Candidates& on_images, std::size_t first) {
  Stretch stretch;
  stretch.first = stretch.last = first;
  const std::optional<ImageSize> in = taken_by(*on_images[first]);
  if (!in) return stretch;
  stretch.in = *in;
  stretch.x = plan.steps[first].x[0];
  std::map<int, std::size_t> values = {{stretch.x, 0}};
  for (std::size_t s = first; s < plan.steps.size() && on_images[s]; ++s) {
    ImageStep step{on_images[s], {}, {}};
    std::vector<ImageSize> sizes;
    for (const int x : plan.steps[s].x) {
      const auto known = values.find(x);
      if (known == values.end()) return stretch;
      step.x.push_back(known->second);
      sizes.push_back(known->second == 0 ? *in : stretch.steps[known->second - 1].size);
    }
    const std::optional<ImageSize> size = step.op->result(sizes);
    if (!size || size->floats() != plan.buffers[id(plan.steps[s].y)].rows) return stretch;
    step.size = *size;
    stretch.steps.push_back(std::move(step));
    values[plan.steps[s].y] = stretch.steps.size();
    stretch.last = s + 1;
  }
  return stretch;
}

bool read_outside(const Plan& plan, const Stretch& stretch, int buffer) {
  if (plan.scores == buffer) return true;
  for (std::size_t s = stretch.last; s < plan.steps.size(); ++s)
    if (std::find(plan.steps[s].x.begin(), plan.steps[s].x.end(), buffer) != plan.steps[s].x.end())
      return true;
  return false;
}

// Shortens the stretch until other steps read only its last result.
void shorten(const Plan& plan, Stretch& stretch) {
  const auto closed = [&] {
    for (std::size_t s = stretch.first; s + 1 < stretch.last; ++s)
      if (read_outside(plan, stretch, plan.steps[s].y)) return false;
    return true;
  };
  while (!stretch.steps.empty() && !closed()) stretch.steps.pop_back(), --stretch.last;
}

bool has_convolution(const Stretch& stretch) {
  return std::any_of(stretch.steps.begin(), stretch.steps.end(), [](const ImageStep& step) {
    return dynamic_cast<const ImageConv*>(step.op.get()) != nullptr;
  });
}

// Merges activations and pools into the operator before them, if nothing else reads its result.
void merge(std::vector<ImageStep>& steps) {
  for (std::size_t s = 0; s + 1 < steps.size();) {
    std::size_t uses = 0;
    for (const ImageStep& step : steps)
      uses += static_cast<std::size_t>(std::count(step.x.begin(), step.x.end(), s + 1));
    const bool alone = uses == 1 && steps[s + 1].x == std::vector<std::size_t>{s + 1};
    const auto merged = alone ? steps[s].op->then(*steps[s + 1].op) : nullptr;
    if (!merged) {
      ++s;
      continue;
    }
    steps[s].op = merged;
    steps[s].size = steps[s + 1].size;
    steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(s) + 1);
    for (ImageStep& step : steps)
      for (std::size_t& x : step.x) x -= x > s + 1 ? 1 : 0;
  }
}

}  // namespace

// The replaced steps remain until prune removes them, because nothing reads them any more.
void stretch_images(Plan& plan) {
  Candidates on_images;
  for (const Step& step : plan.steps) on_images.push_back(step.op->on_images());
  for (std::size_t first = 0; first < plan.steps.size(); ++first) {
    if (!on_images[first]) continue;
    Stretch stretch = grow(plan, on_images, first);
    shorten(plan, stretch);
    if (!has_convolution(stretch)) continue;
    merge(stretch.steps);
    Step& last = plan.steps[stretch.last - 1];
    last.op = std::make_unique<ImageStretch>(stretch.in, std::move(stretch.steps));
    last.x = {stretch.x};
    last.node = plan.steps[first].node;
    first = stretch.last - 1;
  }
}

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
