// A fitted explainer in one file, E.scfe: the model's own bytes, the schema, the options and all that was
// fitted. Loading takes milliseconds and gives the same bits as the explainer that was saved.
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

// A model as it lies on disk.
struct ModelFile {
  std::string source;  // path it was read from, for people and errors
  std::string kind;    // "onnx", "xgboost", ...: a row of the catalogue in src/data/model_file.cpp
  std::string bytes;   // of ONNX files with their external data inside
  std::string output;  // ONNX: the output that holds the scores; empty: it is found
};
// Reads the file and tells its kind by its content.
ModelFile read_model_file(const std::string& path);
// `precision`: of ONNX models (OnnxOptions::precision); the other kinds have their own.
std::shared_ptr<const Model> open_model(const ModelFile& file, Precision precision = Precision::float32);
// FNV-1a, 64 bit: names a model in answers that can be replayed.
std::uint64_t fingerprint(std::string_view bytes);
// Names all that was fitted.
std::uint64_t fitted_fingerprint(const Explainer& explainer);

// The schema in the model's own terms, where its file names inputs, text levels or classes: columns, levels
// and classes in its order, text columns as one input each. `notes`: what a person should know of it.
Schema match_model(const Schema& schema, const ModelFile& file, std::vector<std::string>* notes = nullptr);

struct Bundle {
  ModelFile model_file;
  Encoder encoder;  // holds the schema
  Explainer explainer;
};

// Matches the schema with the model, encodes the training rows, checks that they fit, and fits.
Bundle fit_bundle(ModelFile model, const Schema& schema, const Table& training, const Options& options);

// Written aside and renamed.
void save_bundle(const std::string& path, const Bundle& bundle);
// Error saying what is wrong with a file that is foreign, truncated, damaged or of another version.
Bundle load_bundle(const std::string& path);

}  // namespace scfe
