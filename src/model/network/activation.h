// The catalogue of activations: name, formula and parameter of each loop in kernel/isa/activation.cpp.
//
// The definitions and default parameters are those of the ONNX operators, so that layers given by hand
// and graphs read from a file share them. Where PyTorch differs, the formula says so. A parameter is
// written after the name: "leaky_relu(0.2)".
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "kernel/activation.h"

namespace scfe {

struct ActivationRow {
  std::string_view name;
  kernel::ActivationKind kind;
  float parameter;                  // the default value
  std::string_view parameter_name;  // empty if the activation has no parameter
  std::string_view formula;
};
std::span<const ActivationRow> activation_catalogue();

struct Activation {
  kernel::ActivationKind kind = kernel::activation_none;
  float parameter = 0;
};
// Parses "name" or "name(parameter)". An unknown name is an Error on `field` that lists the known names.
Activation parse_activation(std::string_view text, const std::string& field);

}  // namespace scfe
