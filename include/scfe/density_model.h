// A log-density of the user's own, in place of one that is fitted: a normalising flow, the bound of a VAE,
// the negative error of an autoencoder, any function with a gradient.
//
//     Training training = ...;
//     training.densities = {read_density_model("flow.onnx")};
//     training.densities = {{callback_model({.features = 4, .scores = 1, .value = ..., .gradient = ...})}};
//     options.density = DensityKind::own;
//
// It is a Model (scfe/model.h) whose scores are log q, in nats: one score is the log-density of one class, or
// of all classes alike; several are one for each class. Its inputs are the classifier's, or the columns of
// the work space (options.density_space). Floors are quantiles of it over the training rows of each class.
#pragma once

#include <memory>
#include <string>

#include "scfe/model.h"

namespace scfe {

struct DensityModel {
  std::shared_ptr<const Model> model;
  std::string source = "own density";  // its name, for people and errors
  std::string onnx = {};               // the file's bytes; empty: functions, which no bundle can hold
};

// Reads an ONNX file whose one output is log q. Throws Error if it has several outputs, if a node is not
// supported, or if log q has no gradient; the node that stops it is named.
DensityModel read_density_model(const std::string& path);
// The same for bytes in memory. `source` names them.
DensityModel density_model_of(std::string onnx, const std::string& source);

}  // namespace scfe
