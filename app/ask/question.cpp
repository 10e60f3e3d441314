#include "ask/question.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "ask/fitting.h"
#include "ask/limits.h"
#include "ask/own_density.h"
#include "scfe/error.h"
#include "scfe/text.h"

namespace scfe::app {
namespace {

// A class by its name or by a cell of the label column, or by its number; else `other` or `any`.
std::string class_number(const std::string& text, const Schema& schema) {
  const std::size_t classes = schema.label.classes.size();
  if (classes == 0) return text;
  try {
    return std::to_string(schema.label.find(text));
  } catch (const Error& error) {
    if (text == "any" || text == "other") return text;
    std::size_t number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure == std::errc() && end == text.data() + text.size() && number < classes) return text;
    throw Error(std::string("--target: ") + error.what());
  }
}

// Throws Error if an option that applies when fitting differs from the fitted one. Three are exceptions: the
// seed no longer matters, the explainer checks the density, and reach has its own message.
void check_fitted(const Arguments& arguments, const Options& fitted, const Options& asked) {
  for (const OptionRow& row : option_catalogue()) {
    if (row.stage != Stage::fit || !arguments.has(row.name)) continue;
    if (row.is(&Options::seed) || row.is(&Options::density) || row.is(&Options::reach)) continue;
    const std::string as_fitted = option_text(fitted, row), got = option_text(asked, row);
    if (as_fitted != got)
      throw Error("--" + std::string(row.name), as_fitted + " as fitted (fit again for another)", got);
  }
  if (asked.reach != fitted.reach)
    throw Error("--reach",
                fitted.reach.empty() ? "an explainer that was fitted with it (scfe fit ... --reach LO:HI)"
                                     : "'" + fitted.reach + "' as fitted (fit again for another)",
                "'" + asked.reach + "'" + (fitted.reach.empty() ? " for a classifier" : ""));
}

}  // namespace

std::string plain_share(const std::string& text) {
  if (text == "none") return "0";
  if (!text.ends_with('%')) return text;
  const auto percent = parse_number(std::string_view(text).substr(0, text.size() - 1));
  return percent ? number_text(*percent / 100) : text;
}

Options options_from(const Arguments& arguments, const Options& base, const Schema& schema) {
  Options options = base;
  for (const OptionRow& row : option_catalogue()) {
    if (!arguments.has(row.name)) continue;
    std::string text = arguments.text(row.name);
    if (row.type == OptionType::share) text = plain_share(text);
    if (row.type == OptionType::target) text = class_number(text, schema);
    if (row.is(&Options::density) && names_files(text)) text = name_of(DensityKind::own);
    set_option(options, row.name, text);
  }
  check_options(options);
  // The default may exceed the number of columns of a small table; a number that is given may not.
  if (arguments.has("max-changes") && static_cast<std::size_t>(options.max_changes) > schema.columns.size())
    throw Error("max-changes",
                "a whole number from 1 to " + std::to_string(schema.columns.size()) + " (features)",
                std::to_string(options.max_changes));
  return options;
}

Bundle open_explainer(Arguments& arguments, const std::string& files) {
  const bool on_the_spot = arguments.has("model");
  const auto count = static_cast<std::size_t>(std::ranges::count(files, ' ')) + 1;
  if (!on_the_spot)
    for (const Flag& flag : fit_flags())
      if (flag.name != "id" && arguments.has(flag.name))
        throw Error("--" + std::string(flag.name), "--model beside it (a fit on the spot)", "none");
  require_files(arguments, count + (on_the_spot ? 0 : 1),
                on_the_spot ? files + " (beside --model no E.scfe)"
                            : "E.scfe " + files + " (or --model, --data, --label and " + files + ")");
  Bundle bundle = on_the_spot ? fit_from(arguments) : load_bundle(arguments.files.front());
  if (!on_the_spot) arguments.files.erase(arguments.files.begin());
  return bundle;
}

Question ask(Arguments& arguments, const std::string& files) {
  Bundle bundle = open_explainer(arguments, files);
  return question_of(std::move(bundle), arguments);
}

Question question_of(Bundle bundle, const Arguments& arguments) {
  const Options& fitted = bundle.explainer.options();
  if (!arguments.has("model") && names_files(arguments.text_or("density", "")))
    throw Error("--density", "a file only when fitting: a fitted explainer holds its density",
                "'" + arguments.text("density") + "'");
  Options options = options_from(arguments, fitted, bundle.encoder.schema());
  check_fitted(arguments, fitted, options);
  set_limits(bundle, arguments);
  return {std::move(bundle),      std::move(options),          {},
          arguments.all("range"), arguments.text_or("by", ""), arguments.has("spreadsheet-safe"),
          arguments.warn};
}

Flag spreadsheet_flag(std::string_view help) { return {"spreadsheet-safe", "", help, group::output}; }

void check_target(const Question& question, std::size_t classes) {
  const Target target = question.options.target;
  const bool named = target.is_class() || target == Target::any() || classes == 2;
  if (target.number() < static_cast<int>(classes) && named) return;
  std::string known;
  for (std::size_t i = 0; i < classes; ++i)
    known += (i > 0 ? ", " : "") + class_name(question.bundle.encoder.schema(), static_cast<int>(i));
  throw Error("--target", "one of the classes: " + known,
              target.is_class() ? std::to_string(target.number()) : "nothing");
}

std::string class_name(const Schema& schema, int target) {
  if (target < 0) return "unknown";  // the class of a row with missing cells
  const auto place = static_cast<std::size_t>(target);
  return place < schema.label.classes.size() ? schema.label.classes[place].name
                                             : "class " + std::to_string(target);
}

std::string row_title(const Question& question, const std::string& name) {
  const std::string& id = question.bundle.encoder.schema().id;
  return (id.empty() ? question.noun.one : id) + " " + name;
}

std::string answer_title(const Question& question, const Answer& answer) {
  std::string title = row_title(question, answer.name);
  if (question.options.path) {
    title += ", at most " + counted(answer.rank, "change");
    if (answer.explanation.knee) title += " (knee)";
  } else if (question.options.answers > 1) {
    title += ", answer " + std::to_string(answer.rank);
  }
  return title;
}

std::string class_rows_name(const Question& question, int target) {
  return class_name(question.bundle.encoder.schema(), target) + " " + question.noun.many;
}

}  // namespace scfe::app
