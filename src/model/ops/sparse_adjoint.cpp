#include "model/ops/sparse_adjoint.h"

#include <algorithm>
#include <array>

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

constexpr std::size_t largest_run = std::size_t{1} << 16;  // floats of weights that stay in a near cache
constexpr std::size_t least_taps = 4;                      // of a pool: fewer leave too many gradients
constexpr std::size_t chunk = 16;                          // pixels whose channels are listed together
// The lists of a pixel: one for each tap of a 2x2 pool, and one for channels without a gradient.
constexpr std::size_t lists = kernel::pooled_taps + 1, field = 12, field_mask = (std::size_t{1} << field) - 1;

std::size_t rounded(std::size_t floats) {
  return (floats + kernel::gather_width - 1) / kernel::gather_width * kernel::gather_width;
}

// The size of the part of x that one pool window reads.
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
  if (inside && patch <= static_cast<double>(kernel::largest_patch) && all <= largest_run)
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
  if (channels_ * row_ > largest_run || taps_ != kernel::pooled_taps || lists * channels_ > field_mask)
    return;
  run_ = sweep.run;
  weight_.assign(run_.size() * channels_ * row_, 0.0F);
  const std::size_t width = kernel::panel_width, rows = run_.size() * sweep.length;
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t o = 0; o < channels_; ++o)
      weight_[(r / sweep.length * channels_ + o) * row_ + r % sweep.length] =
          sweep.weight[(o / width * rows + r) * width + o % width];
}

// The kernel writes up to gather_width zeros after the frame, so they need memory. An entry takes two floats.
std::size_t SparseAdjoint::scratch() const {
  return frame_.floats() + kernel::gather_width + (line_ > 0 ? 0 : 2 * chunk * lists * channels_);
}

void SparseAdjoint::run(const float* dy, const std::uint8_t* code, float* dx, float* scratch) const {
  const std::size_t floats = frame_.floats() + kernel::gather_width;
  std::fill_n(scratch, floats, 0.0F);
  if (line_ > 0)
    kernel::kernels().gather_patches({channels_, pixels_, row_, weight_.data(), under_.data(), taps_,
                                      line_at_.size(), line_, line_at_.data()},
                                     dy, code, scratch);
  else
    add_runs(dy, code, scratch, scratch + floats);
  frame_.take(lines_, scratch, dx);
}

// A chunk has one list per pixel and tap (and one for no tap), each with room for all channels. The ends of a
// pixel's lists are bit fields of one word: with counters in memory, each entry would wait for the previous.
void SparseAdjoint::add_runs(const float* dy, const std::uint8_t* code, float* dx, float* scratch) const {
  using kernel::Entry;
  const auto end_of = [](std::uint64_t ends, std::size_t list) {
    return ends >> (list * field) & field_mask;
  };
  std::array<kernel::GatherTarget, chunk * kernel::pooled_taps> targets{};
  std::size_t first = 0;
  while (first < pixels_) {
    auto* entry = reinterpret_cast<Entry*>(scratch);
    std::size_t filled = 0;
    for (const std::size_t end = std::min(first + chunk, pixels_); first < end; ++first) {
      std::uint64_t ends = 0;
      for (std::size_t t = 0; t < lists; ++t) ends |= std::uint64_t{t * channels_} << (t * field);
      for (std::size_t c = 0; c < channels_; ++c) {
        entry[end_of(ends, code[c])] = {dy[c], static_cast<std::int32_t>(c * row_)};
        ends += std::uint64_t{1} << (code[c] * field);
      }
      for (std::size_t t = 0; t < taps_; ++t)
        if (const std::size_t count = end_of(ends, t) - t * channels_; count > 0)
          targets[filled++] = {entry + t * channels_, static_cast<std::uint32_t>(count),
                               under_[first * taps_ + t]};
      entry += lists * channels_;
      dy += channels_;
      code += channels_;
    }
    for (std::size_t r = 0; r < run_.size(); ++r)
      kernel::kernels().gather({row_, weight_.data() + r * channels_ * row_, filled, targets.data()},
                               dx + run_[r]);
  }
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
