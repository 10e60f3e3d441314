#include "model/ops/ml_post.h"

#include "model/ops/activation.h"
#include "model/ops/axes.h"
#include "model/ops/elementwise.h"
#include "model/ops/sparse.h"

namespace scfe::onnx::inline SCFE_PRECISION {

namespace {

// sqrt 2 erf⁻¹(2 p - 1), with Winitzki's approximation of erf⁻¹ as in ONNX Runtime.
Value probit(Builder& build, const Value& p, const std::string& where) {
  const auto by = [&](const Value& x, Real factor) {
    return binary(build, "Mul", x, scalar(build, factor), where);
  };
  const auto plus = [&](const Value& x, Real shift) {
    return binary(build, "Add", x, scalar(build, shift), where);
  };
  constexpr Real a = 0.147F;
  const Value x = plus(by(p, 2), -1);
  const Value logarithm = unary(build, "Log", binary(build, "Mul", plus(by(x, -1), 1), plus(x, 1), where));
  const Value v = plus(by(logarithm, 0.5F), 2 / (3.14159F * a));
  const Value square = binary(build, "Sub", binary(build, "Mul", v, v, where), by(logarithm, 1 / a), where);
  const Value size = unary(build, "Sqrt", binary(build, "Sub", unary(build, "Sqrt", square), v, where));
  return by(binary(build, "Mul", unary(build, "Sign", x), size, where), 1.41421356F);
}

}  // namespace

Value post_transform(Site& site, const Value& scores) {
  return post_transform(site, scores, site.text("post_transform", "NONE"));
}

Value post_transform(Site& site, const Value& scores, std::string_view kind) {
  if (kind == "NONE") return scores;
  if (kind == "LOGISTIC") return activate(site.build, scores, kernel::activation_sigmoid);
  if (kind == "SOFTMAX" || kind == "SOFTMAX_ZERO")
    return softmax(site.build, scores, scores.shape.size() - 1, false);
  if (kind == "PROBIT") return probit(site.build, scores, label(site.node()));
  site.fail("a known post_transform", std::string(kind));
}

void classify(Site& site, const Value& raw, bool probability) {
  const std::string where = label(site.node());
  Builder& build = site.build;
  if (raw.shape.back() != 1) {
    site.set_raw(raw);
    return site.out(1, post_transform(site, raw));
  }
  // The score must be positive for class 1, which a probability chooses above 1/2.
  Value score = probability ? binary(build, "Sub", raw, scalar(build, 0.5F), where) : raw;
  score.centred = probability;
  site.set_raw(std::move(score));
  // ONNX Runtime returns one column for PROBIT.
  if (site.text("post_transform", "NONE") == "PROBIT") return site.out(1, post_transform(site, raw));
  const bool logistic = site.text("post_transform", "NONE") != "NONE";
  const Value p = logistic ? post_transform(site, raw) : raw;
  const Value other =
      logistic || probability ? binary(build, "Sub", scalar(build, 1), p, where) : unary(build, "Neg", p);
  site.out(1, concat(build, {other, p}, p.shape.size() - 1));
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
