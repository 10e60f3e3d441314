// A convolution computed per target pixel: it gathers the source pixels under its taps and multiplies them
// with one dense matrix.
//
//     y[o, p] = bias[o] + sum over channels c, taps t of  W[o, c, t] x[c, source(p, t)]
//
// The adjoint has the same form with the roles of the channels swapped. With stride s each target pixel
// of the adjoint reads only the taps of its phase (its position modulo s), so that no product has a
// zero weight. Conv uses the direct form forward and the adjoint backward, ConvTranspose the reverse.
#pragma once

#include "model/ops/operator.h"
#include "model/ops/window.h"

namespace scfe::onnx::inline SCFE_PRECISION {

struct ConvWeights {
  std::size_t groups, out, in;  // channels per group
  std::size_t taps;
  std::vector<Real> values;  // [group][out][in][tap]
  std::vector<Real> bias;    // [group][out], or empty
};

class GatherConv {
 public:
  GatherConv() = default;
  // From the input to the output of the window.
  static GatherConv direct(const ConvWeights& weights, const Window& window);
  // From the output of the window to its input: values are [group][out][in][tap], where `out` counts the
  // channels that are read; the bias belongs to the channels that are written.
  static GatherConv adjoint(const ConvWeights& weights, const Window& window);

  void run(Const x, Mutable y, std::size_t lanes, Epilogue epilogue = {}) const;
  std::size_t rows_in() const { return groups_ * in_ * sources_; }
  std::size_t rows_out() const { return groups_ * out_ * targets_; }
  double flops() const;

 private:
  GatherConv(const ConvWeights& weights, std::size_t out, std::size_t in, std::size_t sources,
             std::size_t targets)
      : groups_(weights.groups),
        out_(out),
        in_(in),
        sources_(sources),
        targets_(targets),
        bias_(weights.bias) {}
  std::vector<std::int32_t> rows_under(const std::vector<std::int32_t>& pixels, std::size_t taps) const;

  struct Phase {
    std::vector<std::uint32_t> targets;
    std::size_t taps = 0;
    std::vector<std::int32_t> sources;  // [target][in][tap] row within the group, or -1 in the padding
    std::vector<Real> weight;           // [group][out][in][tap]
  };
  std::size_t groups_ = 1, out_ = 0, in_ = 0, sources_ = 0, targets_ = 0;
  std::vector<Phase> phases_;
  std::vector<Real> bias_;
};

}  // namespace scfe::onnx::inline SCFE_PRECISION
