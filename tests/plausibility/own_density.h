// Log-densities of the user's own, for tests: Gaussians with diagonal covariance as small ONNX graphs.
#pragma once

#include <map>
#include <string>

#include "plausibility/catalogue.h"
#include "scfe/density_model.h"
#include "tests/model/onnx/proto.h"

namespace scfe::test {

struct Bell {
  std::vector<float> centre, precision;  // of each input
};

inline std::string bytes_of(const Proto& proto) {
  return {reinterpret_cast<const char*>(proto.bytes().data()), proto.bytes().size()};
}

// log q_k = -1/2 sum_j precision_kj (x_j - centre_kj)², a column for each bell k.
inline std::string bells_onnx(const std::vector<Bell>& bells) {
  const std::uint64_t d = bells[0].centre.size();
  Proto graph;
  std::vector<std::string> columns;
  for (std::size_t k = 0; k < bells.size(); ++k) {
    const std::string n = std::to_string(k);
    std::vector<float> weight;
    for (const float precision : bells[k].precision) weight.push_back(-precision / 2);
    columns.push_back(bells.size() == 1 ? "log_q" : "q" + n);
    graph.message(1, node("Sub", {"x", "c" + n}, {"d" + n}))
        .message(1, node("Mul", {"d" + n, "d" + n}, {"s" + n}))
        .message(1, node("MatMul", {"s" + n, "w" + n}, {columns.back()}))
        .message(5, matrix("c" + n, 1, d, bells[k].centre))
        .message(5, matrix("w" + n, d, 1, weight));
  }
  if (bells.size() > 1)
    graph.message(
        1, node("Concat", columns, {"log_q"}).message(5, Proto().text(1, "axis").number(3, 1).number(20, 2)));
  graph.message(11, port("x", {-1, static_cast<std::int64_t>(d)}));
  graph.message(12, port("log_q", {-1, static_cast<std::int64_t>(bells.size())}));
  return bytes_of(model(graph));
}

// The bell of rows: their means and, unless they are almost constant, their variances.
inline Bell bell_of(const Matrix& rows) {
  Bell bell;
  for (std::size_t j = 0; j < rows.cols; ++j) {
    double mean = 0, square = 0;
    for (std::size_t i = 0; i < rows.rows; ++i) mean += rows[i][j] / static_cast<double>(rows.rows);
    for (std::size_t i = 0; i < rows.rows; ++i)
      square += (rows[i][j] - mean) * (rows[i][j] - mean) / static_cast<double>(rows.rows);
    bell.centre.push_back(static_cast<float>(mean));
    bell.precision.push_back(static_cast<float>(1 / std::max(square, 1e-2)));
  }
  return bell;
}

inline DensityModel bell_density(const Matrix& rows, const std::string& source = "bell.onnx") {
  return density_model_of(bells_onnx({bell_of(rows)}), source);
}

// The options with a density of the user's own in the work space, if the row of the catalogue needs one.
inline DensityOptions given_to(const DensityRow& row, DensityOptions options, std::size_t columns) {
  static std::map<std::size_t, DensityModel> known;
  if (!row.is_given) return options;
  if (!known.contains(columns))
    known[columns] = density_model_of(
        bells_onnx({{std::vector<float>(columns, 0.5F), std::vector<float>(columns, 20.0F)}}), "bell.onnx");
  options.own = &known.at(columns);
  return options;
}

}  // namespace scfe::test
