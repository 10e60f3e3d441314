// Builds a plan value by value: folds constants, checks sizes, and limits work and memory so that a small
// hostile file cannot use up the machine.
#pragma once

#include <map>

#include "model/onnx/plan.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

class Builder {
 public:
  // constants: how many numbers the file holds. The budget of the plan grows in proportion to it.
  Builder(std::size_t features, std::size_t constants);

  // The result of op on the operands; computed at once if all of them are constant.
  Value emit(std::unique_ptr<Operator> op, const std::vector<Value>& operands, Shape shape,
             Type type = Type::real);
  // Throws an Error if a value of that shape exceeds the budget. Call it before costly work that precedes
  // emit().
  void expect(const Shape& shape) const;
  // Charges the budget for a value that repeats the rows of x. Repeated rows count more than others, because
  // a file of a few bytes can ask for very many of them.
  void expect_repeated(const Value& x, const Shape& shape);
  // The same rows in the same order with another shape of the same size.
  Value view(const Value& value, Shape shape);
  Value constant(Tensor tensor);
  Value constant(TensorPtr tensor);
  Value input() const;

  // Indices of the names among the levels of a text feature, whose rows hold such indices. Unknown names are
  // added to the levels.
  std::vector<Real> codes(std::uint32_t feature, const std::vector<std::string>& names);
  const std::map<std::uint32_t, std::vector<std::string>>& levels() const { return levels_; }

  const Plan& plan() const { return plan_; }  // the unfinished plan
  // True if arithmetic must round node by node as in other runtimes: trees compare its results exactly.
  bool keeps_rounding() const { return keeps_rounding_; }
  void keep_rounding() { keeps_rounding_ = true; }
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
  bool kink_ = false, keeps_rounding_ = false;
  double budget_;     // operations left for planning
  double rows_left_;  // rows left for buffers and constants
};

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
