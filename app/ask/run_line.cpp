#include "ask/run_line.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>

#include "scfe/error.h"
#include "scfe/file.h"
#include "scfe/text.h"

namespace scfe::app {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t from = text.find_first_not_of(" \t\r");
  return from == std::string::npos ? "" : text.substr(from, text.find_last_not_of(" \t\r") - from + 1);
}

// Splits at spaces, except within quotes of either kind.
std::vector<std::string> words_of(const std::string& field, const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  bool inside = false;
  for (const char c : text) {
    const bool is_space = c == ' ' || c == '\t';
    if (quote != 0 && c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
      inside = true;
    } else if (quote == 0 && is_space) {
      if (inside) words.push_back(std::exchange(word, ""));
      inside = false;
    } else {
      word += c;
      inside = true;
    }
  }
  if (quote != 0) throw Error(field, std::string("a closing ") + quote, "'" + text + "'");
  if (inside) words.push_back(word);
  return words;
}

enum class Takes { value, values, choice_of_two, nothing };

struct Known {
  std::string name;
  Takes takes;
};

std::vector<Known> known_flags(std::span<const Flag> flags) {
  std::vector<Known> known;
  for (const Flag& flag : flags)
    known.push_back({std::string(flag.name.substr(0, flag.name.find(','))), flag.value.empty()
                                                                                ? Takes::nothing
                                                                            : flag.repeats ? Takes::values
                                                                                           : Takes::value});
  for (const OptionRow& row : option_catalogue())
    known.push_back(
        {std::string(row.name), row.type == OptionType::flag ? Takes::choice_of_two : Takes::value});
  return known;
}

const Known& flag_named(const std::string& field, const std::string& word, const std::vector<Known>& known) {
  const auto found = std::ranges::find_if(known, [&](const Known& each) { return "--" + each.name == word; });
  if (found != known.end()) return *found;
  std::vector<std::string> names;
  for (const Known& each : known) names.push_back("--" + each.name);
  throw unknown_name(field, "flag", word, names);
}

Arguments arguments_in(const std::string& field, std::vector<std::string> words,
                       const std::vector<Known>& known) {
  Arguments arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with("--")) throw Error(field, "a flag", "'" + words[i] + "'");
    const std::size_t equals = words[i].find('=');
    const Known& flag = flag_named(field, words[i].substr(0, equals), known);
    std::optional<std::string> value;
    if (equals != std::string::npos) value = words[i].substr(equals + 1);
    const bool next = i + 1 < words.size();
    const bool answered = next && (words[i + 1] == "true" || words[i + 1] == "false");
    if (!value && flag.takes == Takes::choice_of_two) value = answered ? words[++i] : "true";
    if (!value && flag.takes == Takes::nothing) value = "true";
    if (!value && next) value = words[++i];
    if (!value) throw Error(field + ": --" + flag.name, "a value", "nothing");
    std::vector<std::string>& values = arguments.flags[flag.name];
    values.push_back(*value);
    if (values.size() > 1 && flag.takes != Takes::values)
      throw Error(field + ": --" + flag.name, "one value", "'" + values[0] + "' and '" + values[1] + "'");
  }
  return arguments;
}

}  // namespace

RunLine parse_run(const std::string& line, std::span<const Flag> flags) {
  const std::string text = trimmed(line);
  const std::size_t colon = text.starts_with("--") ? std::string::npos : text.find(':');
  if (!text.starts_with("--") && (colon == std::string::npos || colon == 0))
    throw Error("--run", "'NAME: --flag value ...' or '--flag value ...'", "'" + text + "'");
  const std::string name = colon == std::string::npos ? text : trimmed(text.substr(0, colon));
  const std::string field = "--run '" + name + "'";
  const std::string rest = colon == std::string::npos ? text : text.substr(colon + 1);
  return {name, arguments_in(field, words_of(field, rest), known_flags(flags))};
}

std::vector<RunLine> read_runs(const std::string& path, std::span<const Flag> flags) {
  std::vector<RunLine> runs;
  std::istringstream file(read_file(path));
  for (std::string line; std::getline(file, line);) {
    const std::string text = trimmed(line);
    if (!text.empty() && text.front() != '#') runs.push_back(parse_run(text, flags));
  }
  if (runs.empty()) throw Error(path, "a line for each run", "none");
  return runs;
}

std::string shell_word(const std::string& word) {
  const auto is_plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("-_./=:,%+@").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace scfe::app
