#include "model/ops/sparse_adjoint.h"

#include <algorithm>

namespace scfe::onnx {
namespace {

constexpr double largest_patch = 64;                       // floats
constexpr std::size_t largest_run = std::size_t{1} << 16;  // floats of weights that should stay near
constexpr std::size_t least_taps = 4;                      // of a pool: what it leaves of the gradients
constexpr std::size_t chunk = 16;                          // pixels whose channels are listed at once

std::size_t rounded(std::size_t floats) {
  return (floats + kernel::gather_width - 1) / kernel::gather_width * kernel::gather_width;
}

// The extent of x under one pooled window.
Shape patch_of(const Window& conv, const Window& pool) {
  Shape patch;
  for (std::size_t i = 0; i < conv.in.size(); ++i)
    patch.push_back((pool.kernel[i] - 1) * pool.dilation[i] * conv.stride[i] +
                    (conv.kernel[i] - 1) * conv.dilation[i] + 1);
  return patch;
}

}  // namespace

SparseAdjoint::SparseAdjoint(const ConvWeights& weights, const Window& window, const ImagePool& pool)
    : channels_(weights.out), pixels_(pool.out().pixels), taps_(pool.taps()) {
  if (pool.overlaps() || taps_ < least_taps) return;
  const Sweeps direct = direct_sweeps(weights, window);
  frame_ = direct.frame;
  lines_ = frame_.lines();
  const OwnedSweep& sweep = direct.parts.front();
  bool inside = true;
  for (const std::int32_t source : pool.sources()) {
    inside = inside && source >= 0;
    under_.push_back(source < 0 ? -1 : sweep.source[static_cast<std::size_t>(source) / channels_]);
  }
  auto patch = static_cast<double>(weights.in);
  for (const std::int64_t extent : patch_of(window, pool.window())) patch *= static_cast<double>(extent);
  const double all = patch * static_cast<double>((taps_ + 1) * channels_);
  if (inside && patch <= largest_patch && all <= largest_run)
    lay_out_patches(weights, window, pool.window());
  else
    lay_out_runs(sweep);
}

void SparseAdjoint::lay_out_patches(const ConvWeights& weights, const Window& window, const Window& pool) {
  const Shape patch = patch_of(window, pool);
  row_ = rounded(weights.in * elements(patch));
  line_ = weights.in * dim(patch, patch.size() - 1);
  const Index strides = strides_of(frame_.outer), inner = strides_of(patch),
              kernel = strides_of(window.kernel);
  Shape lines = patch;
  lines.back() = 1;
  for_each_index(lines, [&](const Index& index) {
    std::size_t flat = 0;
    for (std::size_t i = 0; i < index.size(); ++i) flat += index[i] * strides[i];
    line_at_.push_back(static_cast<std::int32_t>(flat * weights.in));
  });
  weight_.assign((taps_ + 1) * channels_ * row_, 0.0F);
  std::size_t tap = 0;
  for_each_index(pool.kernel, [&](const Index& q) {
    for_each_index(window.kernel, [&](const Index& t) {
      std::size_t at = 0, flat = 0;
      for (std::size_t i = 0; i < t.size(); ++i) {
        at += inner[i] * (q[i] * static_cast<std::size_t>(pool.dilation[i] * window.stride[i]) +
                          t[i] * static_cast<std::size_t>(window.dilation[i]));
        flat += t[i] * kernel[i];
      }
      for (std::size_t o = 0; o < channels_; ++o)
        for (std::size_t c = 0; c < weights.in; ++c)
          weight_[(tap * channels_ + o) * row_ + at * weights.in + c] =
              weights.values[(o * weights.in + c) * weights.taps + flat];
    });
    ++tap;
  });
}

void SparseAdjoint::lay_out_runs(const OwnedSweep& sweep) {
  row_ = rounded(sweep.length);
  if (channels_ * row_ > largest_run) return;
  run_ = sweep.run;
  weight_.assign(run_.size() * channels_ * row_, 0.0F);
  const std::size_t width = kernel::panel_width, rows = run_.size() * sweep.length;
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t o = 0; o < channels_; ++o)
      weight_[(r / sweep.length * channels_ + o) * row_ + r % sweep.length] =
          sweep.weight[(o / width * rows + r) * width + o % width];
}

// Sums beyond the frame's end are of zeros, but they need room.
std::size_t SparseAdjoint::scratch() const {
  const std::size_t lists = line_ > 0 ? row_ + channels_ : chunk * (taps_ + 1) * (2 * channels_ + 1);
  return frame_.floats() + kernel::gather_width + lists;
}

void SparseAdjoint::run(const float* dy, const std::uint8_t* code, float* dx, float* scratch) const {
  const std::size_t floats = frame_.floats() + kernel::gather_width;
  std::fill_n(scratch, floats, 0.0F);
  if (line_ > 0)
    add_patches(dy, code, scratch, scratch + floats);
  else
    add_runs(dy, code, scratch, scratch + floats);
  frame_.take(lines_, scratch, dx);
}

void SparseAdjoint::add_patches(const float* dy, const std::uint8_t* code, float* dx, float* scratch) const {
  float* patch = scratch;
  auto* at = reinterpret_cast<std::int32_t*>(scratch + row_);
  const auto channels = static_cast<std::int32_t>(channels_), row = static_cast<std::int32_t>(row_);
  for (std::size_t p = 0; p < pixels_; ++p, dy += channels_, code += channels_) {
    for (std::int32_t c = 0; c < channels; ++c) at[c] = (code[c] * channels + c) * row;
    std::fill_n(patch, row_, 0.0F);
    kernel::kernels().gather({row_, channels_, at, dy, weight_.data()}, patch);
    float* under = dx + under_[p * taps_];
    const float* from = patch;
    for (const std::int32_t line : line_at_)
      for (std::size_t k = 0; k < line_; ++k) under[static_cast<std::size_t>(line) + k] += *from++;
  }
}

// The lists of a chunk: [pixel][tap or none] counts, [pixel][tap or none][channel] entries.
void SparseAdjoint::add_runs(const float* dy, const std::uint8_t* code, float* dx, float* scratch) const {
  const std::size_t lists = taps_ + 1;
  auto* count = reinterpret_cast<std::int32_t*>(scratch);
  auto* at = count + chunk * lists;
  float* g = scratch + chunk * lists * (channels_ + 1);
  for (std::size_t first = 0; first < pixels_; first += chunk) {
    const std::size_t size = std::min(chunk, pixels_ - first);
    std::fill_n(count, size * lists, 0);
    for (std::size_t p = 0; p < size; ++p, dy += channels_, code += channels_)
      for (std::size_t c = 0; c < channels_; ++c) {
        const std::size_t list = p * lists + code[c];
        const std::size_t entry = list * channels_ + static_cast<std::size_t>(count[list]++);
        at[entry] = static_cast<std::int32_t>(c * row_);
        g[entry] = dy[c];
      }
    for (std::size_t r = 0; r < run_.size(); ++r)
      for (std::size_t p = 0; p < size; ++p)
        for (std::size_t t = 0; t < taps_; ++t) {
          const std::size_t list = p * lists + t;
          if (count[list] == 0) continue;
          kernel::kernels().gather({row_, static_cast<std::size_t>(count[list]), at + list * channels_,
                                    g + list * channels_, weight_.data() + r * channels_ * row_},
                                   dx + under_[(first + p) * taps_ + t] + run_[r]);
        }
  }
}

}  // namespace scfe::onnx
