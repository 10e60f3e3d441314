// scfe demo: explains rows of built-in data. Every tenth row is held out, and a few of those without the
// target class are explained.
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "ask/answering.h"
#include "cli/demo_data.h"
#include "cli/interrupt.h"
#include "cli/verb.h"
#include "output/sinks.h"
#include "report/html_report.h"
#include "scfe/error.h"
#include "scfe/text.h"

namespace scfe::app {
namespace {

constexpr std::size_t rows_shown = 3;

struct Picked {
  Table rows;
  std::vector<std::size_t> numbers;  // row numbers in the whole file
};

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

int run_demo(const Arguments& arguments) {
  if (arguments.files.size() > 1) require_files(arguments, 1, "one name");
  const Demo& demo = demo_of(arguments.files.empty() ? "" : arguments.files.front());
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
  std::printf("%s\n%zu training rows, %zu features, model %s.onnx. The rows below are not among them.\n\n",
              std::string(demo.question).c_str(), parts.training.rows(), schema.columns.size(), name.c_str());
  bool all_found = true;
  std::vector<Answer> answers = Answering(question)(picked.rows, options.time_limit, Interrupts::token());
  if (Interrupts::asked()) throw Error("interrupted; nothing is written");
  for (std::size_t i = 0; i < answers.size(); ++i) {
    answers[i].name = std::to_string(picked.numbers[i]);
    table->add(answers[i]);
    report->add(answers[i]);
    all_found = all_found && answers[i].explanation.found();
  }
  table->flush();
  report->finish();
  std::printf("Report: %s\nAsk it yourself in a browser: %s serve --demo\n",
              std::filesystem::absolute(path).lexically_normal().c_str(), program_name().c_str());
  return all_found ? every_row_answered : some_rows_without;
}

}  // namespace

Verb demo_verb() {
  return {"demo",
          "[NAME]",
          "Explain a few rows of built-in data: german_credit (default), wine, housing or wdbc",
          {{"output,o", "HTML", "the report [scfe-demo-NAME.html]", group::output, false, true},
           {"data-dir", "FOLDER", "where the built-in data lie", group::output}},
          true,
          run_demo};
}

}  // namespace scfe::app
