// The head of a request as Boost.Beast read it, in our own form.
#pragma once

#include <boost/beast/http/message.hpp>
#include <cctype>
#include <string>

#include "server/message.h"

namespace scfe::server {

// Throws Refusal (400) if the target is not valid.
template <class Body>
Request head_of(const boost::beast::http::request<Body>& message) {
  Request request;
  request.method = std::string(message.method_string());
  for (const auto& field : message) {
    std::string name(field.name_string());
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    request.headers.emplace(std::move(name), std::string(field.value()));
  }
  set_target(request, {message.target().data(), message.target().size()});
  return request;
}

}  // namespace scfe::server
