#include "model/ops/winograd.h"

#include <algorithm>
#include <array>

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

constexpr std::size_t most_chunk = 48;  // tiles that are computed together
constexpr std::size_t least_channels = 16;
constexpr std::size_t largest_f4 = std::size_t{1} << 20;  // floats of weights that F4 may have

using Points = std::vector<std::array<double, 3>>;  // the rows of G

Points points_of(std::size_t side) {
  if (side == 2) return {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}};
  const double a = kernel::winograd_near, b = kernel::winograd_far;
  const std::array<double, 5> points = {0, a, -a, b, -b};
  Points rows;
  for (const double p : points) {
    double scale = 1;
    for (const double q : points)
      if (q != p) scale *= p - q;
    rows.push_back({1 / scale, p / scale, p * p / scale});
  }
  rows.push_back({0, 0, 1});
  return rows;
}

// G w G' at (a, b), in double precision.
float transformed(const Points& g, const float* w, std::size_t a, std::size_t b) {
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) sum += g[a][i] * g[b][j] * double{w[3 * i + j]};
  return static_cast<float>(sum);
}

std::size_t tiles_of(std::size_t outputs, std::size_t side) { return (outputs + side - 1) / side; }

// The part of the convolution's output that is read: all of it, or what the pool reads.
Shape read_of(const Window& window, const ImagePool* pool) {
  if (!pool) return window.out;
  return {2 * pool->window().out[0], 2 * pool->window().out[1]};
}

std::size_t best_side(const ConvWeights& weights, const Shape& read) {
  const auto products = [&](std::size_t side) {
    return kernel::winograd_products(side) * tiles_of(dim(read, 0), side) * tiles_of(dim(read, 1), side);
  };
  const bool near = kernel::winograd_products(4) * weights.in * weights.out <= largest_f4;
  return near && products(4) < products(2) ? 4 : 2;
}

Frame frame_of(const Window& w, std::size_t channels, const Shape& read, std::size_t side) {
  Frame frame{w.in, w.in, w.before, channels};
  for (std::size_t i = 0; i < w.in.size(); ++i)
    frame.outer[i] =
        std::max(w.before[i] + w.in[i], static_cast<std::int64_t>(tiles_of(dim(read, i), side) * side + 2));
  return frame;
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

bool Winograd::holds(const ImagePool& pool) {
  const Window& w = pool.window();
  const std::vector<std::int64_t> one = {1, 1}, two = {2, 2}, zero = {0, 0};
  return w.kernel == two && w.stride == two && w.dilation == one && w.before == zero &&
         2 * w.out[0] <= w.in[0] && 2 * w.out[1] <= w.in[1];
}

Winograd::Winograd(const ConvWeights& weights, const Window& w, Way way, const ImagePool* pool)
    : in_(weights.in),
      out_(weights.out),
      side_(way == Way::ahead ? 2 : best_side(weights, read_of(w, pool))),
      chunk_(side_ == 2 ? most_chunk : most_chunk / 2),
      pooled_(pool != nullptr),
      frame_(frame_of(w, weights.in, read_of(w, pool), side_)),
      bias_(weights.bias) {
  const Shape out = pool ? pool->window().out : w.out;
  const std::size_t step = pool ? side_ / 2 : side_;
  out_row_ = dim(out, 1) * out_;
  for (std::size_t i = 0; i < dim(out, 0); i += step)
    for (std::size_t j = 0; j < dim(out, 1); j += step) {
      const std::size_t row = i / step * side_, column = j / step * side_;
      source_.push_back(static_cast<std::int32_t>((row * dim(frame_.outer, 1) + column) * in_));
      target_.push_back(static_cast<std::int32_t>(i * out_row_ + j * out_));
      rows_.push_back(static_cast<std::uint8_t>(std::min(step, dim(out, 0) - i)));
      columns_.push_back(static_cast<std::uint8_t>(std::min(step, dim(out, 1) - j)));
    }
  lay_out_weights(weights);
}

void Winograd::lay_out_weights(const ConvWeights& weights) {
  const Points points = points_of(side_);
  std::vector<float> plane(in_ * out_);
  for (std::size_t k = 0; k < products(); ++k) {
    for (std::size_t o = 0; o < out_; ++o)
      for (std::size_t c = 0; c < in_; ++c)
        plane[c * out_ + o] = transformed(points, weights.values.data() + (o * in_ + c) * weights.taps,
                                          k / points.size(), k % points.size());
    const std::vector<float> panels = in_panels(plane, in_, out_);
    weight_.insert(weight_.end(), panels.begin(), panels.end());
  }
}

std::size_t Winograd::scratch() const { return products() * (plane_of(in_) + plane_of(out_)); }

// The tiles of all images form one list, which is computed in chunks: several small images share a chunk.
void Winograd::run(Images x, Images y, Kept code, std::size_t count, bool relu, float* scratch) const {
  float *v = scratch, *m = scratch + products() * plane_of(in_);
  std::array<std::int32_t, most_chunk> from{}, to{}, code_at{};
  std::array<std::uint8_t, most_chunk> rows{}, columns{};
  const std::size_t each = source_.size(), all = count * each, row = dim(frame_.outer, 1) * in_;
  for (std::size_t first = 0; first < all; first += chunk_) {
    const std::size_t tiles = std::min(chunk_, all - first);
    for (std::size_t t = 0; t < tiles; ++t) {
      const std::size_t image = (first + t) / each, tile = (first + t) % each;
      from[t] = static_cast<std::int32_t>(image * x.stride) + source_[tile];
      to[t] = static_cast<std::int32_t>(image * y.stride) + target_[tile];
      code_at[t] = static_cast<std::int32_t>(image * code.stride) + target_[tile];
      rows[t] = rows_[tile];
      columns[t] = columns_[tile];
    }
    kernel::kernels().winograd_in({side_, in_, tiles, plane_of(in_), from.data(), row, nullptr, nullptr},
                                  x.data, v);
    kernel::kernels().winograd_multiply(
        {side_, in_, out_, tiles, weight_.data(), plane_of(in_), plane_of(out_)}, v, m);
    kernel::kernels().winograd_out(
        {side_, out_, tiles, plane_of(out_), to.data(), out_row_, rows.data(), columns.data()}, m,
        {bias_.empty() ? nullptr : bias_.data(), relu, pooled_ ? code.data : nullptr, code_at.data()},
        y.data);
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

}  // namespace scfe::onnx::inline SCFE_PRECISION
