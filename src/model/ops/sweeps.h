// Computes the sweeps (kernel/convolution.h) of a convolution without groups from its window.
//
// Source images get a frame of zeros, so that no tap falls outside. A direct convolution is one sweep. In the
// adjoint with stride s, the pixels fall into phases (position modulo s) that read different taps, and each
// phase is a sweep of its own.
#pragma once

#include "kernel/kernels.h"
#include "model/ops/gather_conv.h"

namespace scfe::onnx::inline SCFE_PRECISION {

// A frame of zeros around an image [pixel][channel].
struct Frame {
  Shape inner, outer, before;  // spatial sizes
  std::size_t channels = 0;
  bool none() const { return inner == outer; }
  std::size_t floats() const { return elements(outer) * channels; }
  std::int32_t offset(const Index& inner_pixel) const;  // in floats
  // Length in floats of the runs that are contiguous both in the image and in the framed image (`line`), and
  // where they start in the framed image (`lines`).
  std::size_t line() const { return static_cast<std::size_t>(inner.back()) * channels; }
  std::vector<std::int32_t> lines() const;
  // Copies an image into its frame, and out of it.
  void put(const std::vector<std::int32_t>& lines, const float* image, float* framed) const;
  void take(const std::vector<std::int32_t>& lines, const float* framed, float* image) const;
};

// The terms come in runs: the contiguous floats that one row of the window reads.
struct OwnedSweep {
  std::size_t out = 0, length = 0;  // output channels; floats per run
  std::vector<std::int32_t> run, at, source, target;
  std::vector<float> weight, bias;
  kernel::Sweep view(bool relu) const;
};

struct Sweeps {
  Frame frame;  // around the image that they read
  std::vector<OwnedSweep> parts;
  std::size_t weights() const;
};

Sweeps direct_sweeps(const ConvWeights& weights, const Window& window);
Sweeps adjoint_sweeps(const ConvWeights& weights, const Window& window);

// Rearranges weight[row][column] to [panel][row][panel_width], with zeros after the last column.
std::vector<float> in_panels(const std::vector<float>& weight, std::size_t rows, std::size_t columns);

}  // namespace scfe::onnx::inline SCFE_PRECISION
