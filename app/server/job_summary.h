// Counts over the answers of a finished job, from its JSON lines.
#pragma once

#include <string>

namespace scfe::server {

std::string job_summary(const std::string& answers_json);

}  // namespace scfe::server
