#include "model/onnx/site.h"

#include "scfe/error.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

Site::Site(const Node& node, std::int64_t version, Inputs inputs, Builder& builder)
    : build(builder),
      node_(node),
      version_(version),
      inputs_(std::move(inputs)),
      outputs_(node.outputs.size()) {}

void Site::fail(const std::string& expected, const std::string& got) const {
  throw Error(label(node_), expected, got);
}

const Value& Site::in(std::size_t i) const {
  if (!has(i)) fail("input " + std::to_string(i), "none");
  return *inputs_[i];
}

const Tensor& Site::constant(std::size_t i) const {
  if (!in(i).constant)
    fail("input " + std::to_string(i) + " to be constant", "a value that depends on the model's input");
  return *in(i).constant;
}

std::vector<Real> Site::reals(std::size_t i) const {
  const Tensor& tensor = constant(i);
  std::vector<Real> values(tensor.size());
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<Real>(tensor.real(k));
  return values;
}

std::vector<std::int64_t> Site::integers(std::size_t i) const {
  const Tensor& tensor = constant(i);
  std::vector<std::int64_t> values(tensor.size());
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = tensor.integer(k);
  return values;
}

bool Site::has(std::string_view attribute) const { return node_.attributes.contains(attribute); }

const Attribute* Site::find(std::string_view attribute, Attribute::Kind kind) const {
  const auto found = node_.attributes.find(attribute);
  if (found == node_.attributes.end()) return nullptr;
  if (found->second.kind == kind) return &found->second;
  // Old exporters do not write the type of an attribute, and an empty list has no element that shows it.
  if (found->second.kind == Attribute::Kind::none) return nullptr;
  fail("attribute '" + std::string(attribute) + "' of the type that the operator defines", "another type");
}

std::int64_t Site::integer(std::string_view attribute, std::int64_t otherwise) const {
  const Attribute* found = find(attribute, Attribute::Kind::integer);
  return found ? found->integer : otherwise;
}

Real Site::real(std::string_view attribute, Real otherwise) const {
  const Attribute* found = find(attribute, Attribute::Kind::real);
  return found ? found->real : otherwise;
}

std::string Site::text(std::string_view attribute, const std::string& otherwise) const {
  const Attribute* found = find(attribute, Attribute::Kind::text);
  return found ? found->text : otherwise;
}

std::vector<std::int64_t> Site::integers(std::string_view attribute) const {
  const Attribute* found = find(attribute, Attribute::Kind::integers);
  return found ? found->integers : std::vector<std::int64_t>{};
}

std::vector<Real> Site::reals(std::string_view attribute) const {
  const Attribute* found = find(attribute, Attribute::Kind::reals);
  if (!found) return {};
  return {found->reals.begin(), found->reals.end()};
}

std::vector<std::string> Site::texts(std::string_view attribute) const {
  const Attribute* found = find(attribute, Attribute::Kind::texts);
  return found ? found->texts : std::vector<std::string>{};
}

TensorPtr Site::tensor(std::string_view attribute) const {
  const Attribute* found = find(attribute, Attribute::Kind::tensor);
  return found ? found->tensor : nullptr;
}

std::size_t Site::axis(std::int64_t axis, std::size_t rank) const {
  const auto size = static_cast<std::int64_t>(rank);
  if (axis < -size || axis >= size) fail("an axis of " + std::to_string(rank), std::to_string(axis));
  return static_cast<std::size_t>(axis < 0 ? axis + size : axis);
}

std::optional<std::vector<std::int64_t>> Site::listed(std::size_t i, std::string_view attribute) const {
  if (has(i)) return integers(i);
  if (has(attribute)) return integers(attribute);
  return std::nullopt;
}

void Site::expect_one_type() const {
  for (std::size_t i = 1; i < inputs(); ++i)
    if (has(i) && (in(i).type == Type::real) != (in(0).type == Type::real))
      fail("operands of one type", name_of(in(0).type) + " and " + name_of(in(i).type));
}

void Site::out(std::size_t k, Value value) {
  if (k < outputs_.size()) outputs_[k] = std::move(value);
}

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
