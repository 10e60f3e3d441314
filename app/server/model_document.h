// What a page or a client has to know about a model: its features with ranges, levels and histograms, its
// classes, and the options that it was fitted with.
#pragma once

#include <string>

namespace scfe::server {

class ServedModel;

std::string model_document(const ServedModel& model);
// One entry of GET /api/models.
std::string model_entry(const ServedModel& model);
// Name -> value of the options that a question may set. GET /api/options describes them.
std::string options_document();

}  // namespace scfe::server
