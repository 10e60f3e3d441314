// The sweeps (kernel/convolution.h) of a convolution without groups, from its window.
//
// Sources have a frame of zeros around them, so that no tap falls outside. A direct convolution is one sweep.
// The adjoint gathers: with stride s the pixels fall into phases (position modulo s) that see different taps,
// and each phase is a sweep of its own.
#pragma once

#include "kernel/kernels.h"
#include "model/ops/gather_conv.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

// Zeros around an image [pixel][channel].
struct Frame {
  Shape inner, outer, before;  // spatial sizes
  std::size_t channels = 0;
  bool none() const { return inner == outer; }
  std::size_t floats() const { return elements(outer) * channels; }
  std::int32_t offset(const Index& inner_pixel) const;  // in floats
  // The runs of an image that lie together in both: length, and where they start in the framed image.
  std::size_t line() const { return static_cast<std::size_t>(inner.back()) * channels; }
  std::vector<std::int32_t> lines() const;
  // An image into its frame, and out of it.
  void put(const std::vector<std::int32_t>& lines, const float* image, float* framed) const;
  void take(const std::vector<std::int32_t>& lines, const float* framed, float* image) const;
};

// The terms come in runs: what a row of the window sees, neighbouring pixels with all their channels.
struct OwnedSweep {
  std::size_t out = 0, length = 0;  // of a run, in floats
  std::vector<std::int32_t> run, at, source, target;
  std::vector<float> weight, bias;
  kernel::Sweep view(bool relu) const;
};

struct Sweeps {
  Frame frame;  // of what they read
  std::vector<OwnedSweep> parts;
  std::size_t weights() const;
};

Sweeps direct_sweeps(const ConvWeights& weights, const Window& window);
Sweeps adjoint_sweeps(const ConvWeights& weights, const Window& window);

// weight[row][column] for all columns of a panel, zeros behind the last: [panel][row][panel_width].
std::vector<float> in_panels(const std::vector<float>& weight, std::size_t rows, std::size_t columns);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
