// scfe demo: explains rows of built-in data. Every tenth row is held out, and a few of those without the
// target class are explained.
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>

#include "cli/sinks.h"
#include "cli/stream.h"
#include "report/html_report.h"
#include "scfe/text.h"

namespace scfe::cli {
namespace {

struct Demo {
  std::string_view name;
  std::string_view question;
  std::string_view one, many;  // what a row is called
  int target;
  int max_changes;
};
constexpr std::array demos = {
    Demo{"german_credit", "What would have got this applicant approved?", "Applicant", "applicants", 1, 3},
    Demo{"wine", "What would make this wine pass for cultivar 2?", "Wine", "wines", 1, 3},
    Demo{"housing", "What would put the homes of this tract above the median value?", "Tract", "tracts", 1,
         3},
    Demo{"wdbc", "Which measurements keep this tumour from being called benign?", "Tumour", "tumours", 0, 8},
};
constexpr std::size_t held_out_every = 10, rows_shown = 3;

// The data folder next to the installed program, or in the source tree.
std::string data_folder(const Arguments& arguments) {
  if (arguments.has("data-dir")) return arguments.text("data-dir");
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path installed = program.parent_path().parent_path() / "share" / "scfe";
  return !error && std::filesystem::exists(installed / "models") ? installed.string() : SCFE_DATA_DIR;
}

struct Split {
  Table training, held_out;
};
struct Picked {
  Table rows;
  std::vector<std::size_t> numbers;  // row numbers in the whole file
};
Split split(const Table& all) {
  Split parts;
  for (Table* table : {&parts.training, &parts.held_out}) {
    table->source = all.source;
    table->columns = all.columns;
  }
  for (std::size_t row = 0; row < all.rows(); ++row)
    for (std::size_t column = 0; column < all.columns.size(); ++column)
      (row % held_out_every == 0 ? parts.held_out : parts.training).add(all.cell(row, column));
  return parts;
}

// Picks rows evenly among those without the target class.
Picked pick(const Bundle& bundle, const Table& held_out, int target) {
  const Encoded encoded = bundle.encoder.encode(held_out);
  const std::vector<int> predicted = bundle.explainer.predict(encoded.inputs);
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < predicted.size(); ++i)
    if (predicted[i] != target) others.push_back(encoded.rows[i]);
  Picked picked;
  picked.rows.source = held_out.source;
  picked.rows.columns = held_out.columns;
  const std::size_t count = std::min(rows_shown, others.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = others[i * others.size() / count];
    picked.numbers.push_back(row * held_out_every + 1);
    for (std::size_t column = 0; column < held_out.columns.size(); ++column)
      picked.rows.add(held_out.cell(row, column));
  }
  return picked;
}

const Demo& demo_of(const std::string& name) {
  std::vector<std::string> known;
  for (const Demo& demo : demos) {
    if (demo.name == name) return demo;
    known.emplace_back(demo.name);
  }
  throw unknown_name("", "demo", name, known);
}

int run_demo(const Arguments& arguments) {
  if (arguments.files.size() > 1) require_files(arguments, 1, "one name");
  const Demo& demo = arguments.files.empty() ? demos.front() : demo_of(arguments.files.front());
  const std::string name(demo.name), folder = data_folder(arguments) + "/";
  const Split parts = split(read_csv(folder + name + ".csv"));
  const Schema schema = read_schema(folder + name + ".schema.json");
  Options options = options_from(arguments, {}, schema);
  if (!arguments.has("target")) options.target = demo.target;
  if (!arguments.has("max-changes")) options.max_changes = demo.max_changes;
  const Question question{
      fit_bundle(read_model_file(folder + "models/" + name + ".onnx"), schema, parts.training, options),
      options,
      {std::string(demo.one), std::string(demo.many)}};
  const Picked picked = pick(question.bundle, parts.held_out, options.target.number());
  const std::string path = arguments.text_or("output", "scfe-demo-" + name + ".html");
  const std::unique_ptr<Sink> report = html_report(question, path), table = table_sink(question);
  std::printf("%s\n%zu training rows, %zu features, model %s.onnx; those below were held out.\n\n",
              std::string(demo.question).c_str(), parts.training.rows(), schema.columns.size(), name.c_str());
  bool all_found = true;
  std::vector<Answer> answers = Answering(question)(picked.rows, options.time_limit);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    answers[i].name = std::to_string(picked.numbers[i]);
    table->add(answers[i]);
    report->add(answers[i]);
    all_found = all_found && answers[i].explanation.found();
  }
  table->flush();
  report->finish();
  std::printf("Report: %s\n", std::filesystem::absolute(path).lexically_normal().c_str());
  return all_found ? every_row_answered : some_rows_without;
}

}  // namespace

Verb demo_verb() {
  return {"demo",
          "[NAME]",
          "Explain a few rows of built-in data: german_credit (default), wine, housing or wdbc",
          {{"output,o", "HTML", "the report [scfe-demo-NAME.html]", group::output},
           {"data-dir", "FOLDER", "where the built-in data lie", group::output}},
          true,
          run_demo};
}

}  // namespace scfe::cli
