// scfe keep: what must stay. The fewest features whose present values alone keep the decision.
#include <cstdio>

#include "cli/question.h"
#include "cli/text_table.h"
#include "cli/warn.h"
#include "data/number.h"
#include "scfe/error.h"

namespace scfe::cli {
namespace {

constexpr std::string_view default_share = "95%";

double share_from(const Arguments& arguments) {
  std::string text = arguments.text_or("share", std::string(default_share));
  const bool percent = text.ends_with('%');
  if (percent) text.pop_back();
  const std::optional<double> value = parse_number(text);
  if (!value) throw Error("--share", "a share such as 95%", "'" + arguments.text("share") + "'");
  return percent ? *value / 100 : *value;
}

int run(const Arguments& given) {
  Arguments arguments = given;
  const Question question = ask(arguments);
  require_files(arguments, 1, "E.scfe rows.csv");
  const double share = share_from(arguments);
  const Encoder& encoder = question.bundle.encoder;
  const Schema& schema = encoder.schema();
  CsvReader reader(arguments.files.front());
  Table rows;
  for (bool first = true; reader.read(rows, 256); first = false) {
    if (first) warn(encoder.warnings(rows));
    const Encoded encoded = encoder.encode(rows);
    const std::vector<Pertinent> kept = question.bundle.explainer.pertinent(encoded.inputs, share);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const std::size_t row = encoded.rows[i];
      const std::string name = schema.id.empty() ? std::to_string(rows.first_row + row)
                                                 : std::string(rows.cell(row, rows.column(schema.id)));
      const std::vector<std::string> cells = encoder.decode(encoded.inputs[i], rows, row);
      std::printf("%s: stays %s for %s of the training rows that take these values\n",
                  row_title(question, name).c_str(), class_name(schema, kept[i].predicted).c_str(),
                  percent(kept[i].share).c_str());
      TextTable table({Align::left, Align::right, Align::left});
      for (const std::size_t f : kept[i].features)
        table.add({schema.columns[f].feature.name, cells[f], schema.columns[f].feature.unit});
      std::printf("%s\n", table.text(2).c_str());
    }
  }
  return every_row_answered;
}

}  // namespace

Verb keep_verb() {
  std::vector<Flag> flags = {
      {"share", "SHARE", "of training rows that have to keep the decision (95%)", group::wished}};
  for (const Flag& flag : fit_flags()) flags.push_back(flag);
  return {"keep", "E.scfe rows.csv", "Find the fewest values that alone keep the decision", flags, true, run};
}

}  // namespace scfe::cli
