#include "output/sinks.h"

#include "scfe/error.h"

namespace scfe::app {

Format format_of(const std::string& path) {
  struct Ending {
    std::string_view text;
    Format format;
  };
  for (const Ending& ending : {Ending{".csv", Format::csv},
                               {".json", Format::json},
                               {".jsonl", Format::json},
                               {".ndjson", Format::json},
                               {".html", Format::html},
                               {".htm", Format::html}})
    if (path.ends_with(ending.text)) return ending.format;
  throw Error("--output", "a name that ends in .csv, .json, .jsonl or .html", "'" + path + "'");
}

std::vector<std::string> output_paths(const Arguments& arguments) {
  std::vector<std::string> paths = arguments.all("output");
  for (const std::string& path : paths) (void)format_of(path);
  return paths;
}

}  // namespace scfe::app
