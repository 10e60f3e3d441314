// From an output of the graph back to the scores that it stands for.
//
// Looks through a final ZipMap, ArgMax, Cast, Sigmoid, Softmax, LogSoftmax (also as exp or log of the
// other), Normalizer, the pair (1 - p, p) and the label lookups of scikit-learn: the decision stays the same,
// the gradient no longer vanishes.
// Classifiers of ai.onnx.ml are asked for their raw scores (see raw_output).
#pragma once

#include "model/onnx/choice/lookup.h"
#include "model/onnx/scores.h"

namespace scfe::onnx {

struct Trace {
  Scores scores;
  bool label = false;              // the output holds a class, not scores
  std::string shown;               // the tensor of the output itself: what a ZipMap reads
  std::string index, below;        // of an ArgMax on the way: its output and what it reads; else empty
  bool classifier = false;         // the scores are the raw ones of a classifier of ai.onnx.ml
  std::vector<std::string> named;  // the classes as that classifier calls them
  std::vector<Lookup> lookups;     // from there to the output, last first

  // The label is that of the largest score by its own definition.
  bool decides() const { return label && (classifier || !index.empty()); }
};

// Scores at whose end nothing says what they are: neither a sigmoid, a softmax, a label nor a classifier.
bool is_open(const Trace& trace);

Trace trace_back(const Port& output, const Producers& producers);

}  // namespace scfe::onnx
