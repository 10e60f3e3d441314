// ai.onnx.ml: LinearClassifier and LinearRegressor: scores = W x + b.
#include "model/ops/dense.h"
#include "model/ops/index.h"
#include "model/ops/lower.h"
#include "model/ops/ml_post.h"

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

LinearMap read_map(const Site& site, std::size_t features, std::string_view bias) {
  LinearMap map;
  map.weight = site.reals("coefficients");
  map.bias = site.reals(bias);
  map.in = features;
  if (features == 0 || map.weight.empty() || map.weight.size() % features != 0)
    site.fail("coefficients for " + std::to_string(features) + " features",
              std::to_string(map.weight.size()));
  map.out = map.weight.size() / features;
  if (map.bias.empty()) map.bias.assign(map.out, 0.0F);
  if (map.bias.size() != map.out)
    site.fail(std::to_string(map.out) + " intercepts", std::to_string(map.bias.size()));
  return map;
}

struct InputRows {
  Value x;
  std::int64_t count;
  std::size_t features;
};

InputRows rows_of(Site& site) {
  Value x = as_real(site.in(0));
  if (x.shape.empty() || x.shape.size() > 2) site.fail("rows of features", to_text(x.shape));
  if (x.shape.size() == 1) x = site.build.view(x, {1, x.shape[0]});
  return {x, x.shape[0], dim(x.shape, 1)};
}

// True for two classes written as (-z, z), each with a sigmoid: p = sigmoid(z), so z alone is the score.
bool mirrored(const Site& site, const LinearMap& map) {
  if (map.out != 2 || site.text("post_transform", "NONE") != "LOGISTIC") return false;
  for (std::size_t i = 0; i < map.in; ++i)
    if (map.weight[i] != -map.weight[map.in + i]) return false;
  return map.bias[0] == -map.bias[1];
}

}  // namespace

void lower_linear_classifier(Site& site) {
  const InputRows rows = rows_of(site);
  LinearMap map = read_map(site, rows.features, "intercepts");
  if (mirrored(site, map))
    map = {1,
           map.in,
           {map.weight.begin() + static_cast<std::ptrdiff_t>(map.in), map.weight.end()},
           {map.bias[1]}};
  const auto out = static_cast<std::int64_t>(map.out);
  classify(
      site,
      dense(site.build, rows.x, std::move(map), static_cast<std::size_t>(rows.count), 1, {rows.count, out}),
      false);
}

void lower_linear_regressor(Site& site) {
  const InputRows rows = rows_of(site);
  LinearMap map = read_map(site, rows.features, "intercepts");
  const auto out = static_cast<std::int64_t>(map.out);
  site.out(0, post_transform(site, dense(site.build, rows.x, std::move(map),
                                         static_cast<std::size_t>(rows.count), 1, {rows.count, out})));
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
