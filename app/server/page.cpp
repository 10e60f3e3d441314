#include "server/page.h"

#include <array>

#include "server/router.h"

namespace scfe::server {
namespace {

std::string type_of(std::string_view name) {
  struct Type {
    std::string_view ending, type;
  };
  constexpr std::array types = {Type{".html", "text/html; charset=utf-8"},
                                Type{".js", "text/javascript; charset=utf-8"},
                                Type{".css", "text/css; charset=utf-8"},
                                Type{".svg", "image/svg+xml"},
                                Type{".png", "image/png"},
                                Type{".ico", "image/x-icon"},
                                Type{".woff2", "font/woff2"},
                                Type{".json", "application/json"}};
  for (const Type& type : types)
    if (name.ends_with(type.ending)) return std::string(type.type);
  return "application/octet-stream";
}

// Looked up by name among the embedded files: nothing is read from disk.
Response page_file(const std::string& name, const char* cache) {
  for (const PageFile& file : page_files())
    if (file.name == name)
      return {.type = type_of(name),
              .body = std::string(file.bytes),
              .headers = {{"Content-Security-Policy", std::string(page_policy())}, {"Cache-Control", cache}}};
  throw Refusal{404, "no file '" + name + "'"};
}

}  // namespace

std::string_view page_policy() {
  return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src "
         "'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
}

Response show_page(const Call&) { return page_file("index.html", "no-cache"); }

Response show_asset(const Call& call) { return page_file("assets/" + call.captures[0], "max-age=3600"); }

}  // namespace scfe::server
