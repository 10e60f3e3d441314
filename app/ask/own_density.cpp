#include "ask/own_density.h"

#include <filesystem>

#include "scfe/error.h"
#include "scfe/text.h"

namespace scfe::app {
namespace {

// The class whose name and an equals sign the text begins with; the longest such name, or the number of
// classes if there is none.
std::size_t class_at(const std::string& text, const std::vector<std::string>& classes) {
  std::size_t found = classes.size();
  for (std::size_t c = 0; c < classes.size(); ++c)
    if (text.starts_with(classes[c] + "=") &&
        (found == classes.size() || classes[c].size() > classes[found].size()))
      found = c;
  return found;
}

// The files in the order of the classes. A comma ends a file only before the next class, so that names of
// files and classes may contain one.
std::vector<std::string> files_of_classes(std::string text, const std::vector<std::string>& classes) {
  const std::string all = text;
  std::vector<std::string> files(classes.size());
  while (!text.empty()) {
    const std::size_t c = class_at(text, classes);
    if (!files[c].empty()) throw Error("--density", "one file for each class", "'" + classes[c] + "' twice");
    text.erase(0, classes[c].size() + 1);
    std::size_t end = text.find(',');
    while (end != std::string::npos && class_at(text.substr(end + 1), classes) == classes.size())
      end = text.find(',', end + 1);
    files[c] = text.substr(0, end);
    text.erase(0, end == std::string::npos ? end : end + 1);
  }
  for (std::size_t c = 0; c < files.size(); ++c)
    if (files[c].empty()) throw Error("--density", "a file for class '" + classes[c] + "'", "'" + all + "'");
  return files;
}

}  // namespace

bool names_files(const std::string& density) { return density.ends_with(".onnx"); }

std::vector<DensityModel> own_densities(const Arguments& arguments, const Schema& schema) {
  const std::string text = arguments.text_or("density", "");
  if (!names_files(text)) return {};
  std::vector<std::string> classes;
  for (const LabelClass& one : schema.label.classes) classes.push_back(one.name);
  const bool by_class = class_at(text, classes) < classes.size();
  if (!by_class && text.find('=') != std::string::npos && !std::filesystem::exists(text))
    throw Error("--density", "a file, or CLASS=FILE for each class of " + join(classes, ", "),
                "'" + text + "'");
  std::vector<DensityModel> densities;
  for (const std::string& file : by_class ? files_of_classes(text, classes) : std::vector{text})
    densities.push_back(read_density_model(file));
  return densities;
}

}  // namespace scfe::app
