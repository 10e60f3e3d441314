#include "model/onnx/layers_of.h"

#include <algorithm>
#include <cstdio>

#include "model/network/activation.h"
#include "model/ops/activation.h"
#include "model/ops/dense.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {
namespace {

constexpr std::size_t most_layer_weights = 4'000'000;  // limit per layer

std::string activation_text(Epilogue epilogue) {
  for (const ActivationRow& row : activation_catalogue()) {
    if (row.kind != epilogue.kind) continue;
    if (row.parameter_name.empty()) return std::string(row.name);
    if (epilogue.parameter == 0) break;
    char parameter[32];
    (void)std::snprintf(parameter, sizeof parameter, is_double ? "(%.17g)" : "(%.9g)",
                        static_cast<double>(epilogue.parameter));
    return std::string(row.name) + parameter;
  }
  return "unknown";
}

std::optional<Layer> dense_layer(const Dense& dense) {
  const LinearMap* map = dense.map();
  if (!map) return std::nullopt;
  Layer layer{Matrix(map->out, map->in), {map->bias.begin(), map->bias.end()}, "none"};
  std::ranges::copy(map->weight, layer.weight.values.begin());
  if (dense.epilogue().given()) layer.activation = activation_text(dense.epilogue());
  return layer;
}

// The operator as a layer, if each of its rows is one input row, scaled and shifted.
std::optional<Layer> row_layer(const Operator& op, std::size_t in, std::size_t out) {
  Layer layer{Matrix(out, in), std::vector<double>(out), "none"};
  for (std::size_t i = 0; i < out; ++i) {
    const std::optional<RowOrigin> origin = op.origin(i);
    if (!origin || origin->kind != RowOrigin::Kind::affine) return std::nullopt;
    layer.weight[i][origin->row] = static_cast<double>(origin->scale);
    layer.bias[i] = static_cast<double>(origin->shift);
  }
  return layer;
}

Layer identity(std::size_t size) {
  Layer layer{Matrix(size, size), std::vector<double>(size), "none"};
  for (std::size_t i = 0; i < size; ++i) layer.weight[i][i] = 1;
  return layer;
}

Layer product(const Layer& first, const Layer& second) {
  const Matrix &a = first.weight, &b = second.weight;
  Layer both{Matrix(b.rows, a.cols), second.bias, second.activation};
  for (std::size_t o = 0; o < b.rows; ++o)
    for (std::size_t m = 0; m < b.cols; ++m) {
      if (b[o][m] == 0) continue;
      both.bias[o] += b[o][m] * first.bias[m];
      for (std::size_t i = 0; i < a.cols; ++i) both.weight[o][i] += b[o][m] * a[m][i];
    }
  return both;
}

// Appends the layer, merged with the one before if possible. False if the merged layer would be too large.
bool append(std::vector<Layer>& layers, Layer layer) {
  if (layers.empty() || layers.back().activation != "none") {
    layers.push_back(std::move(layer));
    return true;
  }
  if (layer.weight.rows * layers.back().weight.cols > most_layer_weights) return false;
  layers.back() = product(layers.back(), layer);
  return true;
}

}  // namespace

std::vector<Layer> layers_of(const Plan& plan) { return layers_from(plan, 0); }

std::vector<Layer> layers_from(const Plan& plan, int from) {
  const auto buffer = [&](int id) -> const Buffer& { return plan.buffers[static_cast<std::size_t>(id)]; };
  std::vector<const Step*> chain;
  for (int at = plan.scores; at != from;) {
    if (buffer(at).step < 0) return {};
    chain.push_back(&plan.steps[static_cast<std::size_t>(buffer(at).step)]);
    if (chain.back()->x.size() != 1) return {};
    at = chain.back()->x[0];
  }
  std::vector<Layer> layers;
  for (auto step = chain.rbegin(); step != chain.rend(); ++step) {
    const Operator& op = *(*step)->op;
    const std::size_t in = buffer((*step)->x[0]).rows, out = buffer((*step)->y).rows;
    if (const std::optional<Epilogue> activation = activation_of(op)) {
      if (layers.empty() || layers.back().activation != "none") {
        if (in * in > most_layer_weights) return {};
        layers.push_back(identity(in));
      }
      layers.back().activation = activation_text(*activation);
      continue;
    }
    if (in * out > most_layer_weights) return {};
    const auto* dense = dynamic_cast<const Dense*>(&op);
    std::optional<Layer> layer = dense ? dense_layer(*dense) : row_layer(op, in, out);
    if (!layer || !append(layers, std::move(*layer))) return {};
  }
  return layers;
}

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
