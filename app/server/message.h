// One request and its response, as the router sees them: nothing of sockets.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace scfe::server {

struct Request {
  std::string method;                               // "GET"
  std::string path;                                 // decoded, without the query
  std::map<std::string, std::string> query = {};    // decoded
  std::map<std::string, std::string> headers = {};  // names in lower case
  std::string body = {};

  std::string header(const std::string& name) const;  // empty: not there
};

struct Response {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string file = {};  // the body is this file's content; a path of our own, never of a request
  bool close = false;     // the connection ends behind it
};

std::string_view title_of(int status);
// application/problem+json (RFC 9457).
Response problem(int status, std::string_view detail);

// Thrown by handlers, and turned into a problem.
struct Refusal {
  int status;
  std::string detail;
};

// Splits "/a%20b?x=1" into path and query. Throws Refusal (400) if it is not valid: a broken escape, a byte
// that is no UTF-8, a NUL, or a path that does not begin with '/'.
void set_target(Request& request, std::string_view target);

}  // namespace scfe::server
