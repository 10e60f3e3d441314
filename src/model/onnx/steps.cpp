#include "model/onnx/steps.h"

#include <algorithm>
#include <numeric>

namespace scfe::onnx {
inline namespace SCFE_PRECISION {
namespace {

// What a row holds: the index of the input that it copies, or one of these. Constants and booleans are exact.
constexpr int exact = -1, rounded = -2;

class Follower {
 public:
  explicit Follower(const Plan& plan) : plan_(plan), uses_(plan.features) {
    for (const Buffer& buffer : plan.buffers) holds_.emplace_back(buffer.rows, exact);
    std::iota(holds_[0].begin(), holds_[0].end(), 0);
  }

  std::vector<InputUse> run() {
    for (const Step& step : plan_.steps) follow(step);
    return has_steps_ ? std::move(uses_) : std::vector<InputUse>();
  }

 private:
  void follow(const Step& step) {
    const bool smooth = step.op->differentiable();
    bool reads_all = false;
    for (std::size_t row = 0; row < holds_[id(step.y)].size(); ++row) {
      const std::optional<RowOrigin> origin = step.op->origin(row);
      reads_all = reads_all || !origin;
      holds_[id(step.y)][row] = origin                        ? follow(step, *origin)
                                : smooth || step.op->forest() ? rounded
                                                              : exact;
    }
    for (std::size_t i = 0; i < step.x.size(); ++i) {
      const std::vector<int>& x = holds_[id(step.x[i])];
      if (reads_all)
        for (const int held : x) use(held, smooth && !step.op->chooses_by(i));
      has_steps_ = has_steps_ || (!smooth && !step.kink && std::ranges::count(x, rounded) > 0);
    }
  }

  int follow(const Step& step, const RowOrigin& origin) {
    const int held = holds_[id(step.x[origin.operand])][origin.row];
    if (origin.rounds && held >= 0) uses_[id(held)].single = true;
    const bool affine = origin.kind == RowOrigin::Kind::affine;
    if (origin.kind == RowOrigin::Kind::filled || (affine && origin.scale == 1 && origin.shift == 0))
      return held;
    use(held, affine);
    return affine || held == rounded ? rounded : exact;
  }

  void use(int held, bool computed) {
    if (held < 0) return;
    InputUse& use = uses_[id(held)];
    (computed ? use.computed : use.compared) = true;
  }

  const Plan& plan_;
  std::vector<std::vector<int>> holds_;  // [buffer][row]
  std::vector<InputUse> uses_;
  bool has_steps_ = false;
};

}  // namespace

std::vector<InputUse> uses_before_steps(const Plan& plan) {
  const bool smooth =
      std::ranges::all_of(plan.steps, [](const Step& step) { return step.op->differentiable(); });
  return smooth ? std::vector<InputUse>() : Follower(plan).run();
}

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
