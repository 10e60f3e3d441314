// The page for people: the files of app/web/dist, which CMake writes into a source file.
#pragma once

#include <span>
#include <string_view>

namespace scfe::server {

struct PageFile {
  std::string_view name;  // "index.html", "assets/main.js"
  std::string_view bytes;
};
std::span<const PageFile> page_files();  // generated
// The Content-Security-Policy of the page.
std::string_view page_policy();

}  // namespace scfe::server
