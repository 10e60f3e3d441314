// The OpenAPI 3.1 document: paths from the table of routes, questions from the option catalogue, rows from
// the schemas of the models.
#pragma once

#include <string>

#include "server/router.h"

namespace scfe::server {

std::string openapi_document(const Service& service);

}  // namespace scfe::server
