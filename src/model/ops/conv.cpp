// Conv and ConvTranspose over any number of spatial axes, with groups, dilation and padding.
#include <algorithm>

#include "model/ops/affine.h"
#include "model/ops/dense.h"
#include "model/ops/gather_conv.h"
#include "model/ops/image_conv.h"
#include "model/ops/loops.h"
#include "model/ops/lower.h"

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

// Conv runs the direct form forward and the adjoint backward; ConvTranspose the other way round.
class Conv : public Operator {
 public:
  Conv(ConvWeights weights, Window window, bool transposed, std::size_t batch, Epilogue epilogue = {})
      : weights_(std::move(weights)),
        window_(std::move(window)),
        transposed_(transposed),
        batch_(batch),
        epilogue_(epilogue) {
    ConvWeights bare = weights_;
    bare.bias.clear();
    forward_ = transposed ? GatherConv::adjoint(weights_, window_) : GatherConv::direct(weights_, window_);
    backward_ = transposed ? GatherConv::direct(bare, window_) : GatherConv::adjoint(bare, window_);
  }

  void forward(const Forward& run) const override {
    for (std::size_t b = 0; b < batch_; ++b)
      forward_.run(part(run.x[0], b * forward_.rows_in()), part(run.y, b * forward_.rows_out()), run.lanes,
                   epilogue_);
  }
  void backward(const Backward& run) const override {
    const std::size_t rows = backward_.rows_in();
    for (std::size_t b = 0; b < batch_; ++b) {
      Const dy = part(run.dy, b * rows);
      if (epilogue_.given()) {
        for (std::size_t i = 0; i < rows; ++i)
          apply_slope(epilogue_, row(run.y, b * rows + i), row(dy, i), row(run.scratch, i), run.lanes);
        dy = {run.scratch.data, run.scratch.stride};
      }
      backward_.run(dy, part(run.dx[0], b * backward_.rows_out()), run.lanes);
    }
  }
  bool overwrites() const override { return true; }
  bool reads_x() const override { return false; }
  bool reads_y() const override { return epilogue_.given(); }
  std::size_t scratch() const override { return epilogue_.given() ? backward_.rows_in() : 0; }
  double flops() const override { return static_cast<double>(batch_) * forward_.flops(); }
  std::size_t parameters() const override { return weights_.values.size() + weights_.bias.size(); }

  std::unique_ptr<Operator> scaled(std::span<const Real> scale, std::span<const Real> shift) const override {
    if (transposed_ || epilogue_.given()) return nullptr;
    const std::size_t channels = weights_.groups * weights_.out, pixels = elements(window_.out);
    const auto by = per_channel(scale, channels, pixels), plus = per_channel(shift, channels, pixels);
    if (!by || !plus) return nullptr;
    ConvWeights weights = weights_;
    weights.bias.resize(channels, 0.0F);
    const std::size_t each = weights.in * weights.taps;
    for (std::size_t o = 0; o < channels; ++o) {
      for (std::size_t i = 0; i < each; ++i) weights.values[o * each + i] *= (*by)[o];
      weights.bias[o] = weights.bias[o] * (*by)[o] + (*plus)[o];
    }
    return std::make_unique<Conv>(std::move(weights), window_, false, batch_);
  }

  std::unique_ptr<Operator> activated(Epilogue epilogue) const override {
    return epilogue_.given() ? nullptr
                             : std::make_unique<Conv>(weights_, window_, transposed_, batch_, epilogue);
  }

  std::shared_ptr<const ImageOp> on_images() const override {
    if constexpr (is_double)
      return nullptr;
    else
      return transposed_ || batch_ != 1 ? nullptr : ImageConv::make(weights_, window_, epilogue_);
  }

 private:
  static Const part(Const rows, std::size_t first) { return {row(rows, first), rows.stride}; }
  static Mutable part(Mutable rows, std::size_t first) { return {row(rows, first), rows.stride}; }

  ConvWeights weights_;
  Window window_;
  bool transposed_;
  std::size_t batch_;
  Epilogue epilogue_;
  GatherConv forward_, backward_;
};

Shape spatial(const Shape& shape) { return {shape.begin() + 2, shape.end()}; }

bool pointwise(const ConvWeights& weights, const Window& window) {
  const bool whole = std::ranges::all_of(window.stride, [](std::int64_t s) { return s == 1; });
  return weights.groups == 1 && weights.taps == 1 && whole && window.in == window.out;
}

struct Operands {
  Shape shape, spatial, kernel;
  std::size_t groups;
  ConvWeights weights;
};

