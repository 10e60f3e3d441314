// Do scores say the class that the file's own outputs say? Asked at a few points, always the same ones.
//
// The points: zeros, normal values at four scales, uniform values in [0, 1], small whole numbers (levels of
// text, codes) and mixtures. Points where the two best scores (or whatever the file ranks) are closer than
// rounding do not count.
#pragma once

#include "model/onnx/choice/trace.h"
#include "scfe/model.h"

namespace scfe::onnx {

class Answers {
 public:
  explicit Answers(const Model& scores);

  // One number a point, never below 0 or above 1 although inputs of every size were tried: no logit stays
  // there.
  bool are_probabilities() const;

  // `said` computes the label's number (or the raw scores of its classifier), `ranked` what its ArgMax reads,
  // or null. Error where another class is said.
  void expect_label(const Trace& trace, const Trace& label, const Model& said, const Model* ranked) const;
  // `shown` computes the output that the scores stand for: same largest column, or above a half where the
  // scores do.
  void expect_largest(const Trace& trace, const Model& shown) const;

 private:
  using Rows = std::vector<std::vector<float>>;  // of each point
  Rows run(const Model& model) const;

  Block points_;
  Rows scores_;
};

[[noreturn]] void unclear(const Trace& label);

}  // namespace scfe::onnx
