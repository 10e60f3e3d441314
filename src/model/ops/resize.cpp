// Resize and Upsample: nearest, linear and cubic interpolation, axis by axis, as a sparse linear map.
#include <algorithm>
#include <cmath>
#include <set>

#include "model/ops/index.h"
#include "model/ops/lower.h"
#include "model/ops/sparse.h"

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

struct Tap {
  std::size_t at;
  Real weight;
};
using Taps = std::vector<std::vector<Tap>>;  // [output position][tap]

struct Rule {
  std::string mode, coordinates, nearest;
  Real cubic = -0.75F;
  bool exclude_outside = false;
};

// Always in single precision: at a tie, rounding decides which pixel is nearest, so it must be the same as in
// other runtimes.
float source(const Rule& rule, std::size_t to, float scale, std::size_t in, std::size_t out) {
  const auto x = static_cast<float>(to), size_in = static_cast<float>(in), size_out = static_cast<float>(out);
  if (scale == 1.0F) return x;
  if (rule.coordinates == "asymmetric") return x / scale;
  if (rule.coordinates == "align_corners") return out == 1 ? 0.0F : x * (size_in - 1) / (size_out - 1);
  if (rule.coordinates == "pytorch_half_pixel") return out == 1 ? 0.0F : (x + 0.5F) / scale - 0.5F;
  if (rule.coordinates == "half_pixel_symmetric") {
    const float adjustment = size_out / (scale * size_in), centre = size_in / 2;
    const float offset = centre * (1 - adjustment);
    return static_cast<float>(double{offset} + (double{x} + 0.5) / double{scale} - 0.5);
  }
  return (x + 0.5F) / scale - 0.5F;
}

float nearest(const std::string& mode, float x, bool shrinks) {
  if (mode == "floor") return std::floor(x);
  if (mode == "ceil") return std::ceil(x);
  if (mode == "simple") return shrinks ? std::ceil(x) : std::trunc(x);  // before operator set 11
  const float low = std::floor(x);
  constexpr float tie = 1e-6F;  // the tolerance of other runtimes
  if (std::abs(x - (low + 0.5F)) < tie) return mode == "round_prefer_ceil" ? low + 1 : low;
  return std::round(x);
}

double cubic_weight(double distance, double a) {
  const double x = std::abs(distance);
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2) return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  return 0;
}

Taps axis_taps(const Rule& rule, std::size_t in, std::size_t out, float scale) {
  Taps taps(out);
  const auto clamped = [&](double at) {
    return static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(in) - 1));
  };
  for (std::size_t o = 0; o < out; ++o) {
    const float from = source(rule, o, scale, in, out);
    if (rule.mode == "nearest") {
      taps[o] = {{clamped(nearest(rule.nearest, from, scale < 1)), 1.0F}};
      continue;
    }
    const double x = from, low = std::floor(x);
    double total = 0;
    const bool cubic = rule.mode == "cubic";
    for (int k = cubic ? -1 : 0; k <= (cubic ? 2 : 1); ++k) {
      const double at = low + k;
      const double weight = cubic ? cubic_weight(x - at, rule.cubic) : 1 - std::abs(x - at);
      const bool outside = at < 0 || at > static_cast<double>(in) - 1;
      if (rule.exclude_outside && outside) continue;
      total += weight;
      taps[o].push_back({clamped(at), static_cast<Real>(weight)});
    }
    for (Tap& tap : taps[o]) tap.weight = static_cast<Real>(tap.weight / total);
  }
  return taps;
}

Value interpolate(Builder& build, const Value& x, std::size_t axis, const Taps& taps) {
  Shape shape = x.shape;
  const std::size_t in = dim(shape, axis), outer = span_of(shape, 0, axis),
                    inner = span_of(shape, axis + 1, shape.size());
  shape[axis] = static_cast<std::int64_t>(taps.size());
  build.expect(shape);
  SparseMap map;
  for (std::size_t o = 0; o < outer; ++o)
    for (const auto& list : taps)
      for (std::size_t i = 0; i < inner; ++i) {
        for (const Tap& tap : list)
          map.terms.push_back({0, static_cast<std::uint32_t>((o * in + tap.at) * inner + i), tap.weight});
        map.end_row();
      }
  return sparse(build, {x}, std::move(map), shape);
}

