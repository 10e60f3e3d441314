// ArgMax and ArgMin: the index of the largest (smallest) entry along an axis; gradient zero.
#include "model/ops/index.h"
#include "model/ops/lower.h"

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

class ArgMax : public Operator {
 public:
  ArgMax(const Shape& shape, std::size_t axis, Real sign, bool last)
      : outer_(span_of(shape, 0, axis)),
        size_(dim(shape, axis)),
        inner_(span_of(shape, axis + 1, shape.size())),
        sign_(sign),
        last_(last) {}

  void forward(const Forward& run) const override {
    for (std::size_t o = 0; o < outer_; ++o)
      for (std::size_t i = 0; i < inner_; ++i) {
        Real* y = row(run.y, o * inner_ + i);
        for (std::size_t l = 0; l < run.lanes; ++l) y[l] = static_cast<Real>(best(run.x[0], o, i, l));
      }
  }
  void backward(const Backward&) const override {}
  bool differentiable() const override { return false; }
  double flops() const override { return static_cast<double>(outer_ * size_ * inner_); }

 private:
  std::size_t best(Const x, std::size_t o, std::size_t i, std::size_t lane) const {
    std::size_t at = 0;
    const auto value = [&](std::size_t k) { return sign_ * row(x, (o * size_ + k) * inner_ + i)[lane]; };
    for (std::size_t k = 1; k < size_; ++k)
      if (value(k) > value(at) || (last_ && value(k) == value(at))) at = k;
    return at;
  }
  std::size_t outer_, size_, inner_;
  Real sign_;
  bool last_;
};

}  // namespace

void lower_argmax(Site& site) {
  const Value& x = site.in(0);
  const std::size_t axis = site.axis(site.integer("axis", 0), x.shape.size());
  if (x.shape[axis] == 0) site.fail("entries to choose from", "none");
  Shape shape = x.shape;
  shape[axis] = 1;
  if (site.integer("keepdims", 1) == 0) shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
  site.out(0,
           site.build.emit(std::make_unique<ArgMax>(x.shape, axis, site.node().op == "ArgMax" ? 1.0F : -1.0F,
                                                    site.integer("select_last_index", 0) != 0),
                           {x}, shape, Type::integer));
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
