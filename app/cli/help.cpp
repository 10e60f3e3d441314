#include "cli/help.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "scfe/options.h"

namespace scfe::app {
namespace {

constexpr std::size_t left_width = 27, line_width = 80;
constexpr std::string_view bundle = "E.scfe ";

// `line`, followed by `text` from column `left` on, wrapped so that no line is too long.
std::string wrapped(std::string line, const std::string& text, std::size_t left) {
  std::string lines;
  if (line.size() + 1 > left && left > 0) lines += std::exchange(line, "") + "\n";
  line.resize(left, ' ');
  bool first = true;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find(' ', from), text.size());
    if (line.size() + 1 + (end - from) > line_width) {
      lines += line + "\n";
      line.assign(left, ' ');
      first = true;
    }
    if (!std::exchange(first, false)) line += ' ';
    line += text.substr(from, end - from);
    from = end + 1;
  }
  return lines + line + "\n";
}

std::string entry(const std::string& left, const std::string& text) {
  return wrapped("  " + left, text, left_width);
}

std::string words_of(const Flag& flag) {
  const std::size_t comma = flag.name.find(',');
  const std::string word = "--" + std::string(flag.name.substr(0, comma));
  const std::string value = flag.value.empty() ? "" : " " + std::string(flag.value);
  return (comma == std::string_view::npos ? "" : "-" + std::string(flag.name.substr(comma + 1)) + ", ") +
         word + value;
}

std::string joined(std::span<const std::string_view> names, const std::string& separator) {
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "" : separator) + std::string(name);
  return text;
}

// A switch may stand alone, so its value is shown only where the default is true: --hints false.
std::string value_of(const OptionRow& row) {
  if (row.type == OptionType::flag) return row.default_text() == "true" ? "false" : "";
  if (row.type == OptionType::target) return "CLASS|any";
  if (row.type == OptionType::range) return "LO:HI";
  if (row.type == OptionType::numbers) return "N,N";
  if (row.type == OptionType::share) return "SHARE";
  if (row.type == OptionType::seconds) return "SECONDS";
  if (row.type != OptionType::choice) return "N";
  const std::string names = joined(row.choices(), "|");
  return names.size() <= 22 ? names : "NAME";
}

std::string option_entry(const OptionRow& row) {
  const std::string value = value_of(row), usual = row.default_text();
  std::string text(row.help);
  if (value == "NAME") text += " (" + joined(row.choices(), ", ") + ")";
  if (!usual.empty()) text += " [" + usual + "]";
  return entry("--" + std::string(row.name) + (value.empty() ? "" : " " + value), text);
}

bool is_shown(const Verb& verb, const OptionRow& row, bool all) {
  if (!verb.options) return false;
  const bool matters = !verb.fits || row.stage == Stage::fit || row.group == OptionGroup::run;
  if (!all && !verb.only.empty()) return std::ranges::find(verb.only, row.name) != verb.only.end();
  return all || (is_everyday(row.group) && matters);
}

// Where a verb takes either a fitted explainer or a model: which of the two a heading is about.
std::string_view whose(const Verb& verb, std::string_view heading) {
  if (!verb.files.starts_with(bundle)) return "";
  if (heading == group::fit) return " (in place of E.scfe)";
  return heading == name_of(OptionGroup::fitted) ? " (beside --model; E.scfe keeps its own)" : "";
}

std::string section(const Verb& verb, std::string_view heading, bool all) {
  std::string text;
  for (const Flag& flag : verb.flags)
    if (flag.group == heading) text += entry(words_of(flag), std::string(flag.help));
  for (const OptionRow& row : option_catalogue())
    if (name_of(row.group) == heading && is_shown(verb, row, all)) text += option_entry(row);
  return text.empty() ? "" : "\n" + std::string(heading) + std::string(whose(verb, heading)) + "\n" + text;
}

// The headings of a verb, in order: for a verb that needs a model, output and fitting come first.
std::vector<std::string_view> headings(const Verb& verb, bool all) {
  std::vector<std::string_view> list = {group::asked,  group::limits, name_of(OptionGroup::answers),
                                        group::output, group::fit,    group::server,
                                        group::guards};
  if (verb.files.starts_with("--model"))
    std::rotate(list.begin(), std::ranges::find(list, group::output), list.end());
  for (const OptionHeading& group : choices_of<OptionGroup>)
    if (std::ranges::find(list, group.name) == list.end() && (all || group.is_everyday))
      list.push_back(group.name);
  return list;
}

// Says how many options --help leaves out, and under which headings they are.
std::string hint(const Verb& verb) {
  std::vector<std::string_view> left_out;
  std::size_t count = 0;
  for (const OptionHeading& group : choices_of<OptionGroup>)
    for (const OptionRow& row : option_catalogue()) {
      if (row.group != group.value || is_shown(verb, row, false)) continue;
      ++count;
      if (left_out.empty() || left_out.back() != group.name) left_out.push_back(group.name);
    }
  return "\nscfe " + std::string(verb.name) + " --help-all lists " + std::to_string(count) +
         (verb.only.empty() ? " further options:\n  " : " options that have no effect here:\n  ") +
         joined(left_out, "\n  ") + "\n";
}

}  // namespace

std::string verb_help(const Verb& verb, bool all) {
  const std::string name = "scfe " + std::string(verb.name), flags = " [flags]\n";
  const bool on_the_spot =
      std::ranges::any_of(verb.flags, [](const Flag& flag) { return flag.name == "model"; });
  std::string text = wrapped("", std::string(verb.help) + ".", 0) + "\nUsage: " + name + " " +
                     std::string(verb.files) + flags;
  if (on_the_spot && verb.files.starts_with(bundle))
    text += "       " + name + " --model M.onnx --data train.csv --label COLUMN\n           " +
            std::string(verb.files.substr(bundle.size())) + flags;
  if (!verb.note.empty()) text += "\n" + wrapped("", std::string(verb.note), 0);
  for (const std::string_view heading : headings(verb, all)) text += section(verb, heading, all);
  if (verb.options)
    text += (all ? "" : hint(verb)) + "\nIn brackets: the default. docs/options.md lists every option.\n";
  return text;
}

std::string program_help(std::span<const Verb> verbs) {
  std::string text =
      "Counterfactual explanations: the smallest realistic change that would have\nturned a model's "
      "decision.\n\nUsage: scfe VERB [files] [flags]\n\n";
  for (const Verb& verb : verbs) text += entry(std::string(verb.name), std::string(verb.help));
  return text +
         "\n  scfe VERB --help         its usual flags\n  scfe VERB --help-all     every flag\n  scfe "
         "--version\n\n"
         "Exit status: 0 every row has an answer; 1 some rows have none; 2 an error.\n";
}

}  // namespace scfe::app
