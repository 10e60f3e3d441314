// Classifiers from ONNX files as exported by PyTorch, Keras, scikit-learn, XGBoost and LightGBM.
//
// A lane is one run of the model on a batch of one instance. The inputs (one tensor, or one per column as in
// scikit-learn pipelines) are concatenated in order into the model's features. The scores are the values
// before a final Sigmoid, Softmax, LogSoftmax, ArgMax or ZipMap.
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
  std::string type;                  // "real", "half" (half precision), "integer", "boolean" or "text"
  bool wide = false;                 // declared as double
  std::vector<std::int64_t> shape;   // with the batch axis as 1
  std::size_t first = 0, count = 0;  // range of its features
  // A text feature is given as the index of its level; any other number means an unknown level.
  std::vector<std::vector<std::string>> levels;  // levels of each feature of a text input; else empty
};

struct OnnxOutput {
  std::string name;
  bool scores = false;  // true for the output from which the scores are taken
};

struct OnnxInfo {
  std::string producer;
  std::vector<OnnxInput> inputs;
  std::vector<OnnxOutput> outputs;
  std::vector<std::string> classes;         // labels in the order of the scores; empty if the file has none
  bool integer_classes = false;             // the labels are integers
  std::vector<std::string> looked_through;  // operators between the scores and the output, last first
  std::vector<std::pair<std::string, std::size_t>> ops;  // "Conv" or "ai.onnx.ml.Scaler", with counts
  std::size_t features = 0, scores = 0;
  bool probability = false;  // the only score is the logit of a probability output
  std::size_t parameters = 0;
  double flops_per_gradient = 0;         // forward and backward, for one instance
  bool in_double = false;                // the arithmetic that the options choose for this file
  bool differentiable = false;           // false for tree ensembles and the like
  std::string gradient_obstacle;         // if it is not: the first node that stops the gradient
  std::vector<std::string> unsupported;  // nodes that cannot run, with reasons
  // Why a file with trees is not read as one tree ensemble, whose answers are proven: the node, and the
  // reason.
  std::string tree_obstacle;
};

struct OnnxOptions {
  // Name of the output from which the scores are taken. Empty: found automatically; an error if ambiguous.
  std::string output;
  // Name of a value to use as scores directly. Empty: taken from `output`.
  std::string scores;
  // Use fixed shapes as given, without a batch axis.
  bool whole_shapes = false;
  // Arithmetic of the whole model. Automatic: double if an input or a threshold of a tree is in double, else
  // float. In double, inputs declared float are rounded to float first, a Cast to float rounds, and so does
  // everything that a file in double computes in float before its trees, as in ONNX Runtime. A tree ensemble
  // with float inputs stays in float.
  Precision precision = Precision::automatic;
};

// Throws an Error if the file is not a model, or names the node and operator that is not supported.
std::shared_ptr<const Model> read_onnx(const std::string& path, const OnnxOptions& options = {});
std::shared_ptr<const Model> read_onnx(std::span<const std::byte> file, const OnnxOptions& options = {});

// Describes the file. Unsupported nodes are listed and cause no Error.
OnnxInfo inspect_onnx(const std::string& path, const OnnxOptions& options = {});
OnnxInfo inspect_onnx(std::span<const std::byte> file, const OnnxOptions& options = {});

}  // namespace scfe
