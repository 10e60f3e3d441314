// scfe keep: finds the fewest features whose present values alone keep the predicted class.
#include <algorithm>
#include <cstdio>

#include "ask/answering.h"
#include "ask/fitting.h"
#include "ask/question.h"
#include "ask/row_warnings.h"
#include "cli/verb.h"
#include "cli/warn.h"
#include "output/sinks.h"
#include "scfe/diagnostics.h"
#include "scfe/error.h"
#include "scfe/file.h"
#include "scfe/text.h"
#include "text/csv_line.h"
#include "text/json_text.h"
#include "text/text_table.h"

namespace scfe::app {
namespace {

constexpr std::string_view default_share = "95%";

double share_from(const Arguments& arguments) {
  const std::string text = arguments.text_or("share", std::string(default_share));
  const std::optional<double> value = parse_number(plain_share(text));
  if (!value) throw Error("--share", "a share such as 95%", "'" + text + "'");
  return *value;
}

// One row, and its features that must stay.
struct Kept {
  std::string name;
  Pertinent pertinent;
  std::vector<std::string> cells;  // of every feature
};

std::string people_text(const Question& question, const Kept& kept) {
  const Schema& schema = question.bundle.encoder.schema();
  TextTable table({Align::left, Align::right, Align::left});
  for (const std::size_t f : kept.pertinent.features)
    table.add({schema.columns[f].feature.name, kept.cells[f], schema.columns[f].feature.unit});
  return row_title(question, kept.name) + ": " + class_name(schema, kept.pertinent.predicted) +
         ", and with these values alone still so for " + percent(kept.pertinent.share) +
         " of other training rows (" +
         (kept.pertinent.smallest ? "no smaller set does, on the rows it was chosen by"
                                  : "a small set; a smaller one may exist") +
         ")\n" + table.text(2) + "\n";
}

// row,predicted,share,kept,<the values that must stay under the training file's names, the others
// empty>,smallest
std::string csv_head(const Question& question) {
  const Schema& schema = question.bundle.encoder.schema();
  std::vector<std::string> cells = {answer_columns(schema).row, "predicted", "share", "kept"};
  for (const Column& column : schema.columns) cells.push_back(column.feature.name);
  cells.emplace_back(std::ranges::count(cells, "smallest") == 0 ? "smallest" : "scfe_smallest");
  return csv_line(cells, question.spreadsheet_safe);
}

std::string csv_text(const Question& question, const Kept& kept) {
  const Schema& schema = question.bundle.encoder.schema();
  std::vector<std::string> stays(kept.cells.size()), names;
  for (const std::size_t f : kept.pertinent.features) {
    stays[f] = kept.cells[f];
    names.push_back(schema.columns[f].feature.name);
  }
  std::vector<std::string> cells = {kept.name, class_name(schema, kept.pertinent.predicted),
                                    number_text(kept.pertinent.share), join(names, ";")};
  cells.insert(cells.end(), stays.begin(), stays.end());
  cells.emplace_back(kept.pertinent.smallest ? "true" : "false");
  return csv_line(cells, question.spreadsheet_safe);
}

std::string json_text(const Question& question, const Kept& kept) {
  const Schema& schema = question.bundle.encoder.schema();
  JsonObject values;
  for (const std::size_t f : kept.pertinent.features)
    values.text(schema.columns[f].feature.name, kept.cells[f]);
  return JsonObject()
             .text("row", kept.name)
             .text("predicted", class_name(schema, kept.pertinent.predicted))
             .number("share", kept.pertinent.share)
             .raw("kept", values.str())
             .raw("smallest", kept.pertinent.smallest ? "true" : "false")
             .str() +
         "\n";
}

// Writes a table to stdout, or files.
class Writing {
 public:
  Writing(const Question& question, const Arguments& arguments) : question_(question) {
    for (const std::string& path : output_paths(arguments)) {
      const Format format = format_of(path);
      if (format == Format::html) throw Error("--output", "a .csv or .json file", "'" + path + "'");
      files_.emplace_back(format, std::make_unique<AsideFile>(path));
      if (format == Format::csv) files_.back().second->write(csv_head(question));
    }
  }
  void add(const Kept& kept) {
    if (files_.empty()) std::printf("%s", people_text(question_, kept).c_str());
    for (const auto& [format, file] : files_)
      file->write(format == Format::csv ? csv_text(question_, kept) : json_text(question_, kept));
  }
  void finish() {
    for (const auto& [format, file] : files_) file->commit();
  }

 private:
  const Question& question_;
  std::vector<std::pair<Format, std::unique_ptr<AsideFile>>> files_;
};

int run_keep(const Arguments& given) {
  Arguments arguments = given;
  const Question question = ask(arguments, "rows.csv");
  const double share = share_from(arguments);
  const Encoder& encoder = question.bundle.encoder;
  CsvReader reader(arguments.files.front());
  Writing writing(question, arguments);
  RowIds ids(encoder.schema());
  Table rows;
  bool first = true;
  for (; reader.read(rows, 256); first = false) {
    const Encoded encoded = encoder.encode(rows);
    if (first) warn(encoder.warnings(rows));
    ids.look_at(rows);
    std::vector<Pertinent> found = Diagnostics(question.bundle.explainer).pertinent(encoded.inputs, share);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::size_t row = encoded.rows[i];
      writing.add({name_of(rows, row, encoder.schema().id), std::move(found[i]),
                   encoder.decode(encoded.inputs[i], rows, row)});
    }
  }
  if (first) {
    (void)encoder.encode(rows);  // a missing column is the better reason
    throw Error(arguments.files.front(), "at least one row", "none");
  }
  warn(ids.warnings(arguments.files.front()));
  writing.finish();
  return every_row_answered;
}

}  // namespace

Verb keep_verb() {
  std::vector<Flag> flags = {
      {"share", "SHARE", "of training rows that must get the row's class [95%]", group::asked},
      {"output,o", "FILE", "out.csv or out.json (JSON lines) in place of tables; can be repeated",
       group::output, true, true},
      spreadsheet_flag("text in CSV that a spreadsheet would run as a formula gets an apostrophe")};
  for (const Flag& flag : fit_flags()) flags.push_back(flag);
  return {"keep",
          "E.scfe rows.csv",
          "Find what must stay: the fewest values that alone keep the class",
          flags,
          true,
          run_keep,
          "Training rows of all classes are given these values and keep their others. At least SHARE of "
          "them must then get the row's class. 200 rows choose the values, up to 2000 others measure the "
          "share. The output says whether a smaller set could do on the 200 rows.",
          true,
          {"reach", "precision", "threads"}};
}

}  // namespace scfe::app
