#include "model/ops/winograd.h"

#include <algorithm>
#include <array>

namespace scfe::onnx {
namespace {

constexpr std::size_t chunk_tiles = 48, products = 16, side = 4;
constexpr std::size_t least_channels = 16;

Frame frame_of(const Window& w, std::size_t channels) {
  Frame frame{w.in, w.in, w.before, channels};
  for (std::size_t i = 0; i < w.in.size(); ++i)
    frame.outer[i] = std::max(w.before[i] + w.in[i], (w.out[i] + 1) / 2 * 2 + 2);
  return frame;
}

// G w G', in double precision.
std::array<float, products> transformed(const float* w) {
  constexpr double g[side][3] = {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}};
  std::array<float, products> u{};
  for (std::size_t a = 0; a < side; ++a)
    for (std::size_t b = 0; b < side; ++b) {
      double sum = 0;
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) sum += g[a][i] * g[b][j] * double{w[3 * i + j]};
      u[a * side + b] = static_cast<float>(sum);
    }
  return u;
}

}  // namespace

bool Winograd::suits(const ConvWeights& weights, const Window& w) {
  const std::vector<std::int64_t> one = {1, 1};
  return weights.groups == 1 && w.kernel == Shape{3, 3} && w.stride == one && w.dilation == one &&
         weights.in % kernel::gather_width == 0 && weights.out % kernel::gather_width == 0 &&
         weights.in >= least_channels && weights.out >= least_channels &&
         *std::min_element(w.before.begin(), w.before.end()) >= 0 &&
         *std::min_element(w.after.begin(), w.after.end()) >= 0;
}

Winograd::Winograd(const ConvWeights& weights, const Window& w)
    : in_(weights.in),
      out_(weights.out),
      frame_(frame_of(w, weights.in)),
      out_row_(dim(w.out, 1) * weights.out),
      bias_(weights.bias) {
  for (std::size_t i = 0; i < dim(w.out, 0); i += 2)
    for (std::size_t j = 0; j < dim(w.out, 1); j += 2) {
      source_.push_back(static_cast<std::int32_t>((i * dim(frame_.outer, 1) + j) * in_));
      target_.push_back(static_cast<std::int32_t>(i * out_row_ + j * out_));
      rows_.push_back(i + 1 < dim(w.out, 0) ? 2 : 1);
      columns_.push_back(j + 1 < dim(w.out, 1) ? 2 : 1);
    }
  std::vector<std::vector<float>> planes(products, std::vector<float>(in_ * out_));
  for (std::size_t o = 0; o < out_; ++o)
    for (std::size_t c = 0; c < in_; ++c) {
      const auto u = transformed(weights.values.data() + (o * in_ + c) * weights.taps);
      for (std::size_t k = 0; k < products; ++k) planes[k][c * out_ + o] = u[k];
    }
  for (const auto& plane : planes) {
    const std::vector<float> panels = in_panels(plane, in_, out_);
    weight_.insert(weight_.end(), panels.begin(), panels.end());
  }
  for (std::size_t c = 0; c < in_; ++c) terms_.push_back(static_cast<std::int32_t>(c));
  for (std::size_t t = 0; t < chunk_tiles; ++t) {
    place_in_.push_back(static_cast<std::int32_t>(t * in_));
    place_out_.push_back(static_cast<std::int32_t>(t * out_));
  }
}

std::size_t Winograd::scratch() const { return products * chunk_tiles * (in_ + out_); }

void Winograd::multiply(const float* v, float* m, std::size_t tiles) const {
  const std::size_t each = weight_.size() / products;
  for (std::size_t k = 0; k < products; ++k) {
    const kernel::Sweep sweep{out_,    in_,   terms_.data(),    weight_.data() + k * each,
                              nullptr, tiles, place_in_.data(), place_out_.data(),
                              false};
    kernel::kernels().sweep(sweep, {v + k * tiles * in_, m + k * tiles * out_, 0, 0, 1});
  }
}

// Tiles of all images in one row, a chunk of them at a time: small images fill it together.
void Winograd::run(Images x, Images y, std::size_t count, bool relu, float* scratch) const {
  float *v = scratch, *m = scratch + products * chunk_tiles * in_;
  std::array<std::int32_t, chunk_tiles> from{}, to{};
  std::array<std::uint8_t, chunk_tiles> rows{}, columns{};
  const std::size_t each = source_.size(), all = count * each, row = dim(frame_.outer, 1) * in_;
  for (std::size_t first = 0; first < all; first += chunk_tiles) {
    const std::size_t tiles = std::min(chunk_tiles, all - first);
    for (std::size_t t = 0; t < tiles; ++t) {
      const std::size_t image = (first + t) / each, tile = (first + t) % each;
      from[t] = static_cast<std::int32_t>(image * x.stride) + source_[tile];
      to[t] = static_cast<std::int32_t>(image * y.stride) + target_[tile];
      rows[t] = rows_[tile];
      columns[t] = columns_[tile];
    }
    kernel::kernels().winograd_in({in_, tiles, from.data(), row, nullptr, nullptr}, x.data, v);
    multiply(v, m, tiles);
    kernel::kernels().winograd_out({out_, tiles, to.data(), out_row_, rows.data(), columns.data()}, m,
                                   bias_.empty() ? nullptr : bias_.data(), relu, y.data);
  }
}

ConvWeights flipped(const ConvWeights& weights) {
  ConvWeights result{1, weights.in, weights.out, weights.taps, std::vector<float>(weights.values.size()), {}};
  for (std::size_t o = 0; o < weights.out; ++o)
    for (std::size_t c = 0; c < weights.in; ++c)
      for (std::size_t t = 0; t < weights.taps; ++t)
        result.values[(c * weights.out + o) * weights.taps + weights.taps - 1 - t] =
            weights.values[(o * weights.in + c) * weights.taps + t];
  return result;
}

Window flipped(const Window& window) {
  Window result = window;
  std::swap(result.in, result.out);
  for (std::size_t i = 0; i < window.in.size(); ++i) {
    result.before[i] = window.kernel[i] - 1 - window.before[i];
    result.after[i] = window.kernel[i] - 1 - window.after[i];
  }
  return result;
}

}  // namespace scfe::onnx
