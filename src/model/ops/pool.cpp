// MaxPool, AveragePool and their global forms, channel by channel.
#include "model/ops/extreme.h"
#include "model/ops/image_pool.h"
#include "model/ops/lower.h"
#include "model/ops/sparse.h"
#include "model/ops/window.h"

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

struct Pool {
  Window window;
  std::vector<std::int32_t> table;
  std::size_t channels, in, out;
  Shape shape;
};

Pool read_pool(const Site& site, bool global) {
  const Shape& x = site.in(0).shape;
  if (x.size() < 3) site.fail("(batch, channels, space ...)", to_text(x));
  const Shape in(x.begin() + 2, x.end());
  Pool pool;
  const Shape ones(in.size(), 1), zeros(in.size(), 0);
  pool.window = global ? Window{in, ones, in, ones, ones, zeros, zeros}
                       : read_window(site, in, site.integers("kernel_shape"));
  pool.channels = span_of(x, 0, 2);
  pool.in = elements(in);
  pool.out = elements(pool.window.out);
  pool.shape = {x[0], x[1]};
  pool.shape.insert(pool.shape.end(), pool.window.out.begin(), pool.window.out.end());
  elements({static_cast<std::int64_t>(elements(pool.shape)), static_cast<std::int64_t>(pool.window.taps())});
  pool.table = pool.window.table();
  return pool;
}

// How many taps are inside the input, or inside the padded input if `with_padding`.
std::size_t tap_count(const Window& w, const Index& pixel, bool with_padding) {
  std::size_t count = 0;
  for_each_index(w.kernel, [&](const Index& tap) {
    bool counts = true;
    for (std::size_t i = 0; i < tap.size(); ++i) {
      const std::int64_t at = static_cast<std::int64_t>(pixel[i]) * w.stride[i] +
                              static_cast<std::int64_t>(tap[i]) * w.dilation[i] - w.before[i];
      const std::int64_t lo = with_padding ? -w.before[i] : 0, hi = w.in[i] + (with_padding ? w.after[i] : 0);
      counts = counts && at >= lo && at < hi;
    }
    count += counts ? 1 : 0;
  });
  return count;
}

// Calls tap(pixel, row of the input) for each tap inside the input, and end() after each row of the result.
template <class Tap, class End>
void each_tap(const Pool& pool, Tap tap, End end) {
  const std::size_t taps = pool.window.taps();
  for (std::size_t c = 0; c < pool.channels; ++c)
    for (std::size_t p = 0; p < pool.out; ++p, end())
      for (std::size_t t = 0; t < taps; ++t)
        if (const std::int32_t at = pool.table[p * taps + t]; at >= 0)
          tap(p, static_cast<std::uint32_t>(c * pool.in + static_cast<std::size_t>(at)));
}

Value average(Site& site, const Pool& pool, bool with_padding) {
  std::vector<Real> weights;
  for_each_index(pool.window.out, [&](const Index& pixel) {
    const std::size_t count = tap_count(pool.window, pixel, with_padding);
    weights.push_back(count ? 1.0F / static_cast<Real>(count) : 0.0F);
  });
  SparseMap map;
  each_tap(
      pool,
      [&](std::size_t p, std::uint32_t row) {
        map.terms.push_back({0, row, weights[p]});
      },
      [&] { map.end_row(); });
  return sparse(site.build, {site.in(0)}, std::move(map), pool.shape);
}

Value maximum(Site& site, const Pool& pool) {
  RowLists lists;
  each_tap(
      pool, [&](std::size_t, std::uint32_t row) { lists.rows.push_back(row); }, [&] { lists.end_list(); });
  std::shared_ptr<const ImageOp> on_images;
  if constexpr (!is_double)
    if (pool.shape[0] == 1) on_images = ImagePool::make(pool.window, pool.channels);
  return largest(site.build, site.in(0), std::move(lists), pool.shape, std::move(on_images));
}

}  // namespace

void lower_max_pool(Site& site) { site.out(0, maximum(site, read_pool(site, false))); }

void lower_average_pool(Site& site) {
  site.out(0, average(site, read_pool(site, false), site.integer("count_include_pad", 0) != 0));
}

void lower_global_pool(Site& site) {
  const Pool pool = read_pool(site, true);
  site.out(0, site.node().op == "GlobalMaxPool" ? maximum(site, pool) : average(site, pool, false));
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
