// Fits an explainer by flags: a model, training rows and what their columns mean.
#pragma once

#include <string>
#include <vector>

#include "ask/arguments.h"
#include "scfe/bundle.h"

namespace scfe::app {

// --model, --data, --label, --schema ...: fit an explainer within this command.
std::vector<Flag> fit_flags();
// --missing.
Missing missing_from(const Arguments& arguments);
// --label, --id, --ignore, --above, --missing.
Inference inference_from(const Arguments& arguments, const Table& training);
// The schema of the training rows: --schema, or inferred with --label and the flags beside it. `schema-json`
// is the text of a schema, for doors that have no files. A label may have as many classes as `model` (null:
// not known, and at most 20).
Schema schema_from(const Arguments& arguments, const Table& training, const ModelFile* model = nullptr);
// `said`: what the fit has to say about the model, for people.
Bundle fit_from(const Arguments& arguments, std::vector<std::string>* said = nullptr);
// As fit_from(), of a model and training rows in memory, and densities of the caller's own.
Bundle fit_table(const Arguments& arguments, ModelFile model, const Table& training,
                 std::vector<std::string>* said = nullptr, std::vector<DensityModel> densities = {});

}  // namespace scfe::app
