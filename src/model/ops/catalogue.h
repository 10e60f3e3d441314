// The catalogue of ONNX operators. Each is in exactly one state: with gradient, with gradient zero, or
// unsupported.
#pragma once

#include <span>
#include <string_view>

#include "model/onnx/site.h"

namespace scfe::onnx::inline SCFE_PRECISION {

enum class State { gradient, zero_gradient, unsupported };
std::string_view name_of(State state);

struct OperatorRow {
  std::string_view domain;  // "" is ai.onnx
  std::string_view name;
  State state;
  void (*lower)(Site& site);  // null if unsupported
  std::string_view note;      // limits, or why it is unsupported
};
std::span<const OperatorRow> operator_catalogue();
const OperatorRow* find_operator(std::string_view domain, std::string_view name);

}  // namespace scfe::onnx::inline SCFE_PRECISION
