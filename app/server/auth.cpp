#include "server/auth.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "scfe/error.h"
#include "scfe/file.h"

namespace scfe::server {
namespace {

constexpr std::size_t least_token = 16;

std::string in_lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// The name of "host:port" or "[::1]:port", in lower case.
std::string host_name(const std::string& host) {
  if (host.starts_with('[')) return in_lower_case(host.substr(1, std::min(host.find(']'), host.size()) - 1));
  return in_lower_case(host.substr(0, host.find(':')));
}

bool is_address(const std::string& name) {
  std::array<unsigned char, 16> bytes{};
  return inet_pton(AF_INET, name.c_str(), bytes.data()) == 1 ||
         inet_pton(AF_INET6, name.c_str(), bytes.data()) == 1;
}

}  // namespace

std::string read_token(const std::string& path) {
  std::string text = read_file(path);
  text = text.substr(0, text.find_first_of("\r\n"));
  if (text.size() < least_token)
    throw Error("--token-file", "a token of at least 16 characters in its first line",
                std::to_string(text.size()) + " characters");
  return text;
}

bool same_secret(std::string_view given, std::string_view ours) {
  volatile unsigned char differ = given.size() == ours.size() ? 0 : 1;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const char other = given.empty() ? '\0' : given[i % given.size()];
    differ = static_cast<unsigned char>(differ | static_cast<unsigned char>(other ^ ours[i]));
  }
  return differ == 0;
}

bool is_loopback(const std::string& address) {
  std::array<unsigned char, 16> bytes{};
  if (inet_pton(AF_INET, address.c_str(), bytes.data()) == 1) return bytes[0] == 127;
  return inet_pton(AF_INET6, address.c_str(), bytes.data()) == 1 && bytes[15] == 1 &&
         std::all_of(bytes.begin(), bytes.end() - 1, [](unsigned char byte) { return byte == 0; });
}

// A name of another site that was made to point here is the way of DNS rebinding; an address cannot be.
std::optional<Response> refuse_place(const Access& access, const Request& request) {
  const std::string host = request.header("host"), name = host_name(host);
  const bool ours = is_address(name) || name == "localhost" ||
                    std::ranges::any_of(
                        access.hosts, [&](const std::string& known) { return in_lower_case(known) == name; });
  if (!ours)
    return problem(403, "Host: expected an address, localhost or a name given by --host, got '" + name + "'");
  const auto origin = request.headers.find("origin");
  if (origin == request.headers.end()) return std::nullopt;
  const std::string from = in_lower_case(origin->second), here = in_lower_case(host);
  if (from == "http://" + here || from == "https://" + here) return std::nullopt;
  return problem(403, "Origin: expected this server's own page, got '" + origin->second + "'");
}

std::optional<Response> refuse_stranger(const Access& access, const Request& request) {
  if (access.token.empty()) return std::nullopt;
  const std::string given = request.header("authorization");
  constexpr std::string_view scheme = "bearer ";
  const bool bearer = in_lower_case(given.substr(0, scheme.size())) == scheme;
  if (bearer && same_secret(std::string_view(given).substr(scheme.size()), access.token)) return std::nullopt;
  return problem(401, bearer ? "Authorization: the token is wrong" : "Authorization: expected Bearer TOKEN");
}

}  // namespace scfe::server
