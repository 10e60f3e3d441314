#include "model/onnx/builder.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "model/onnx/exact.h"
#include "model/onnx/stretches.h"
#include "scfe/error.h"
#include "scfe/memory.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {
namespace {

// The budgets: floating-point operations while planning, and rows of buffers and constants. Each is a fixed
// allowance plus some for each number in the file. A lane of a row takes 4 bytes, and planning it about 12
// more. Weights count less, because an unrolled recurrent network repeats them for each time step. Whatever
// the file holds, planning its rows has to fit the memory limit (scfe/memory.h); running them: program.cpp.
constexpr double free_work = 2e9, work_each = 2e3;
constexpr double free_rows = 1 << 20, rows_each = 256, rows_each_feature = 4, rows_each_weight = 0.25;
constexpr double each_repeated = 15;
constexpr double bytes_of_row = 24;                       // while it is planned
constexpr std::size_t large_file = std::size_t{1} << 25;  // from here on the limit is 1 GB
constexpr std::int64_t endless = std::int64_t{1} << 62;   // larger ones mean "to the end" in Slice: may round

std::string holder() { return is_double ? "a double holds" : "a float holds"; }

// Throws an Error if a constant integer would be rounded.
void expect_held(const Tensor& tensor, const std::string& node) {
  if (tensor.type != Type::integer) return;
  for (const std::int64_t value : tensor.integers)
    if (!is_exact(value) && value > -endless && value < endless &&
        static_cast<std::int64_t>(static_cast<Real>(value)) != value)
      throw Error(node, "integer constants that " + holder(), std::to_string(value));
}

std::vector<Real> as_rows(const Tensor& tensor, const std::string& node) {
  expect_held(tensor, node);
  std::vector<Real> rows(tensor.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<Real>(tensor.real(i));
  return rows;
}

// Throws an Error if a result may have been rounded: if it is large and not equal to one of the operands.
void expect_exact(const std::vector<Real>& y, const std::vector<std::vector<Real>>& x,
                  const std::string& node) {
  std::set<Real> given;
  for (const Real value : y) {
    if (std::abs(value) <= static_cast<Real>(max_exact)) continue;
    if (given.empty())
      for (const auto& operand : x) given.insert(operand.begin(), operand.end());
    if (!given.contains(value))
      throw Error(node, "integers that " + holder(), "about " + std::to_string(value));
  }
}

Tensor from_rows(const std::vector<Real>& rows, const Shape& shape, Type type) {
  if (type == Type::real) return real_tensor(shape, rows);
  Tensor tensor;
  tensor.type = type;
  tensor.shape = shape;
  for (const Real value : rows) tensor.integers.push_back(to_integer(value));
  return tensor;
}

void take(double& left, double rows, const std::string& node) {
  left -= rows;
  if (left < 0)
    throw Error(node, "a model whose values are not much larger than its inputs and weights", "larger ones");
}

// Activations may be much larger than the file, so that only the limit of large files applies.
double most_rows(std::size_t constants) {
  const std::size_t limit = memory_limit(std::max(constants * sizeof(float), large_file));
  return static_cast<double>(limit) / bytes_of_row;
}

}  // namespace

Builder::Builder(std::size_t features, std::size_t constants)
    : budget_(free_work + work_each * static_cast<double>(constants)),
      rows_left_(std::min(most_rows(constants), free_rows + rows_each * static_cast<double>(constants) +
                                                    rows_each_feature * static_cast<double>(features))) {
  plan_.features = features;
  plan_.buffers.push_back({features, -1, nullptr});
}

Value Builder::input() const {
  return {{static_cast<std::int64_t>(plan_.features)}, Type::real, 0, nullptr, {}};
}

void Builder::spend(double work) {
  budget_ -= work;
  if (budget_ < 0) throw Error(node_, "a model whose constants fold within a bounded effort", "more");
}

void Builder::expect(const Shape& shape) const {
  double left = rows_left_;
  take(left, static_cast<double>(elements(shape)), node_);
}

void Builder::expect_repeated(const Value& x, const Shape& shape) {
  const auto rows = static_cast<double>(elements(shape)), own = static_cast<double>(x.rows());
  take(rows_left_, each_repeated * std::max(0.0, rows - own), node_);
}

Value Builder::constant(Tensor tensor) { return constant(std::make_shared<const Tensor>(std::move(tensor))); }

Value Builder::constant(TensorPtr tensor) {
  spend(static_cast<double>(tensor->size()));
  take(rows_left_, static_cast<double>(tensor->size()), node_);
  Shape shape = tensor->shape;
  const auto type = tensor->type;
  return {std::move(shape), type, -1, std::move(tensor), {}};
}

Value Builder::view(const Value& value, Shape shape) {
  if (elements(shape) != value.rows())
    throw Error(node_, std::to_string(value.rows()) + " elements", "shape " + to_text(shape));
  Value result = value;
  result.shape = std::move(shape);
  if (value.constant) {
    spend(static_cast<double>(value.constant->size()));
    Tensor copy = *value.constant;
    copy.shape = result.shape;
    result.constant = std::make_shared<const Tensor>(std::move(copy));
  }
  return result;
}

int Builder::operand(const Value& value) {
  if (!value.constant) return value.buffer;
  const auto [known, added] =
      constants_.emplace(value.constant.get(), static_cast<int>(plan_.buffers.size()));
  if (added) expect_held(*value.constant, node_);
  if (added) plan_.buffers.push_back({value.constant->size(), -1, value.constant});
  return known->second;
}

Value Builder::fold(const Operator& op, const std::vector<Value>& operands, const Shape& shape, Type type) {
  spend(op.flops());
  std::vector<std::vector<Real>> rows;
  std::vector<Const> x;
  for (const Value& value : operands) rows.push_back(as_rows(*value.constant, node_));
  for (const auto& values : rows) x.push_back({values.data(), 1});
  std::vector<Real> y(elements(shape)), scratch(op.scratch());
  op.forward({x, {y.data(), 1}, {scratch.data(), 1}, 1, 1});
  if (type == Type::integer) expect_exact(y, rows, node_);
  return constant(from_rows(y, shape, type));
}

Value Builder::emit(std::unique_ptr<Operator> op, const std::vector<Value>& operands, Shape shape,
                    Type type) {
  const std::size_t rows = elements(shape);
  spend(static_cast<double>(rows) * 8);
  take(rows_left_, static_cast<double>(rows) + rows_each_weight * static_cast<double>(op->parameters()),
       node_);
  bool constant = true;
  for (const Value& value : operands) {
    if (value.type == Type::text && type != Type::text) throw Error(node_, "numbers", "text");
    constant = constant && value.constant;
  }
  if (constant && type == Type::text) throw Error(node_, "numbers", "constant text");
  if (constant) return fold(*op, operands, shape, type);
  Step step{std::move(op), {}, static_cast<int>(plan_.buffers.size()), node_, kink_};
  plan_.buffers.push_back({rows, static_cast<int>(plan_.steps.size()), nullptr});
  for (const Value& value : operands) step.x.push_back(operand(value));
  const int y = step.y;
  plan_.buffers[static_cast<std::size_t>(y)].step = static_cast<int>(plan_.steps.size());
  plan_.steps.push_back(std::move(step));
  return {std::move(shape), type, y, nullptr, {}};
}

std::vector<Real> Builder::codes(std::uint32_t feature, const std::vector<std::string>& names) {
  std::vector<std::string>& known = levels_[feature];
  std::vector<Real> result;
  for (const std::string& name : names) {
    const auto at = std::find(known.begin(), known.end(), name);
    result.push_back(static_cast<Real>(at - known.begin()));
    if (at == known.end()) known.push_back(name);
  }
  return result;
}

Plan Builder::finish(const Value& scores) {
  plan_.scores = operand(scores);
  do prune(plan_);
  while (fuse(plan_));
  prune(plan_);
  if constexpr (!is_double) stretch_images(plan_);
  prune(plan_);
  share_gates(plan_);
  return std::move(plan_);
}

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
