// Checks at a few fixed points whether the scores choose the same class as the file's own outputs.
//
// The points: zeros, normal values at four scales, uniform values in [0, 1], small whole numbers (levels of
// text, codes) and mixtures. A point is skipped if rounding can decide between the two best scores, or
// between the two best values that the file itself compares.
#pragma once

#include "model/onnx/choice/trace.h"
#include "scfe/model.h"

namespace scfe::onnx {

class Answers {
 public:
  explicit Answers(const Model& scores);

  // True if there is one score and it is within [0, 1] at all points. They include inputs of very different
  // size, for which a logit would leave that range.
  bool are_probabilities() const;

  // Throws an Error if the label names another class than the scores. `said` computes the label's number (or
  // the raw scores of its classifier); `ranked` computes what its ArgMax reads, or is null.
  void expect_label(const Trace& trace, const Trace& label, const Model& said, const Model* ranked) const;
  // Throws an Error if the output, computed by `shown`, does not decide like the scores: the same column is
  // the largest, or a single column is above 1/2 where the score is above 0.
  void expect_largest(const Trace& trace, const Model& shown) const;

 private:
  using Rows = std::vector<std::vector<float>>;  // [point][score]
  Rows run(const Model& model) const;

  Block points_;
  Rows scores_;
};

[[noreturn]] void unclear(const Trace& label);

}  // namespace scfe::onnx
