// Builds a plan value by value: folds what is constant, checks sizes, keeps a budget so that a small file
// cannot ask for endless work.
#pragma once

#include <map>

#include "model/onnx/plan.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

class Builder {
 public:
  // constants: how many numbers the file itself holds. The plan may be larger than they, but not by any
  // factor.
  Builder(std::size_t features, std::size_t constants);

  // The result of op on the operands; folded at once if they are all constant.
  Value emit(std::unique_ptr<Operator> op, const std::vector<Value>& operands, Shape shape,
             Type type = Type::real);
  // Error if a value of that shape would be too large: for whoever needs time or memory before it is emitted.
  void expect(const Shape& shape) const;
  // The same for a value that repeats the rows of x. A file asks for those with a few bytes, and they are all
  // to be held and run: they count for more.
  void expect_repeated(const Value& x, const Shape& shape);
  // The same rows in the same order with another shape of the same size.
  Value view(const Value& value, Shape shape);
  Value constant(Tensor tensor);
  Value constant(TensorPtr tensor);
  Value input() const;

  // The levels of a text feature: an entry of the feature is an index into them. Names not yet known are
  // added; returns the index of each.
  std::vector<Real> codes(std::uint32_t feature, const std::vector<std::string>& names);
  const std::map<std::uint32_t, std::vector<std::string>>& levels() const { return levels_; }

  const Plan& plan() const { return plan_; }  // so far
  bool exhausted() const { return budget_ < 0 || rows_left_ < 0; }
  void set_node(std::string node, bool kink = false) { node_ = std::move(node), kink_ = kink; }
  Plan finish(const Value& scores);

 private:
  int operand(const Value& value);
  Value fold(const Operator& op, const std::vector<Value>& operands, const Shape& shape, Type type);
  void spend(double work);

  Plan plan_;
  std::map<const Tensor*, int> constants_;
  std::map<std::uint32_t, std::vector<std::string>> levels_;
  std::string node_;
  bool kink_ = false;
  double budget_;     // operations
  double rows_left_;  // of buffers
};

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
