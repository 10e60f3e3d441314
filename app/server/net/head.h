// The head of a request as Boost.Beast read it, in our own form.
#pragma once

#include <algorithm>
#include <array>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/message.hpp>
#include <cctype>
#include <string>
#include <string_view>

#include "server/message.h"

namespace scfe::server {

// Fields that decide what is allowed or how long the body is. Of two of them, another server on the way might
// look at the one that we do not see.
constexpr std::array<std::string_view, 5> single_fields = {"host", "origin", "authorization", "content-type",
                                                           "transfer-encoding"};

// Throws Refusal (400) if the target is not valid, one of the fields above is there twice, or the body has a
// coding other than chunked, which nobody here undoes.
template <class Body>
Request head_of(const boost::beast::http::request<Body>& message) {
  Request request;
  request.method = std::string(message.method_string());
  for (const auto& field : message) {
    std::string name(field.name_string());
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const auto [place, is_new] = request.headers.emplace(std::move(name), std::string(field.value()));
    if (!is_new && std::ranges::find(single_fields, place->first) != single_fields.end())
      throw Refusal{400, place->first + ": expected it once, got it again"};
  }
  const std::string coding = request.header("transfer-encoding");
  if (!coding.empty() && !boost::beast::iequals(coding, "chunked"))
    throw Refusal{400, "transfer-encoding: expected chunked, got '" + coding + "'"};
  set_target(request, {message.target().data(), message.target().size()});
  return request;
}

}  // namespace scfe::server
