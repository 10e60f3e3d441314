// MatMul and Gemm.
//
//     y[n, i, j] = sum_k a[n, i, k] b[n, k, j]
//     da[n, i, k] += sum_j dy[n, i, j] b[n, k, j],   db[n, k, j] += sum_i a[n, i, k] dy[n, i, j]
#include <algorithm>

#include "model/ops/affine.h"
#include "model/ops/axes.h"
#include "model/ops/dense.h"
#include "model/ops/elementwise.h"
#include "model/ops/index.h"
#include "model/ops/lower.h"
#include "model/ops/sparse.h"
#include "scfe/error.h"

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

using Rows = std::vector<std::uint32_t>;

// to += a · b, lane by lane
void fused_add(const Real* a, const Real* b, Real* to, std::size_t lanes) {
  for (std::size_t l = 0; l < lanes; ++l) to[l] += a[l] * b[l];
}

class MatMul : public Operator {
 public:
  struct Sizes {
    std::size_t i, k, j;
  };
  // a and b: for each product n, the index of the matrix that it reads.
  MatMul(Sizes sizes, Rows a, Rows b) : size_(sizes), a_(std::move(a)), b_(std::move(b)) {}

  void forward(const Forward& run) const override {
    visit([&](std::size_t a, std::size_t b, std::size_t y, bool first) {
      if (first) std::fill_n(row(run.y, y), run.lanes, 0.0F);
      fused_add(row(run.x[0], a), row(run.x[1], b), row(run.y, y), run.lanes);
    });
  }
  void backward(const Backward& run) const override {
    visit([&](std::size_t a, std::size_t b, std::size_t y, bool) {
      if (run.dx[0].data) fused_add(row(run.dy, y), row(run.x[1], b), row(run.dx[0], a), run.lanes);
      if (run.dx[1].data) fused_add(row(run.dy, y), row(run.x[0], a), row(run.dx[1], b), run.lanes);
    });
  }
  double flops() const override {
    return 2.0 * static_cast<double>(a_.size()) * static_cast<double>(size_.i * size_.k * size_.j);
  }

 private:
  template <class Visit>
  void visit(Visit at) const {
    for (std::size_t n = 0; n < a_.size(); ++n)
      for (std::size_t i = 0; i < size_.i; ++i)
        for (std::size_t j = 0; j < size_.j; ++j)
          for (std::size_t k = 0; k < size_.k; ++k)
            at((a_[n] * size_.i + i) * size_.k + k, (b_[n] * size_.k + k) * size_.j + j,
               (n * size_.i + i) * size_.j + j, k == 0);
  }
  Sizes size_;
  Rows a_, b_;
};

Shape leading(const Shape& shape) { return {shape.begin(), shape.end() - 2}; }

LinearMap as_map(const Tensor& tensor, bool transposed) {
  const std::size_t rows = dim(tensor.shape, tensor.shape.size() - 2),
                    cols = dim(tensor.shape, tensor.shape.size() - 1);
  LinearMap map{transposed ? cols : rows, transposed ? rows : cols, std::vector<Real>(rows * cols), {}};
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < cols; ++c)
      map.weight[transposed ? c * rows + r : r * cols + c] = static_cast<Real>(tensor.real(r * cols + c));
  return map;
}

Value product(Builder& build, const Value& a, const Value& b, const std::string& where) {
  const std::size_t rank_a = a.shape.size(), rank_b = b.shape.size();
  const MatMul::Sizes size{dim(a.shape, rank_a - 2), dim(a.shape, rank_a - 1), dim(b.shape, rank_b - 1)};
  if (dim(b.shape, rank_b - 2) != size.k)
    throw Error(where, "matching inner dimensions", to_text(a.shape) + " and " + to_text(b.shape));
  const Shape many = broadcast(leading(a.shape), leading(b.shape), where);
  Shape shape = many;
  shape.insert(shape.end(), {a.shape[rank_a - 2], b.shape[rank_b - 1]});
  build.expect(shape);
  const bool single_a = elements(leading(a.shape)) == 1, single_b = elements(leading(b.shape)) == 1;
  if (b.constant && single_b && !a.constant && size.k > 0)
    return dense(build, a, as_map(*b.constant, true), elements(many) * size.i, 1, shape);
  if (a.constant && single_a && !b.constant && size.k > 0)
    return dense(build, b, as_map(*a.constant, false), elements(many), size.j, shape);
  return build.emit(std::make_unique<MatMul>(size, broadcast_rows(leading(a.shape), many),
                                             broadcast_rows(leading(b.shape), many)),
                    {a, b}, shape);
}

}  // namespace

Value matmul(Builder& build, const Value& a, const Value& b, const std::string& where) {
  if (a.shape.empty() || b.shape.empty()) throw Error(where, "matrices or vectors", "a scalar");
  Value left = a, right = b;
  if (a.shape.size() == 1) left = build.view(a, {1, a.shape[0]});
  if (b.shape.size() == 1) right = build.view(b, {b.shape[0], 1});
  Value y = product(build, left, right, where);
  y.type = a.type;
  Shape shape = y.shape;
  if (b.shape.size() == 1) shape.pop_back();
  if (a.shape.size() == 1) shape.erase(shape.end() - (b.shape.size() == 1 ? 1 : 2));
  return shape == y.shape ? y : build.view(y, shape);
}

void lower_matmul(Site& site) {
  site.expect_one_type();
  site.out(0, matmul(site.build, site.in(0), site.in(1), label(site.node())));
}

// alpha A' B' + beta C
void lower_gemm(Site& site) {
  site.expect_one_type();
  const std::string where = label(site.node());
  Value a = site.in(0), b = site.in(1);
  if (a.shape.size() != 2 || b.shape.size() != 2)
    site.fail("matrices", to_text(a.shape) + " and " + to_text(b.shape));
  if (site.integer("transA", 0) != 0) a = transpose(site.build, a, {1, 0});
  if (site.integer("transB", 0) != 0) b = transpose(site.build, b, {1, 0});
  Value y = matmul(site.build, a, b, where);
  const Real alpha = site.real("alpha", 1), beta = site.real("beta", 1);
  if (alpha != 1) y = binary(site.build, "Mul", y, scalar(site.build, alpha), where);
  if (site.has(2) && beta != 0) {
    Value c = site.in(2);
    if (beta != 1) c = binary(site.build, "Mul", c, scalar(site.build, beta), where);
    y = binary(site.build, "Add", y, c, where);
  }
  site.out(0, y);
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
