#include "server/message.h"

#include <array>

#include "scfe/line.h"
#include "scfe/utf8.h"
#include "text/json_text.h"

namespace scfe::server {
namespace {

constexpr std::size_t longest_detail = 300;  // like a line of the command line

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string decoded(std::string_view text, bool plus_is_space) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus_is_space) {
      plain += ' ';
      continue;
    }
    if (text[i] != '%') {
      plain += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
    if (high < 0 || low < 0) throw Refusal{400, "target: expected two hexadecimal digits behind %"};
    plain += static_cast<char>(high * 16 + low);
    i += 2;
  }
  if (!is_utf8(plain) || plain.find('\0') != std::string::npos)
    throw Refusal{400, "target: expected UTF-8 text without NUL, got other bytes"};
  return plain;
}

}  // namespace

std::string Request::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? "" : found->second;
}

std::string_view title_of(int status) {
  struct Title {
    int status;
    std::string_view text;
  };
  constexpr std::array titles = {Title{400, "Bad Request"},
                                 Title{401, "Unauthorized"},
                                 Title{403, "Forbidden"},
                                 Title{404, "Not Found"},
                                 Title{405, "Method Not Allowed"},
                                 Title{408, "Request Timeout"},
                                 Title{409, "Conflict"},
                                 Title{413, "Content Too Large"},
                                 Title{415, "Unsupported Media Type"},
                                 Title{429, "Too Many Requests"},
                                 Title{431, "Request Header Fields Too Large"},
                                 Title{500, "Internal Server Error"},
                                 Title{503, "Service Unavailable"}};
  for (const Title& title : titles)
    if (title.status == status) return title.text;
  return "Error";
}

Response problem(int status, std::string_view detail) {
  Response response;
  response.status = status;
  response.type = "application/problem+json";
  response.body = app::JsonObject()
                      .text("type", "about:blank")
                      .text("title", title_of(status))
                      .number("status", status)
                      .text("detail", one_line(detail, longest_detail))
                      .str();
  if (status == 503) response.headers.emplace_back("Retry-After", "1");
  if (status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  return response;
}

void set_target(Request& request, std::string_view target) {
  target = target.substr(0, target.find('#'));
  if (target.empty() || target[0] != '/') throw Refusal{400, "target: expected a path that begins with /"};
  const std::size_t mark = target.find('?');
  request.path = decoded(target.substr(0, mark), false);
  if (mark == std::string_view::npos) return;
  std::string_view query = target.substr(mark + 1);
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view part = query.substr(0, end);
    const std::size_t equals = std::min(part.find('='), part.size());
    if (!part.empty())
      request.query[decoded(part.substr(0, equals), true)] =
          equals < part.size() ? decoded(part.substr(equals + 1), true) : "";
    query.remove_prefix(std::min(end + 1, query.size()));
  }
}

}  // namespace scfe::server
