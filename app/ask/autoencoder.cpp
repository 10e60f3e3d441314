#include "ask/autoencoder.h"

#include "scfe/error.h"
#include "scfe/onnx.h"

namespace scfe::app {
namespace {

// Reads the autoencoder with its outputs unchanged: unlike a classifier's, a final sigmoid is not removed.
std::shared_ptr<const Model> read_autoencoder(const std::string& path) {
  const OnnxInfo info = inspect_onnx(path);
  if (info.outputs.size() != 1)
    throw Error("--autoencoder", "an ONNX model with one output", std::to_string(info.outputs.size()));
  OnnxOptions options;
  options.scores = info.outputs[0].name;
  return read_onnx(path, options);
}

}  // namespace

Flag autoencoder_flag() {
  return {"autoencoder", "FILE",
          "ONNX autoencoder of the inputs, for methods cem-pn and cem-pp; weighed by tau", group::methods};
}

void add_autoencoder(Bundle& bundle, const Arguments& arguments) {
  if (arguments.has("autoencoder"))
    bundle.explainer = bundle.explainer.with_autoencoder(read_autoencoder(arguments.text("autoencoder")));
}

}  // namespace scfe::app
