// The rows of a comparison, from their flags (comparing.h).
#include <algorithm>
#include <map>

#include "ask/autoencoder.h"
#include "ask/comparing.h"
#include "ask/fitting.h"
#include "ask/limits.h"
#include "scfe/error.h"

namespace scfe::app {
namespace {

// The values of all options of the fit, which decide whether two runs can share one.
std::string fit_text(const Options& options) {
  std::string text;
  for (const OptionRow& row : option_catalogue())
    if (row.stage == Stage::fit) text += option_text(options, row) + "\n";
  return text;
}

// The paper's algorithm as the paper has it.
constexpr std::string_view algorithm_1 =
    "scfe, Algorithm 1: --solver apg --step-rule paper --loss probability --keep-best false --plausible none "
    "--fewest-first false";

// A density of none is no other fit: it is asked of any.
bool asks_for_a_fit(const RunLine& run) {
  return std::ranges::any_of(option_catalogue(), [&](const OptionRow& row) {
    return row.stage == Stage::fit && run.arguments.has(row.name) &&
           !(row.name == "density" && run.arguments.text(row.name) == "none");
  });
}

std::string command_text(const std::vector<std::string>& files, const Arguments& arguments) {
  std::string text = "scfe explain";
  for (const std::string& file : files) text += " " + shell_word(file);
  for (const auto& [name, values] : arguments.flags)
    for (const std::string& value : values) text += " --" + name + " " + shell_word(value);
  return text;
}

class Making {
 public:
  Making(const Bundle& fitted, const Arguments& common, const std::vector<std::string>& files)
      : fitted_(fitted), common_(common), files_(files) {}

  Contender operator()(const RunLine& run) {
    Arguments arguments = common_;
    arguments.warn = [](const std::vector<std::string>&) {};  // said once, for the question that measures
    for (const auto& [name, values] : run.arguments.flags) arguments.flags[name] = values;
    Bundle bundle = bundle_of(run, arguments);
    std::vector<std::string> files = files_;
    if (arguments.has("fitted")) {
      files = {arguments.text("fitted"), files_.back()};
      arguments.flags.erase("fitted");
      for (const Flag& flag : fit_flags()) arguments.flags.erase(std::string(flag.name));
    }
    add_autoencoder(bundle, arguments);
    Question question = question_of(std::move(bundle), arguments);
    if (keeps_class(question.options.method))
      throw Error("method", "one that changes the class",
                  std::string(name_of(question.options.method)) + ", whose rows keep it");
    check_density(question);
    question.options.answers = 1;
    question.options.path = question.options.hints = false;
    return {run.name, command_text(files, arguments), std::move(question)};
  }

 private:
  // A density that was not fitted is a mistake in the list, and not a method that does not apply.
  static void check_density(const Question& question) {
    const DensityKind has = question.bundle.explainer.options().density, asked = question.options.density;
    if (asked != has && asked != DensityKind::none && asked != DensityKind::automatic)
      throw Error("density",
                  std::string(name_of(has)) +
                      " as fitted, or none (--model and --data fit others, --fitted names one)",
                  std::string(name_of(asked)));
  }

  Bundle bundle_of(const RunLine& run, const Arguments& arguments) {
    if (arguments.has("fitted"))
      return once("file " + arguments.text("fitted"), [&] { return load_bundle(arguments.text("fitted")); });
    if (!common_.has("model") || !asks_for_a_fit(run)) return fitted_;
    const std::string key = fit_text(options_from(arguments, {}, fitted_.encoder.schema())) +
                            arguments.text_or("density", "");  // files of one's own have one name as options
    return once("fit " + key, [&] { return fit_from(arguments); });
  }

  // Runs with the same key share one explainer.
  template <class Make>
  Bundle once(const std::string& key, const Make& make) {
    const auto known = fits_.find(key);
    return known != fits_.end() ? known->second : fits_.emplace(key, make()).first->second;
  }

  const Bundle& fitted_;
  const Arguments& common_;
  const std::vector<std::string>& files_;
  std::map<std::string, Bundle> fits_;
};

}  // namespace

std::vector<Flag> run_flags() {
  std::vector<Flag> flags = limit_flags();
  flags.push_back(autoencoder_flag());
  flags.push_back({"fitted", "E.scfe", "another fitted explainer of the same model", group::methods});
  return flags;
}

std::vector<RunLine> every_method() {
  std::vector<RunLine> runs = {parse_run("scfe:", {}), parse_run(std::string(algorithm_1), {})};
  for (const NamedValue<Method>& choice : choices_of<Method>)
    if (choice.value != Method::scfe && !keeps_class(choice.value))
      runs.push_back(parse_run(std::string(choice.name) + ": --method " + std::string(choice.name), {}));
  return runs;
}

std::vector<RunLine> runs_of(const Arguments& arguments) {
  std::vector<RunLine> runs;
  if (arguments.has("runs")) runs = read_runs(arguments.text("runs"), run_flags());
  for (const std::string& line : arguments.all("run")) runs.push_back(parse_run(line, run_flags()));
  const bool is_listed = arguments.has("runs") || arguments.has("run") || arguments.has("given");
  return is_listed ? runs : every_method();
}

std::vector<Contender> contenders_of(const Bundle& fitted, const Arguments& common,
                                     const std::vector<RunLine>& runs,
                                     const std::vector<std::string>& files) {
  Making make(fitted, common, files);
  std::vector<Contender> contenders;
  for (const RunLine& run : runs) {
    if (std::ranges::find(contenders, run.name, &Contender::name) != contenders.end())
      throw Error("--run", "a name of its own for each", "'" + run.name + "' twice");
    try {
      contenders.push_back(make(run));
    } catch (const Error& error) {
      throw Error("--run '" + run.name + "': " + error.what());
    }
  }
  return contenders;
}

Contender given_answers(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw Error("--given", "NAME=answers.csv", "'" + text + "'");
  const std::string file = text.substr(equals + 1);
  return {text.substr(0, equals), "answers of " + file, std::nullopt, file};
}

}  // namespace scfe::app
