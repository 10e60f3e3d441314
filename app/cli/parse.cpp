// Parses the command line into Arguments, using CLI11.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <list>

#include "cli/help.h"
#include "cli/verb.h"
#include "scfe/error.h"
#include "scfe/options.h"
#include "scfe/text.h"
#include "scfe/version.h"

namespace scfe::app {
namespace {

struct Slot {
  std::string name;
  std::vector<std::string> values;
  bool repeats = false, flag = false;
};

std::string words_of(std::string_view name) {
  const std::size_t comma = name.find(',');
  const std::string word = "--" + std::string(name.substr(0, comma));
  return comma == std::string_view::npos ? word : "-" + std::string(name.substr(comma + 1)) + "," + word;
}

void add_flag(CLI::App& app, const Flag& flag, std::list<Slot>& slots) {
  Slot& slot = slots.emplace_back();
  slot.name = std::string(flag.name.substr(0, flag.name.find(',')));
  if (flag.value.empty()) {
    app.add_flag(words_of(flag.name), slot.flag);
    return;
  }
  slot.repeats = flag.repeats;
  app.add_option(words_of(flag.name), slot.values)->allow_extra_args(false);
}

// The options of the catalogue as flags. Two of them have further spellings: see question.cpp.
void add_options(CLI::App& app, std::list<Slot>& slots) {
  for (const OptionRow& row : option_catalogue()) {
    Slot& slot = slots.emplace_back();
    slot.name = row.name;
    app.add_option("--" + std::string(row.name), slot.values)->allow_extra_args(false);
  }
}

// A boolean option needs no value: --path means --path true.
std::vector<std::string> with_yes(int count, const char* const* words) {
  std::vector<std::string> all(words + 1, words + count), full;
  for (std::size_t i = 0; i < all.size(); ++i) {
    full.push_back(all[i]);
    const bool switches = std::ranges::any_of(option_catalogue(), [&](const OptionRow& row) {
      return row.type == OptionType::flag && all[i] == "--" + std::string(row.name);
    });
    const bool answered = i + 1 < all.size() && (all[i + 1] == "true" || all[i + 1] == "false");
    if (switches && !answered) full.emplace_back("true");
  }
  std::ranges::reverse(full);  // the order in which CLI11 takes them
  return full;
}

std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\r') c = ' ';
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

struct Sub {
  const Verb* verb;
  CLI::App* app;
  std::list<Slot> slots;
  std::vector<std::string> files;
};

// For an unknown word: throws Error with the flag or verb that was probably meant.
void suggest(int count, const char* const* words, std::span<const Verb> verbs) {
  std::vector<std::string> names;
  for (const Verb& verb : verbs) names.emplace_back(verb.name);
  if (count < 2 || words[1][0] == '-') return;
  const auto verb = std::ranges::find(verbs, std::string_view(words[1]), &Verb::name);
  if (verb == verbs.end()) throw unknown_name("", "verb", words[1], names);
  std::vector<std::string> flags = {"--help", "--help-all"};
  for (const Flag& flag : verb->flags)
    flags.push_back("--" + std::string(flag.name.substr(0, flag.name.find(','))));
  if (verb->options)
    for (const OptionRow& row : option_catalogue()) flags.push_back("--" + std::string(row.name));
  for (int i = 2; i < count; ++i) {
    const std::string word(words[i]), flag = word.substr(0, word.find('='));
    if (!flag.starts_with("--") || flag == "--" || std::ranges::find(flags, flag) != flags.end()) continue;
    const std::string nearest = nearest_name(flag, flags), field = "scfe " + std::string(verb->name);
    if (nearest.empty())
      throw Error(field, "a flag of its own (see scfe " + std::string(verb->name) + " --help)",
                  "'" + flag + "'");
    throw unknown_name(field, "flag", flag, flags);
  }
}

Arguments collect(const Sub& sub) {
  Arguments arguments;
  for (const std::string& file : sub.files) {
    if (file.empty()) throw Error("files", "the name of a file", "''");
    arguments.files.push_back(file == "-" ? "/dev/stdin" : file);
  }
  for (const Slot& slot : sub.slots) {
    if (slot.values.size() > 1 && !slot.repeats)
      throw Error("--" + slot.name, "one value", "'" + slot.values[0] + "' and '" + slot.values[1] + "'");
    if (slot.flag) arguments.flags[slot.name] = {"true"};
    if (!slot.values.empty()) arguments.flags[slot.name] = slot.values;
    if (slot.name == "data" && slot.values == std::vector<std::string>{"-"})
      arguments.flags[slot.name] = {"/dev/stdin"};
  }
  const bool data = arguments.has("data") && arguments.text("data") == "/dev/stdin";
  if (std::ranges::count(arguments.files, "/dev/stdin") + (data ? 1 : 0) > 1)
    throw Error("-", "one file from standard input", data ? "--data and rows" : "two");
  return arguments;
}

}  // namespace

Parsed parse(int count, const char* const* words, std::span<const Verb> verbs) {
  CLI::App app{"", "scfe"};
  app.set_help_all_flag("--help-all", "every flag");
  app.set_version_flag("--version", "scfe " + std::string(version()));
  app.require_subcommand(0, 1);
  std::list<Sub> subs;
  for (const Verb& verb : verbs) {
    Sub& sub = subs.emplace_back(Sub{&verb, nullptr, {}, {}});
    sub.app = app.add_subcommand(std::string(verb.name));
    sub.app->formatter_fn([&verb](const CLI::App*, const std::string&, CLI::AppFormatMode mode) {
      return verb_help(verb, mode == CLI::AppFormatMode::All);
    });
    sub.app->add_option("files", sub.files);
    for (const Flag& flag : verb.flags) add_flag(*sub.app, flag, sub.slots);
    if (verb.options) add_options(*sub.app, sub.slots);
  }
  app.formatter_fn(
      [verbs](const CLI::App*, const std::string&, CLI::AppFormatMode) { return program_help(verbs); });
  try {
    app.parse(with_yes(count, words));
  } catch (const CLI::Success& done) {
    return {nullptr, {}, app.exit(done)};
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string what = error.what();
    throw Error(what.substr(0, what.find(':')), "a value", "nothing");
  } catch (const CLI::ParseError& error) {
    suggest(count, words, verbs);
    throw Error(one_line(error.what()) + " (see scfe --help)");
  }
  for (const Sub& sub : subs)
    if (sub.app->parsed()) return {sub.verb, collect(sub), 0};
  std::cout << app.help();
  return {nullptr, {}, failed};
}

}  // namespace scfe::app
