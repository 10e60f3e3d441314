// The frame of every page, which loads nothing from the network.
#include "report/html_text.h"
#include "report/sections.h"
#include "report/style.h"

namespace scfe::cli {

std::string page_opening(const std::string& title) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
         tag("title", "", title) + "\n" + tag("style", "", style) + "\n</head>\n<body>\n<main>\n";
}

std::string page_closing() { return "</main>\n</body>\n</html>\n"; }

}  // namespace scfe::cli