// Reads and checks the operands that Conv and ConvTranspose share.
Operands operands(const Site& site) {
  const Value& x = site.in(0);
  const Tensor& w = site.constant(1);
  if (x.shape.size() < 3 || w.shape.size() != x.shape.size())
    site.fail("(batch, channels, space ...) and a weight of the same rank",
              to_text(x.shape) + " and " + to_text(w.shape));
  Operands o{x.shape, spatial(x.shape), spatial(w.shape), 0, {}};
  const std::int64_t groups = site.integer("group", 1);
  if (groups < 1 || w.shape[0] % groups != 0 || x.shape[1] % groups != 0 || elements(w.shape) == 0)
    site.fail("channels divisible by the groups", std::to_string(groups));
  o.groups = static_cast<std::size_t>(groups);
  const auto given = site.integers("kernel_shape");
  if (!given.empty() && given != o.kernel) site.fail("kernel_shape " + to_text(o.kernel), to_text(given));
  o.weights = {o.groups, dim(w.shape, 0) / o.groups, dim(w.shape, 1), elements(o.kernel), site.reals(1), {}};
  if (site.has(2)) o.weights.bias = site.reals(2);
  return o;
}

}  // namespace

void lower_conv(Site& site) {
  Operands o = operands(site);
  if (o.weights.in * o.groups != dim(o.shape, 1))
    site.fail(std::to_string(o.weights.in * o.groups) + " channels", to_text(o.shape));
  const std::size_t channels = o.weights.out * o.groups;
  if (!o.weights.bias.empty() && o.weights.bias.size() != channels)
    site.fail("a bias for each channel", "others");
  const Window window = read_window(site, o.spatial, o.kernel);
  Shape shape = {o.shape[0], static_cast<std::int64_t>(channels)};
  shape.insert(shape.end(), window.out.begin(), window.out.end());
  if (pointwise(o.weights, window))
    return site.out(0,
                    dense(site.build, site.in(0), {channels, o.weights.in, o.weights.values, o.weights.bias},
                          dim(o.shape, 0), elements(window.out), shape));
  site.build.expect(shape);
  site.out(0, site.build.emit(std::make_unique<Conv>(std::move(o.weights), window, false, dim(o.shape, 0)),
                              {site.in(0)}, shape));
}

void lower_conv_transpose(Site& site) {
  Operands o = operands(site);
  if (o.weights.out * o.groups != dim(o.shape, 1))
    site.fail(std::to_string(o.weights.out * o.groups) + " channels", to_text(o.shape));
  const std::size_t axes = o.spatial.size(), channels = o.weights.in * o.groups;
  if (!o.weights.bias.empty() && o.weights.bias.size() != channels)
    site.fail("a bias for each channel", "others");
  const auto list = [&](std::string_view name, std::size_t count, std::int64_t otherwise) {
    auto values = site.integers(name);
    if (values.empty()) values.assign(count, otherwise);
    if (values.size() != count)
      site.fail(std::to_string(count) + " " + std::string(name), std::to_string(values.size()));
    for (const std::int64_t value : values)
      if (value < otherwise || value > (1 << 20))
        site.fail("reasonable " + std::string(name), std::to_string(value));
    return values;
  };
  const auto pads = list("pads", 2 * axes, 0), extra = list("output_padding", axes, 0);
  auto wanted = site.integers("output_shape");
  if (wanted.size() > axes) wanted.erase(wanted.begin(), wanted.end() - static_cast<std::ptrdiff_t>(axes));
  if (!wanted.empty() && wanted.size() != axes) site.fail("an output_shape over the axes", to_text(wanted));
  elements(wanted);
  const std::string automatic = site.text("auto_pad", "NOTSET");
  Window window{Shape(axes), o.spatial, o.kernel, list("strides", axes, 1), list("dilations", axes, 1),
                {},          {}};
  for (std::size_t i = 0; i < axes; ++i) {
    std::int64_t before = pads[i], after = pads[i + axes];
    const std::int64_t full =
        window.stride[i] * (o.spatial[i] - 1) + extra[i] + (o.kernel[i] - 1) * window.dilation[i] + 1;
    if (!wanted.empty() || automatic == "SAME_UPPER" || automatic == "SAME_LOWER") {
      const std::int64_t size = !wanted.empty() ? wanted[i] : o.spatial[i] * window.stride[i];
      const std::int64_t total = std::max<std::int64_t>(0, full - size);
      before = automatic == "SAME_UPPER" ? total / 2 : total - total / 2;
      after = full - size - before;
    }
    window.in[i] = full - before - after;
    window.before.push_back(before);
    window.after.push_back(after);
  }
  Shape shape = {o.shape[0], static_cast<std::int64_t>(channels)};
  shape.insert(shape.end(), window.in.begin(), window.in.end());
  site.build.expect(shape);
  elements({static_cast<std::int64_t>(elements(window.out)), static_cast<std::int64_t>(window.taps())});
  site.out(0, site.build.emit(std::make_unique<Conv>(std::move(o.weights), window, true, dim(o.shape, 0)),
                              {site.in(0)}, shape));
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