std::size_t scaled_size(const Site& site, std::size_t in, float scale) {
  const float size = std::floor(static_cast<float>(in) * scale);
  if (!(scale > 0) || !(size >= 1)) site.fail("scales that leave something", std::to_string(scale));
  if (size > static_cast<float>(max_computed))
    site.fail("sizes of at most " + std::to_string(max_computed), "a scale of " + std::to_string(scale));
  return static_cast<std::size_t>(size);
}

// Uses one scale for all given axes, so that the aspect ratio stays.
void keep_aspect(const std::string& policy, std::vector<float>& scales, std::vector<std::size_t>& sizes,
                 const Shape& in, const std::vector<std::size_t>& axes) {
  if (policy == "stretch") return;
  float scale = scales[axes[0]];
  for (const std::size_t axis : axes)
    scale = policy == "not_larger" ? std::min(scale, scales[axis]) : std::max(scale, scales[axis]);
  for (const std::size_t axis : axes) {
    scales[axis] = scale;
    sizes[axis] = static_cast<std::size_t>(std::round(static_cast<float>(in[axis]) * scale));
  }
}

}  // namespace

void lower_resize(Site& site) {
  Value x = site.in(0);
  const bool old = site.node().op == "Upsample" || site.version() < 11;
  Rule rule{site.text("mode", "nearest"),
            site.text("coordinate_transformation_mode", old ? "asymmetric" : "half_pixel"),
            site.text("nearest_mode", old ? "simple" : "round_prefer_floor"),
            site.real("cubic_coeff_a", -0.75F), site.integer("exclude_outside", 0) != 0};
  if (rule.mode == "bilinear") rule.mode = "linear";
  if (rule.mode != "nearest" && rule.mode != "linear" && rule.mode != "cubic")
    site.fail("nearest, linear or cubic", rule.mode);
  if (rule.coordinates == "tf_crop_and_resize" || rule.coordinates == "tf_half_pixel_for_nn")
    site.fail("a coordinate transformation without crops", rule.coordinates);
  static const std::set<std::string, std::less<>> rounding = {"floor", "ceil", "simple", "round_prefer_floor",
                                                              "round_prefer_ceil"};
  if (!rounding.contains(rule.nearest)) site.fail("a nearest_mode of the operator", rule.nearest);
  if (site.integer("antialias", 0) != 0) site.fail("no antialias", "antialias");

  const std::size_t rank = x.shape.size(), at = old ? 1 : 2;
  std::vector<std::size_t> axes;
  for (const std::int64_t axis : site.integers("axes")) axes.push_back(site.axis(axis, rank));
  if (axes.empty())
    for (std::size_t i = 0; i < rank; ++i) axes.push_back(i);
  std::vector<float> scales(rank, 1.0F);
  std::vector<std::size_t> sizes(rank);
  for (std::size_t i = 0; i < rank; ++i) sizes[i] = dim(x.shape, i);
  const bool by_scale = (site.has(at) && site.in(at).rows() > 0) || site.has("scales");
  if (by_scale) {
    const std::vector<Real> given = site.has(at) ? site.reals(at) : site.reals("scales");
    if (given.size() != axes.size()) site.fail("a scale for each axis", std::to_string(given.size()));
    for (std::size_t i = 0; i < axes.size(); ++i) {
      scales[axes[i]] = static_cast<float>(given[i]);
      sizes[axes[i]] = scaled_size(site, dim(x.shape, axes[i]), scales[axes[i]]);
    }
  } else {
    const std::vector<std::int64_t> given = site.integers(3);
    if (given.size() != axes.size()) site.fail("a size for each axis", std::to_string(given.size()));
    for (std::size_t i = 0; i < axes.size(); ++i) {
      sizes[axes[i]] = elements({given[i]});
      scales[axes[i]] = static_cast<float>(given[i]) / static_cast<float>(x.shape[axes[i]]);
    }
    keep_aspect(site.text("keep_aspect_ratio_policy", "stretch"), scales, sizes, x.shape, axes);
  }
  bool moves = false;  // other runtimes copy if no size changes, even with scales other than 1
  for (std::size_t i = 0; i < rank; ++i) {
    if (sizes[i] == 0 || x.shape[i] == 0) site.fail("sizes of at least 1", to_text(x.shape));
    moves = moves || sizes[i] != dim(x.shape, i);
  }
  site.build.expect(Shape(sizes.begin(), sizes.end()));
  for (std::size_t i = 0; moves && i < rank; ++i)
    if (sizes[i] != dim(x.shape, i) || scales[i] != 1.0F)
      x = interpolate(site.build, x, i, axis_taps(rule, dim(x.shape, i), sizes[i], scales[i]));
  site.out(0, x);
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
