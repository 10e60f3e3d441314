// y = condition ? a : b, where all three broadcast; the gradient of the condition is zero.
#include "model/ops/elementwise.h"
#include "model/ops/index.h"
#include "model/ops/lower.h"

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

using Rows = std::vector<std::uint32_t>;

class Where : public Operator {
 public:
  Where(Rows condition, Rows a, Rows b) : rows_{std::move(condition), std::move(a), std::move(b)} {}

  void forward(const Forward& run) const override {
    for (std::size_t i = 0; i < rows_[0].size(); ++i) {
      const Real* condition = row(run.x[0], rows_[0][i]);
      const Real *a = row(run.x[1], rows_[1][i]), *b = row(run.x[2], rows_[2][i]);
      Real* y = row(run.y, i);
      for (std::size_t l = 0; l < run.lanes; ++l) y[l] = condition[l] != 0 ? a[l] : b[l];
    }
  }
  void backward(const Backward& run) const override {
    for (std::size_t i = 0; i < rows_[0].size(); ++i) {
      const Real *condition = row(run.x[0], rows_[0][i]), *dy = row(run.dy, i);
      for (std::size_t side = 1; side <= 2; ++side) {
        if (!run.dx[side].data) continue;
        Real* dx = row(run.dx[side], rows_[side][i]);
        for (std::size_t l = 0; l < run.lanes; ++l)
          dx[l] += (condition[l] != 0) == (side == 1) ? dy[l] : 0.0F;
      }
    }
  }

  RowRule rule(std::size_t i) const override {
    return {.kind = RowRule::Kind::choice, .reads = {{0, rows_[0][i]}, {1, rows_[1][i]}, {2, rows_[2][i]}}};
  }
  bool chooses_by(std::size_t operand) const override { return operand == 0; }

 private:
  Rows rows_[3];
};

}  // namespace

Value where(Builder& build, const Value& condition, const Value& a, const Value& b, const std::string& site) {
  const Shape shape = broadcast(condition.shape, broadcast(a.shape, b.shape, site), site);
  build.expect(shape);
  return build.emit(std::make_unique<Where>(broadcast_rows(condition.shape, shape),
                                            broadcast_rows(a.shape, shape), broadcast_rows(b.shape, shape)),
                    {condition, a, b}, shape, a.type);
}

void lower_where(Site& site) {
  site.out(0, where(site.build, site.in(0), site.in(1), site.in(2), label(site.node())));
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
