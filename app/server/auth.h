// Who may ask: the token, the Host (against DNS rebinding) and the Origin (against other sites' pages).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/message.h"

namespace scfe::server {

struct Access {
  std::string token = {};               // empty: none is needed (loopback)
  std::vector<std::string> hosts = {};  // further names under which we are reached
};

// The token of a file: its first line. Throws Error if it has fewer than 16 characters.
std::string read_token(const std::string& path);
// True if both are the same; its time depends on their lengths alone.
bool same_secret(std::string_view given, std::string_view ours);
// True for 127.0.0.0/8 and ::1.
bool is_loopback(const std::string& address);

// A problem if the request may not be answered, whatever it asks for (403).
std::optional<Response> refuse_place(const Access& access, const Request& request);
// A problem without the right token (401).
std::optional<Response> refuse_stranger(const Access& access, const Request& request);

}  // namespace scfe::server
