// Builds a plan value by value: folds what is constant, checks sizes, keeps a budget so that a small file
// cannot ask for endless work.
#pragma once

#include <map>

#include "model/onnx/plan.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

class Builder {
 public:
  explicit Builder(std::size_t features);

  // The result of op on the operands; folded at once if they are all constant.
  Value emit(std::unique_ptr<Operator> op, const std::vector<Value>& operands, Shape shape,
             Type type = Type::real);
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
  void set_node(std::string node) { node_ = std::move(node); }
  Plan finish(const Value& scores);

 private:
  int operand(const Value& value);
  Value fold(const Operator& op, const std::vector<Value>& operands, const Shape& shape, Type type);
  void spend(double work);

  Plan plan_;
  std::map<const Tensor*, int> constants_;
  std::map<std::uint32_t, std::vector<std::string>> levels_;
  std::string node_;
  double budget_;
};

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
