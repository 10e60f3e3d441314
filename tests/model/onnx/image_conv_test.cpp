// Compares convolutions on images with the same on rows of lanes and with plain loops in double: odd sizes,
// strides, padding, dilation, and pools after them.
#include "model/ops/image_conv.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/kernel/random.h"

namespace scfe::onnx {
namespace {

using test::Random;

struct Case {
  std::int64_t height, width, kernel, stride, pad, dilation;
  std::size_t in, out;
  std::int64_t pool;  // kernel and stride of a pool that follows; 0: no pool
};

Window window_of(std::int64_t height, std::int64_t width, std::int64_t kernel, std::int64_t stride,
                 std::int64_t pad, std::int64_t dilation) {
  Window w{{height, width},      {0, 0},     {kernel, kernel}, {stride, stride},
           {dilation, dilation}, {pad, pad}, {pad, pad}};
  for (std::size_t i = 0; i < 2; ++i)
    w.out[i] = (w.in[i] + 2 * pad - (kernel - 1) * dilation - 1) / stride + 1;
  return w;
}

// y before the epilogue, [pixel][channel].
std::vector<double> plain(const ConvWeights& weights, const Window& w, const float* x) {
  const std::vector<std::int32_t> table = w.table();
  const std::size_t pixels = elements(w.out);
  std::vector<double> y(pixels * weights.out);
  for (std::size_t p = 0; p < pixels; ++p)
    for (std::size_t o = 0; o < weights.out; ++o) {
      double sum = weights.bias[o];
      for (std::size_t c = 0; c < weights.in; ++c)
        for (std::size_t t = 0; t < weights.taps; ++t)
          if (const std::int32_t q = table[p * weights.taps + t]; q >= 0)
            sum += double{weights.values[(o * weights.in + c) * weights.taps + t]} *
                   x[static_cast<std::size_t>(q) * weights.in + c];
      y[p * weights.out + o] = sum;
    }
  return y;
}

struct Result {
  std::vector<float> y, dx;
};

Result run(const ImageOp& op, ImageSize in, const std::vector<float>& x, const std::vector<float>& dy,
           std::size_t images) {
  const std::vector<ImageSize> sizes = {in};
  const ImageSize out = op.result(sizes).value();
  Result result{std::vector<float>(images * out.floats()), std::vector<float>(images * in.floats())};
  const std::size_t kept_floats = op.kept(out) / sizeof(float) + 1;
  std::vector<float> kept(images * kept_floats), scratch(op.scratch(images) + 1, NAN), mutable_x = x,
                                                                                       mutable_dy = dy;
  const Kept keep{reinterpret_cast<std::uint8_t*>(kept.data()), kept_floats * sizeof(float)};
  const Images in_images{mutable_x.data(), in.floats()}, dx{result.dx.data(), in.floats()};
  op.forward({{&in_images, 1}, {result.y.data(), out.floats()}, keep, scratch.data(), out, images});
  op.backward({{mutable_dy.data(), out.floats()}, {&dx, 1}, keep, scratch.data(), out, images});
  EXPECT_TRUE(std::isnan(scratch.back())) << "wrote past its scratch";
  return result;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const std::int64_t kernel : {1, 2, 3, 5})
    for (const std::int64_t stride : {1, 2, 3})
      for (const std::int64_t pad : {0, 1, 2})
        for (const std::int64_t dilation : {1, 2})
          all.push_back({11, 9, kernel, stride, pad, dilation, 3, 5, 0});
  for (const std::int64_t pad : {0, 1, 2}) {
    all.push_back({7, 10, 3, 1, pad, 1, 16, 24, 0});  // Winograd
    all.push_back({8, 7, 3, 1, pad, 1, 16, 16, 2});
    all.push_back({12, 12, 3, 1, pad, 1, 1, 32, 2});  // patches
    all.push_back({13, 12, 5, 2, pad, 1, 2, 7, 2});
    all.push_back({12, 15, 3, 1, pad, 1, 9, 10, 2});  // runs
    all.push_back({12, 15, 3, 1, pad, 2, 9, 10, 3});
    all.push_back({14, 13, 3, 1, pad, 1, 16, 24, 2});  // Winograd with the pool in its tiles
    all.push_back({17, 9, 3, 1, pad, 1, 24, 16, 0});
    all.push_back({6, 6, 3, 1, pad, 1, 520, 48, 2});  // rows of weights too long to be sparse
  }
  return all;
}

TEST(ImageConv, matches_plain_loops_forward_and_back) {
  Random random(8);
  for (const Case& k : cases()) {
    SCOPED_TRACE(testing::Message() << k.height << 'x' << k.width << " kernel " << k.kernel << " stride "
                                    << k.stride << " pad " << k.pad << " dilation " << k.dilation
                                    << " channels " << k.in << "->" << k.out << " pool " << k.pool);
    const Window window = window_of(k.height, k.width, k.kernel, k.stride, k.pad, k.dilation);
    if (window.out[0] < 1 || window.out[1] < 1) continue;
    const auto taps = static_cast<std::size_t>(k.kernel * k.kernel);
    const ConvWeights weights{
        1, k.out, k.in, taps, random.floats(k.out * k.in * taps, -1, 1), random.floats(k.out, -1, 1)};
    const Epilogue relu{kernel::activation_relu, 0};
    std::shared_ptr<const ImageOp> op = ImageConv::make(weights, window, relu);
    ASSERT_NE(op, nullptr);
    ImageSize size{k.out, elements(window.out)};
    Window pool;
    if (k.pool > 0) {
      pool = window_of(window.out[0], window.out[1], k.pool, k.pool, 0, 1);
      op = op->then(*ImagePool::make(pool, k.out));
      ASSERT_NE(op, nullptr);
      size.pixels = elements(pool.out);
    }
    constexpr std::size_t images = 3;
    const double tolerance = 1e-4 + 1e-7 * static_cast<double>((k.in + k.out) * taps);
    const ImageSize in{k.in, elements(window.in)};
    const auto x = random.floats(images * in.floats(), -1, 1),
               dy = random.floats(images * size.floats(), -1, 1);
    const Result got = run(*op, in, x, dy, images);
    const std::vector<std::int32_t> seen = window.table();
    const std::vector<std::int32_t> pooled = k.pool > 0 ? pool.table() : std::vector<std::int32_t>{};
    for (std::size_t i = 0; i < images; ++i) {
      const std::vector<double> before = plain(weights, window, x.data() + i * in.floats());
      std::vector<double> dx(in.floats(), 0.0);
      for (std::size_t p = 0; p < size.pixels; ++p)
        for (std::size_t o = 0; o < k.out; ++o) {
          std::size_t at = p;
          if (k.pool > 0) {
            const auto pool_taps = static_cast<std::size_t>(k.pool * k.pool);
            at = static_cast<std::size_t>(pooled[p * pool_taps]);
            for (std::size_t t = 1; t < pool_taps; ++t)
              if (const auto other = static_cast<std::size_t>(pooled[p * pool_taps + t]);
                  before[other * k.out + o] > before[at * k.out + o])
                at = other;
          }
          const double y = before[at * k.out + o];
          ASSERT_NEAR(got.y[(i * size.pixels + p) * k.out + o], std::max(y, 0.0), tolerance);
          if (y <= 0) continue;
          for (std::size_t c = 0; c < k.in; ++c)
            for (std::size_t t = 0; t < taps; ++t)
              if (const std::int32_t q = seen[at * taps + t]; q >= 0)
                dx[static_cast<std::size_t>(q) * k.in + c] +=
                    double{dy[(i * size.pixels + p) * k.out + o]} * weights.values[(o * k.in + c) * taps + t];
        }
      for (std::size_t f = 0; f < dx.size(); ++f) ASSERT_NEAR(got.dx[i * in.floats() + f], dx[f], tolerance);
    }
    // One image alone must give the same bits.
    const Result alone = run(*op, in, {x.end() - static_cast<std::ptrdiff_t>(in.floats()), x.end()},
                             {dy.end() - static_cast<std::ptrdiff_t>(size.floats()), dy.end()}, 1);
    EXPECT_TRUE(std::equal(alone.y.begin(), alone.y.end(),
                           got.y.end() - static_cast<std::ptrdiff_t>(alone.y.size())));
    EXPECT_TRUE(std::equal(alone.dx.begin(), alone.dx.end(),
                           got.dx.end() - static_cast<std::ptrdiff_t>(alone.dx.size())));
  }
}

}  // namespace
}  // namespace scfe::onnx
