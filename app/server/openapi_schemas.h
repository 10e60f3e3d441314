// The JSON schemas of the OpenAPI document.
#pragma once

#include <string>

#include "server/router.h"

namespace scfe::server {

Json schema_ref(const std::string& name);
Json openapi_schemas(const Service& service);

}  // namespace scfe::server
