// A plan that is a dense network behind encoders of single inputs (model/coded_network.h).
#pragma once

#include <span>
#include <vector>

#include "model/onnx/column.h"
#include "scfe/model.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

struct Encoders {
  std::vector<Column> rows;
  std::vector<Layer> layers;  // over the rows

  std::vector<Layer> layers_at(std::span<const double> x, std::span<const char> moves) const;
};

// Without rows if the plan is anything else, or too large to be looked at.
Encoders encoders_of(const Plan& plan);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
