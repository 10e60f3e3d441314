// Cast and CastLike. Reals become integers by truncation: gradient zero. All reals are held as Real, so that
// widening and narrowing within a kind change nothing; only a plan in double rounds where the file says
// float.
#include "model/ops/elementwise.h"
#include "model/ops/lower.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {
namespace {

constexpr std::int64_t single = 1;  // TensorProto.FLOAT

// y = x rounded to single precision; dx = dy.
class ToSingle : public Operator {
 public:
  explicit ToSingle(std::size_t rows) : rows_(rows) {}
  void forward(const Forward& run) const override {
    for (std::size_t i = 0; i < rows_; ++i)
      for (std::size_t l = 0; l < run.lanes; ++l)
        row(run.y, i)[l] = static_cast<Real>(static_cast<float>(row(run.x[0], i)[l]));
  }
  void backward(const Backward& run) const override {
    for (std::size_t i = 0; i < rows_; ++i)
      for (std::size_t l = 0; l < run.lanes; ++l) row(run.dx[0], i)[l] = row(run.dy, i)[l];
  }
  bool overwrites() const override { return true; }
  bool reads_x() const override { return false; }
  std::optional<RowOrigin> origin(std::size_t i) const override {
    RowOrigin origin;
    origin.row = i;
    origin.rounds = true;
    return origin;
  }

 private:
  std::size_t rows_;
};

}  // namespace

Value to_single(Builder& build, const Value& x) {
  if (!is_double || x.type != Type::real) return x;
  return build.emit(std::make_unique<ToSingle>(x.rows()), {x}, x.shape);
}

void lower_cast(Site& site) {
  const Value& x = site.in(0);
  const bool like = site.node().op == "CastLike";
  const std::int64_t to = like ? 0 : site.integer("to", single);
  Type type = like ? site.in(1).type : Type::real;
  if (!like) {
    if (to == 8)
      type = Type::text;
    else if (to == 9)
      type = Type::boolean;
    else if ((to >= 2 && to <= 7) || to == 12 || to == 13)
      type = Type::integer;
    else if (to != single && to != 10 && to != 11 && to != 16)
      site.fail("a type we take", "type " + std::to_string(to));
  }
  if (type == Type::text || x.type == Type::text) site.fail("numbers", "text");
  if (type == Type::boolean && x.type != Type::boolean) return site.out(0, unary(site.build, "Bool", x));
  if (type == x.type) return site.out(0, to == single ? to_single(site.build, x) : x);
  if (x.constant) {
    Tensor tensor;
    tensor.type = type;
    tensor.shape = x.shape;
    for (std::size_t i = 0; i < x.constant->size(); ++i)
      type == Type::real ? tensor.reals.push_back(x.constant->real(i))
                         : tensor.integers.push_back(x.constant->integer(i));
    return site.out(0, site.build.constant(std::move(tensor)));
  }
  Value result = type == Type::integer && x.type == Type::real ? unary(site.build, "Trunc", x) : x;
  result.type = type;
  site.out(0, result);
}

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
