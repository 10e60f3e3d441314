// Recognises a plan that is a dense network behind encoders of single inputs (network/coded_network.h).
#pragma once

#include <span>
#include <vector>

#include "model/onnx/column.h"
#include "scfe/model.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

struct Encoders {
  std::vector<Column> rows;
  std::vector<Layer> layers;  // their inputs are the rows

  std::vector<Layer> layers_at(std::span<const double> x, std::span<const char> moves) const;
};

// The result has no rows if the plan has another form or is too large to examine.
Encoders encoders_of(const Plan& plan);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
