// A dense network on blocks of lanes:
//
//     z_l = W_l a_{l-1} + b_l,   a_l = f_l(z_l),   a_0 = x,   scores = a_L
//     backward:  dz_l = da_l f_l'(z_l),   da_{l-1} = W_l' dz_l
//
// A last sigmoid or softmax is skipped: the scores are its logits. Neighbouring layers without an activation
// between them are merged. Forward keeps only z_l, which it computes anyway, so it costs nothing extra
// when no backward follows.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>
#include <utility>

#include "kernel/rows_of.h"
#include "model/network/activation.h"
#include "scfe/error.h"
#include "scfe/model.h"

namespace scfe {
namespace {

std::string count(std::size_t number, const std::string& noun) { return std::to_string(number) + ' ' + noun; }

void check_finite(std::span<const double> values, const std::string& field) {
  for (const double value : values)
    if (!std::isfinite(static_cast<float>(value)))
      throw Error(field, "finite numbers (in float32)", std::to_string(value));
}

// `inputs`: the number of outputs of the previous layer; nullopt for the first layer.
void check(const Layer& layer, std::optional<std::size_t> inputs, const std::string& name) {
  const Matrix& w = layer.weight;
  if (w.rows == 0 || w.cols == 0)
    throw Error(name + " weight", "at least 1 x 1", std::to_string(w.rows) + " x " + std::to_string(w.cols));
  if (w.values.size() != w.rows * w.cols)
    throw Error(name + " weight", count(w.rows * w.cols, "values"), std::to_string(w.values.size()));
  if (inputs && w.cols != *inputs)
    throw Error(name + " weight", count(*inputs, "columns, the outputs of the layer before"),
                std::to_string(w.cols));
  if (layer.bias.size() != w.rows)
    throw Error(name + " bias", count(w.rows, "values"), std::to_string(layer.bias.size()));
  check_finite(w.values, name + " weight");
  check_finite(layer.bias, name + " bias");
}

bool is_plain(const Layer& layer) { return layer.activation == "none"; }

// True if second(first(x)) should be one layer. A bottleneck whose product has more weights stays two layers.
bool collapses(const Layer& first, const Layer& second) {
  const std::size_t in = first.weight.cols, between = first.weight.rows, out = second.weight.rows;
  return is_plain(first) && out * in <= between * (in + out);
}

Layer product(const Layer& first, const Layer& second) {
  const Matrix &a = first.weight, &b = second.weight;
  Layer both{Matrix(b.rows, a.cols), second.bias, second.activation};
  for (std::size_t o = 0; o < b.rows; ++o)
    for (std::size_t m = 0; m < b.cols; ++m) {
      both.bias[o] += b[o][m] * first.bias[m];
      for (std::size_t i = 0; i < a.cols; ++i) both.weight[o][i] += b[o][m] * a[m][i];
    }
  return both;
}

std::vector<Layer> simplified(std::vector<Layer> layers) {
  Layer& last = layers.back();
  const std::string name = "layer " + std::to_string(layers.size()) + " activation";
  if (last.activation == "softmax" && last.weight.rows == 1)
    throw Error(name, "at least 2 outputs for softmax", "1");
  if (last.activation == "sigmoid" || last.activation == "softmax") last.activation = "none";
  std::vector<Layer> simple;
  for (Layer& layer : layers) {
    if (!simple.empty() && collapses(simple.back(), layer))
      simple.back() = product(simple.back(), layer);
    else
      simple.push_back(std::move(layer));
  }
  return simple;
}

struct Step {
  std::size_t in, out;
  std::vector<float> weight, transposed, bias;
  Activation activation;
};

Step step_of(const Layer& layer, const std::string& name) {
  const Matrix& w = layer.weight;
  Step step{w.cols, w.rows, {}, std::vector<float>(w.values.size()), {}, {}};
  step.activation = parse_activation(layer.activation, name + " activation");
  check_finite(w.values, "layers without activation between them, as one: weight");
  check_finite(layer.bias, "layers without activation between them, as one: bias");
  step.weight.assign(w.values.begin(), w.values.end());
  step.bias.assign(layer.bias.begin(), layer.bias.end());
  for (std::size_t o = 0; o < w.rows; ++o)
    for (std::size_t i = 0; i < w.cols; ++i) step.transposed[i * w.rows + o] = step.weight[o * w.cols + i];
  return step;
}

struct DenseTape : Model::Tape {
  std::size_t capacity = 0, lanes = 0;
  std::vector<Block> z;  // per layer: what the activation reads (ReLU: writes); empty without activation
  Block even, odd;       // the layers write to these two in turn
};

class DenseNetwork : public Model {
 public:
  DenseNetwork(std::vector<Step> steps, std::vector<Layer> layers, Output output)
      : steps_(std::move(steps)), layers_(std::move(layers)), output_(output) {}

  std::size_t features() const override { return steps_.front().in; }
  std::size_t scores() const override { return steps_.back().out; }
  const Layer* linear() const override {
    return layers_.size() == 1 && is_plain(layers_[0]) ? layers_.data() : nullptr;
  }
  std::span<const Layer> layers() const override { return layers_; }
  Output output() const override { return output_; }

