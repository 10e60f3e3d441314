// A fitted explainer in one file, E.scfe: the bytes of the model, the schema, the options and all that was
// fitted. Loading takes milliseconds, and the loaded explainer gives the same answers, to the bit.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scfe/encoder.h"
#include "scfe/explainer.h"
#include "scfe/model.h"
#include "scfe/options.h"
#include "scfe/schema.h"

namespace scfe {

// The content of a model file.
struct ModelFile {
  std::string source;  // path it was read from, for people and errors
  std::string kind;    // "onnx", "xgboost", "lightgbm", ...
  std::string bytes;   // external data of ONNX files is included
  std::string output;  // ONNX: name of the output with the scores; empty: found automatically
  // A model that no file holds, such as functions of the caller; then `kind` is "functions" and there are no
  // bytes. It has one input for each column, or one for each level of a category.
  std::shared_ptr<const Model> model = {};
};
// Reads the file and tells its kind by its content.
ModelFile read_model_file(const std::string& path);
// The same for bytes in memory. `source` names them.
ModelFile model_file_of(std::string bytes, const std::string& source);
// `precision` applies to ONNX models (OnnxOptions::precision); the other kinds ignore it.
std::shared_ptr<const Model> open_model(const ModelFile& file, Precision precision = Precision::automatic);
// FNV-1a, 64 bit. Identifies a model in output files. Bytes may come in pieces: of each piece but the first,
// `before` is the fingerprint of the pieces before it.
std::uint64_t fingerprint(std::string_view bytes, std::uint64_t before = 0xcbf29ce484222325U);
// Identifies all that was fitted.
std::uint64_t fitted_fingerprint(const Explainer& explainer);

// The schema with columns, levels and classes in the model's order, if its file names them, and text columns
// as one input each. `notes` gets messages for the user about what was reordered.
Schema match_model(const Schema& schema, const ModelFile& file, std::vector<std::string>* notes = nullptr);

struct Bundle {
  ModelFile model_file;
  Encoder encoder;  // holds the schema
  Explainer explainer;
};

// Matches the schema with the model, encodes the training rows, checks that they fit, and fits. `densities`:
// those of options.density own (Training::densities).
Bundle fit_bundle(ModelFile model, const Schema& schema, const Table& training, const Options& options,
                  std::vector<DensityModel> densities = {});

// Writes a temporary file and renames it, so that the file is never incomplete.
void save_bundle(const std::string& path, const Bundle& bundle);
// Throws Error if the file is no bundle, truncated, damaged or of another version.
Bundle load_bundle(const std::string& path);
// The same in memory.
std::string bundle_bytes(const Bundle& bundle);
Bundle parse_bundle(std::string_view bytes, const std::string& source);

}  // namespace scfe
