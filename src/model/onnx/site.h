// The node that is being lowered: checked access to its attributes and inputs, and a place for its outputs.
#pragma once

#include <optional>

#include "model/onnx/builder.h"
#include "model/onnx/graph.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

class Site {
 public:
  using Inputs = std::vector<std::optional<Value>>;
  Site(const Node& node, std::int64_t version, Inputs inputs, Builder& builder);

  Builder& build;
  const Node& node() const { return node_; }
  std::int64_t version() const { return version_; }  // of the node's operator set

  std::size_t inputs() const { return inputs_.size(); }
  bool has(std::size_t i) const { return i < inputs_.size() && inputs_[i].has_value(); }
  const Value& in(std::size_t i) const;          // Error if it is absent
  const Tensor& constant(std::size_t i) const;   // Error if it depends on the model's input
  std::vector<Real> reals(std::size_t i) const;  // values of a constant
  std::vector<std::int64_t> integers(std::size_t i) const;

  bool has(std::string_view attribute) const;
  std::int64_t integer(std::string_view attribute, std::int64_t otherwise) const;
  Real real(std::string_view attribute, Real otherwise) const;
  std::string text(std::string_view attribute, const std::string& otherwise) const;
  std::vector<std::int64_t> integers(std::string_view attribute) const;  // empty if absent
  std::vector<Real> reals(std::string_view attribute) const;
  std::vector<std::string> texts(std::string_view attribute) const;
  TensorPtr tensor(std::string_view attribute) const;  // null if absent
  // Turns a negative axis, counted from the back, into one counted from the front.
  std::size_t axis(std::int64_t axis, std::size_t rank) const;
  // The integers of input i (newer operator sets) or of the attribute (older ones); nullopt without both.
  std::optional<std::vector<std::int64_t>> listed(std::size_t i, std::string_view attribute) const;

  // Throws an Error if some inputs are real and others are not.
  void expect_one_type() const;

  std::size_t outputs() const { return outputs_.size(); }
  bool wants(std::size_t k) const { return k < node_.outputs.size() && !node_.outputs[k].empty(); }
  void out(std::size_t k, Value value);
  const std::optional<Value>& result(std::size_t k) const { return outputs_[k]; }
  // The scores of a classifier before its post_transform (see onnx/scores.h).
  void set_raw(Value scores) { raw_ = std::move(scores); }
  const std::optional<Value>& raw() const { return raw_; }

  [[noreturn]] void fail(const std::string& expected, const std::string& got) const;

 private:
  const Attribute* find(std::string_view attribute, Attribute::Kind kind) const;

  const Node& node_;
  std::int64_t version_;
  Inputs inputs_;
  std::vector<std::optional<Value>> outputs_;
  std::optional<Value> raw_;
};

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
