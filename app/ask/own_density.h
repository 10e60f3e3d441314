// --density FILE.onnx, or CLASS=FILE.onnx,CLASS=FILE.onnx: a log-density of the user's own.
#pragma once

#include <string>
#include <vector>

#include "ask/arguments.h"
#include "scfe/density_model.h"
#include "scfe/schema.h"

namespace scfe::app {

// True if the value of --density names files, and not a density of the catalogue.
bool names_files(const std::string& density);
// Reads the files of --density: one for all classes, or one for each in the order of the classes. None if it
// names no file.
std::vector<DensityModel> own_densities(const Arguments& arguments, const Schema& schema);

}  // namespace scfe::app
