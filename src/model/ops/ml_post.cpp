#include "model/ops/ml_post.h"

#include "model/ops/activation.h"
#include "model/ops/elementwise.h"
#include "model/ops/softmax.h"
#include "model/ops/sparse.h"

namespace scfe::onnx {

Value post_transform(Site& site, const Value& scores) {
  const std::string kind = site.text("post_transform", "NONE");
  if (kind == "NONE") return scores;
  if (kind == "LOGISTIC") return activate(site.build, scores, kernel::activation_sigmoid);
  if (kind == "SOFTMAX" || kind == "SOFTMAX_ZERO")
    return softmax(site.build, scores, scores.shape.size() - 1, false);
  site.fail("post_transform NONE, LOGISTIC or SOFTMAX", kind);
}

void classify(Site& site, const Value& raw, bool probability) {
  const std::string where = label(site.node());
  Builder& build = site.build;
  if (raw.shape.back() != 1) {
    site.set_raw(raw);
    return site.out(1, post_transform(site, raw));
  }
  // Class 1 where a probability exceeds a half.
  site.set_raw(probability ? binary(build, "Sub", raw, scalar(build, 0.5F), where) : raw);
  const bool logistic = site.text("post_transform", "NONE") != "NONE";
  const Value p = logistic ? post_transform(site, raw) : raw;
  const Value other =
      logistic || probability ? binary(build, "Sub", scalar(build, 1), p, where) : unary(build, "Neg", p);
  site.out(1, concat(build, {other, p}, p.shape.size() - 1));
}

}  // namespace scfe::onnx
