// Classifiers from ONNX files: as PyTorch, Keras, scikit-learn, XGBoost and LightGBM export them.
//
// A lane is one run of the model on a batch of one instance. Inputs (one tensor, or one per column as
// scikit-learn pipelines write) are concatenated in order into the model's features. The scores are what
// lies before a final Sigmoid, Softmax, LogSoftmax, ArgMax or ZipMap.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scfe/choices.h"
#include "scfe/model.h"

namespace scfe {

struct OnnxInput {
  std::string name;
  std::string type;                  // "real", "half" (rounded to it), "integer", "boolean" or "text"
  bool wide = false;                 // declared double
  std::vector<std::int64_t> shape;   // with the batch axis as 1
  std::size_t first = 0, count = 0;  // its features
  // A text feature is given as the index of one of its levels; any other number is an unknown level.
  std::vector<std::vector<std::string>> levels;  // of each feature of a text input; empty otherwise
};

struct OnnxOutput {
  std::string name;
  bool scores = false;  // the output that the scores stand for
};

struct OnnxInfo {
  std::string producer;
  std::vector<OnnxInput> inputs;
  std::vector<OnnxOutput> outputs;
  std::vector<std::string> classes;         // labels in the order of the scores; empty if the file names none
  bool integer_classes = false;             // the labels are whole numbers
  std::vector<std::string> looked_through;  // what lies between the scores and the output, last first
  std::vector<std::pair<std::string, std::size_t>> ops;  // "Conv" or "ai.onnx.ml.Scaler", and how often
  std::size_t features = 0, scores = 0;
  bool probability = false;  // the one score is the logit of a probability that the file gives
  std::size_t parameters = 0;
  double flops_per_gradient = 0;         // of one instance: forward and backward
  bool differentiable = false;           // false: tree ensembles and the like
  std::vector<std::string> unsupported;  // the nodes that cannot run, and why
};

struct OnnxOptions {
  // The output that the scores stand for; empty: find it, or refuse where several may be meant.
  std::string output;
  // Take the value of this name as the scores, as it stands; empty: as above.
  std::string scores;
  // Take fixed shapes as they are, without a batch axis.
  bool whole_shapes = false;
  // Arithmetic of the whole model. In double, inputs that the file declares float are
  // rounded to float first, and a Cast to float rounds, as runtimes hold them; everything else is computed in
  // double, whatever the file's own types. A tree ensemble over float inputs stays in float.
  Precision precision = Precision::float32;
};

// Error for a file that is no model, or one with an operator that is not supported (naming node and
// operator).
std::shared_ptr<const Model> read_onnx(const std::string& path, const OnnxOptions& options = {});
std::shared_ptr<const Model> read_onnx(std::span<const std::byte> file, const OnnxOptions& options = {});

// What is in the file; unsupported nodes are listed, not an Error.
OnnxInfo inspect_onnx(const std::string& path, const OnnxOptions& options = {});
OnnxInfo inspect_onnx(std::span<const std::byte> file, const OnnxOptions& options = {});

}  // namespace scfe
