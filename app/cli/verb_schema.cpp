// scfe schema: infers a schema from a training file, as JSON to be edited.
#include <cstdio>

#include "ask/fitting.h"
#include "ask/question.h"
#include "cli/verb.h"

namespace scfe::app {
namespace {

int run_schema(const Arguments& arguments) {
  require_files(arguments, 1, "train.csv");
  const Table training = read_csv(arguments.files.front());
  const Schema schema = infer_schema(training, inference_from(arguments, training));
  if (arguments.has("output"))
    write_schema(arguments.text("output"), schema);
  else
    std::printf("%s", schema_text(schema).c_str());
  return every_row_answered;
}

}  // namespace

Verb schema_verb() {
  return {
      "schema",
      "train.csv",
      "Infer the schema of a training file",
      {{"label", "COLUMN", "the label: the column of classes", group::fit},
       {"id", "COLUMN", "column that names a row", group::fit},
       {"ignore", "A,B", "further columns that are not features", group::fit},
       {"above", "NUMBER", "numeric label: class 1 above it, class 0 otherwise", group::fit},
       {"missing", "POLICY", "cells that are missing: error [default], drop the row, or impute", group::fit},
       {"output,o", "JSON", "file to write (else stdout)", group::output, false, true}},
      false,
      run_schema};
}

}  // namespace scfe::app