  std::unique_ptr<Tape> tape(std::size_t max_lanes) const override {
    auto tape = std::make_unique<DenseTape>();
    tape->capacity = max_lanes;
    std::size_t widest = 0;
    for (const Step& step : steps_) {
      tape->z.emplace_back(is_linear(step) ? 0 : step.out, max_lanes);
      widest = std::max(widest, step.out);
    }
    tape->even = Block(widest, max_lanes);
    tape->odd = Block(widest, max_lanes);
    return tape;
  }

  void forward(const Block& x, Block& scores, Tape& given) const override;
  void backward(const Block& seed, Block& gradient, Tape& given) const override;

 private:
  static bool is_linear(const Step& step) { return step.activation.kind == kernel::activation_none; }
  static bool is_relu(const Step& step) { return step.activation.kind == kernel::activation_relu; }

  std::vector<Step> steps_;
  std::vector<Layer> layers_;
  Output output_;
};

using kernel::read_only, kernel::rows_of;

void DenseNetwork::forward(const Block& x, Block& scores, Tape& given) const {
  auto& tape = static_cast<DenseTape&>(given);
  assert(x.features() == features() && scores.features() == this->scores());
  assert(x.lanes() <= tape.capacity && x.lanes() <= scores.capacity());
  tape.lanes = x.lanes();
  scores.set_lanes(x.lanes());
  const kernel::Kernels& loops = kernel::kernels();
  const std::size_t lanes = x.padded_lanes();
  const Block* from = &x;
  for (std::size_t l = 0; l < steps_.size(); ++l) {
    const Step& step = steps_[l];
    const bool last = l + 1 == steps_.size();
    Block& to = last ? scores : is_relu(step) ? tape.z[l] : from == &tape.even ? tape.odd : tape.even;
    Block& z = is_linear(step) ? to : tape.z[l];
    const kernel::ActivationKind fused = is_relu(step) ? kernel::activation_relu : kernel::activation_none;
    loops.linear({step.out, step.in, step.weight.data(), step.bias.data(), nullptr, fused, 0}, rows_of(*from),
                 rows_of(z), lanes);
    if (is_relu(step) && last)
      for (std::size_t o = 0; o < step.out; ++o) std::copy_n(z[o], lanes, to[o]);
    else if (!is_linear(step) && !is_relu(step))
      for (std::size_t o = 0; o < step.out; ++o)
        loops.activate(step.activation.kind, step.activation.parameter, z[o], to[o], lanes);
    from = &to;
  }
}

void DenseNetwork::backward(const Block& seed, Block& gradient, Tape& given) const {
  auto& tape = static_cast<DenseTape&>(given);
  assert(seed.features() == scores() && gradient.features() == features());
  assert(seed.lanes() == tape.lanes && seed.lanes() <= gradient.capacity());
  gradient.set_lanes(seed.lanes());
  const kernel::Kernels& loops = kernel::kernels();
  const std::size_t lanes = seed.padded_lanes();
  const Block* from = &seed;
  for (std::size_t l = steps_.size(); l-- > 0;) {
    const Step& step = steps_[l];
    if (!is_linear(step) && (!is_relu(step) || l + 1 == steps_.size())) {
      Block& dz = from == &tape.odd ? tape.odd : tape.even;
      for (std::size_t o = 0; o < step.out; ++o)
        loops.activate_gradient(step.activation.kind, step.activation.parameter, tape.z[l][o], (*from)[o],
                                dz[o], lanes);
      from = &dz;
    }
    Block& to = l == 0 ? gradient : from == &tape.even ? tape.odd : tape.even;
    // The kernel multiplies by the slope of the previous layer's ReLU while the result is in registers.
    const bool gated = l > 0 && is_relu(steps_[l - 1]);
    const kernel::Const gate = gated ? read_only(tape.z[l - 1]) : kernel::Const{};
    loops.linear(
        {step.in, step.out, step.transposed.data(), nullptr, nullptr, kernel::activation_none, 0, gate},
        rows_of(*from), rows_of(to), lanes);
    from = &to;
  }
}

}  // namespace

std::shared_ptr<const Model> dense_network(std::vector<Layer> layers) {
  if (layers.empty()) throw Error("layers", "at least 1", "0");
  std::optional<std::size_t> inputs;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const std::string name = "layer " + std::to_string(l + 1);
    check(layers[l], inputs, name);
    const bool looked_through = l + 1 == layers.size() && layers[l].activation == "softmax";
    if (!looked_through) parse_activation(layers[l].activation, name + " activation");
    inputs = layers[l].weight.rows;
  }
  std::vector<Step> steps;
  const bool sigmoid = layers.back().activation == "sigmoid" && layers.back().weight.rows == 1;
  std::vector<Layer> simple = simplified(std::move(layers));
  for (const Layer& layer : simple)
    steps.push_back(step_of(layer, "layer " + std::to_string(steps.size() + 1)));
  return std::make_shared<DenseNetwork>(std::move(steps), std::move(simple),
                                        sigmoid ? Model::Output::sigmoid : Model::Output::unknown);
}

}  // namespace scfe
