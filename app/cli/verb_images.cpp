// scfe images: converts images and labels of idx files to a table with a column per pixel, which the other
// verbs can read.
#include <algorithm>

#include "ask/question.h"
#include "cli/idx.h"
#include "cli/verb.h"
#include "scfe/error.h"
#include "scfe/file.h"
#include "scfe/text.h"

namespace scfe::app {
namespace {

constexpr int decimals = 4;  // enough to tell grey levels divided by 255 apart

std::vector<std::string> pixel_names(const Images& images) {
  std::vector<std::string> names;
  for (std::size_t y = 0; y < images.height; ++y)
    for (std::size_t x = 0; x < images.width; ++x)
      names.push_back("y" + std::to_string(y) + "x" + std::to_string(x));
  return names;
}

// The range of each pixel is all grey levels, even if these images do not use them.
Schema image_schema(const std::vector<std::string>& names, double divide, const std::vector<int>& labels) {
  Schema schema;
  for (const std::string& name : names) {
    Column& column = schema.columns.emplace_back();
    column.feature.name = name;
    column.feature.kind = divide == 1 ? Kind::integer : Kind::continuous;
    column.feature.min = 0;
    column.feature.max = 255 / divide;
    column.feature.step = divide == 1 ? 1 : step_of_decimals(decimals);
  }
  if (labels.empty()) return schema;
  schema.label.column = "label";
  for (int i = 0; i <= *std::ranges::max_element(labels); ++i)
    schema.label.classes.push_back({std::to_string(i), {std::to_string(i)}});
  return schema;
}

double number_of(const Arguments& arguments, const std::string& name, double otherwise) {
  if (!arguments.has(name)) return otherwise;
  const std::optional<double> value = parse_number(arguments.text(name));
  if (!value || !(*value >= 1)) throw Error("--" + name, "a number >= 1", "'" + arguments.text(name) + "'");
  return *value;
}

void write_table(const std::string& path, const Images& images, const std::vector<int>& labels,
                 double divide) {
  AsideFile file(path);
  std::vector<std::string> cells = pixel_names(images);
  if (!labels.empty()) cells.emplace_back("label");
  std::string text;
  append_csv_row(text, cells);
  file.write(text);
  for (std::size_t i = 0; i < images.pixels.rows; ++i) {
    for (std::size_t j = 0; j < images.pixels.cols; ++j)
      cells[j] = number_text(images.pixels[i][j] / divide, divide == 1 ? 0 : decimals);
    if (!labels.empty()) cells.back() = std::to_string(labels[i]);
    text.clear();
    append_csv_row(text, cells);
    file.write(text);
  }
  file.commit();
}

int run_images(const Arguments& arguments) {
  if (arguments.files.size() != 1) require_files(arguments, 2, "IMAGES, or IMAGES LABELS");
  const std::string& path = arguments.text("output");
  const double divide = number_of(arguments, "divide", 1);
  constexpr double most_images = 4294967295;  // what the header of an idx file can hold
  const auto count = static_cast<std::size_t>(std::min(number_of(arguments, "count", 0), most_images));
  const Images images = read_idx_images(arguments.files[0], count);
  std::vector<int> labels;
  if (arguments.files.size() == 2) labels = read_idx_labels(arguments.files[1], count);
  if (arguments.files.size() == 2 && labels.size() != images.pixels.rows)
    throw Error(arguments.files[1], std::to_string(images.pixels.rows) + " labels",
                std::to_string(labels.size()));
  if (arguments.has("schema"))
    write_schema(arguments.text("schema"), image_schema(pixel_names(images), divide, labels));
  write_table(path, images, labels, divide);
  return every_row_answered;
}

}  // namespace

Verb images_verb() {
  return {"images",
          "IMAGES.idx [LABELS.idx]",
          "Convert idx(.gz) images to a table with a column for each pixel",
          {{"output,o", "CSV", "the table", group::output, false, true},
           {"schema", "JSON", "write a schema as well: every pixel may take every grey level", group::output,
            false, true},
           {"count", "N", "only the first N images", group::output},
           {"divide", "X", "grey levels divided by it, as the model expects them: 255 [1]", group::output}},
          false,
          run_images};
}

}  // namespace scfe::app
