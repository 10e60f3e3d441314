// scfe fit: writes model, densities, quantiles and schema into one file.
#include <cstdio>

#include "ask/fitting.h"
#include "ask/learned_rules.h"
#include "ask/question.h"
#include "cli/verb.h"
#include "scfe/diagnostics.h"

namespace scfe::app {
namespace {

// Empty if some feature has a limit beyond its range.
std::string missing_limits(const Schema& schema) {
  for (const Column& column : schema.columns)
    if (column.feature.immutable || column.feature.direction != Direction::any) return {};
  return "no feature is frozen or may only rise or fall: if some cannot be changed, say so in the schema "
         "(scfe schema) or with --freeze, --only-up and --only-down";
}

int run_fit(const Arguments& arguments) {
  require_files(arguments, 0, "none");
  const std::string& path = arguments.text("output");
  std::vector<std::string> said;
  const Bundle bundle = fit_from(arguments, &said);
  save_bundle(path, bundle);
  const Schema& schema = bundle.encoder.schema();
  for (std::size_t target = 0; target < schema.label.classes.size(); ++target)
    std::printf("density of class %s: %s\n", schema.label.classes[target].name.c_str(),
                Diagnostics(bundle.explainer).density_summary(static_cast<int>(target)).c_str());
  for (const std::string& fact : said)
    if (!fact.empty()) std::printf("%s\n", fact.c_str());
  std::printf("%s", learned_rules_text(schema).c_str());
  said = {missing_limits(schema)};
  if (!said[0].empty()) std::printf("%s\n", said[0].c_str());
  arguments.warn(contradictions_of(bundle));
  std::printf("written: %s\n", path.c_str());
  return every_row_answered;
}

}  // namespace

Verb fit_verb() {
  std::vector<Flag> flags = fit_flags();
  flags.push_back({"output,o", "E.scfe", "file to write: the fitted explainer", group::output, false, true});
  return {"fit",
          "--model M.onnx --data train.csv --label COLUMN -o E.scfe",
          "Fit an explainer to a model and its training rows",
          flags,
          true,
          run_fit,
          "Options of a question that are given here become the defaults of every later question.",
          true};
}

}  // namespace scfe::app
