// Goes back from an output of the graph to the scores (logits) that it was computed from.
//
// It skips a final ZipMap, ArgMax, Cast, Sigmoid, Softmax, LogSoftmax (also written as log of Softmax, or exp
// of LogSoftmax), Normalizer, the pair (1 - p, p) and the label lookups of scikit-learn. The decision stays
// the same, and the gradient no longer vanishes. For classifiers of ai.onnx.ml it takes the raw scores
// (raw_output in onnx/scores.h).
#pragma once

#include "model/onnx/choice/lookup.h"
#include "model/onnx/scores.h"

namespace scfe::onnx {

struct Trace {
  Scores scores;
  bool label = false;              // the output holds a class, not scores
  std::string shown;               // the output as a tensor: for a ZipMap, the value that it reads
  std::string index, below;        // output and input of a skipped ArgMax; empty without one
  bool classifier = false;         // the scores are the raw scores of a classifier of ai.onnx.ml
  std::vector<std::string> named;  // that classifier's own names of the classes
  std::vector<Lookup> lookups;     // tables between the scores and the output, last first

  // True if the label is, by definition, the class of the largest score.
  bool decides() const { return label && (classifier || !index.empty()); }
};

// True if nothing tells what the scores mean: there is no sigmoid, softmax, label or classifier after them.
bool is_open(const Trace& trace);

Trace trace_back(const Port& output, const Producers& producers);

}  // namespace scfe::onnx
