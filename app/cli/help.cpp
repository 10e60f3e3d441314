#include "cli/help.h"

#include <algorithm>
#include <array>
#include <utility>

#include "scfe/options.h"

namespace scfe::cli {
namespace {

constexpr std::size_t left_width = 27, line_width = 96;

// Words of `text` behind `left`, broken so that no line is too long.
std::string entry(const std::string& left, const std::string& text) {
  std::string lines, line = "  " + left;
  if (line.size() + 1 > left_width) lines += std::exchange(line, "") + "\n";
  line.resize(left_width, ' ');
  bool first = true;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find(' ', from), text.size());
    if (line.size() + 1 + (end - from) > line_width) {
      lines += line + "\n";
      line.assign(left_width, ' ');
      first = true;
    }
    if (!std::exchange(first, false)) line += ' ';
    line += text.substr(from, end - from);
    from = end + 1;
  }
  return lines + line + "\n";
}

std::string words_of(const Flag& flag) {
  const std::size_t comma = flag.name.find(',');
  const std::string word = "--" + std::string(flag.name.substr(0, comma));
  const std::string value = flag.value.empty() ? "" : " " + std::string(flag.value);
  return (comma == std::string_view::npos ? "" : "-" + std::string(flag.name.substr(comma + 1)) + ", ") +
         word + value;
}

// "hinge or probability" -> "hinge|probability".
std::string choices(std::string_view expected) {
  std::string text;
  for (std::size_t at = 0; at < expected.size(); ++at) {
    const bool last = expected.substr(at).starts_with(" or "), comma = expected.substr(at).starts_with(", ");
    text += last || comma ? '|' : expected[at];
    at += last ? 3 : comma ? 1 : 0;
  }
  return text;
}

std::string value_of(const OptionRow& row) {
  for (const auto& [name, value] : {std::pair<std::string_view, std::string_view>{"target", "CLASS|any"},
                                    {"plausible", "SHARE|none"},
                                    {"probability", "SHARE"},
                                    {"robust", "SHARE"},
                                    {"time-limit", "SECONDS"}})
    if (row.name == name) return std::string(value);
  if (std::holds_alternative<bool Options::*>(row.member)) return "true|false";
  if (!std::holds_alternative<std::string Options::*>(row.member)) return "N";
  const std::string names = choices(row.expected);
  return names.size() <= 22 ? names : "NAME";
}

std::string option_entry(const OptionRow& row) {
  const std::string value = value_of(row);
  std::string text(row.help);
  if (value == "NAME") text += " (" + choices(row.expected) + ")";
  return entry("--" + std::string(row.name) + " " + value, text + " [" + option_text({}, row) + "]");
}

// The catalogue is in the order of its groups; each begins with one option.
std::string_view group_from(std::string_view option, std::string_view current) {
  if (option == "space") return group::fitted;
  if (option == "target") return group::wished;
  return option == "method" ? group::search : current;
}

std::string group_text(const Verb& verb, std::string_view name) {
  std::string text;
  for (const Flag& flag : verb.flags)
    if (flag.group == name) text += entry(words_of(flag), std::string(flag.help));
  std::string_view current;
  for (const OptionRow& row : option_catalogue()) {
    current = group_from(row.name, current);
    if (verb.options && current == name) text += option_entry(row);
  }
  return text.empty() ? "" : "\n" + std::string(name) + "\n" + text;
}

}  // namespace

std::string verb_help(const Verb& verb) {
  const std::string name = "scfe " + std::string(verb.name), flags = " [flags]\n";
  const bool fits = std::ranges::any_of(verb.flags, [](const Flag& flag) { return flag.name == "model"; });
  constexpr std::string_view bundle = "E.scfe ";
  std::string text = std::string(verb.help) + ".\n\nUsage: " + name + " " + std::string(verb.files) + flags;
  if (fits && verb.files.starts_with(bundle))
    text += "       " + name + " --model M.onnx --data train.csv --label COLUMN " +
            std::string(verb.files.substr(bundle.size())) + flags;
  if (!verb.note.empty()) text += "\n" + entry("", std::string(verb.note)).substr(left_width);
  for (const std::string_view name_of_group :
       {group::wished, group::limits, group::output, group::fit, group::fitted, group::search})
    text += group_text(verb, name_of_group);
  if (verb.options) text += "\nIn brackets: the default. Every option is explained in docs/options.md.\n";
  return text;
}

std::string program_help(std::span<const Verb> verbs) {
  std::string text =
      "Counterfactual explanations: the smallest realistic change that would have turned a model's "
      "decision.\n\nUsage: scfe VERB [files] [flags]\n\n";
  for (const Verb& verb : verbs) text += entry(std::string(verb.name), std::string(verb.help));
  return text +
         "\n  scfe VERB --help           its flags\n  scfe --version\n\n"
         "Exit status: 0 every row has an answer; 1 some rows have none; 2 an error.\n";
}

}  // namespace scfe::cli
