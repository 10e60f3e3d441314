#include "ask/grouping.h"

#include <algorithm>
#include <cctype>

#include "scfe/error.h"
#include "scfe/text.h"

namespace scfe::app {
namespace {

// A column whose levels suggest that it was meant: for "sex" one with a level that begins with "female".
std::string likely_column(const Schema& schema, const std::string& by) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto begins_with = [&](std::string level, const std::string& word) {  // as a whole word
    for (char& c : level) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return level.starts_with(word) && (level.size() == word.size() || !letter(level[word.size()]));
  };
  std::vector<std::string> words = {by};
  if (by == "sex" || by == "gender") words = {"female", "male", "woman", "man"};
  for (const Column& column : schema.columns)
    for (const std::string& level : column.feature.levels)
      if (std::ranges::any_of(words, [&](const std::string& word) { return begins_with(level, word); }))
        return column.feature.name + "' (" + join(column.feature.levels, ", ") + ")";
  return {};
}

}  // namespace

std::size_t group_column(const Question& question, const Table& rows) {
  if (!question.options.target.is_class() && question.options.reach.empty())
    throw Error("--target", "the class that people wish for", "nothing");
  try {
    return rows.column(question.by);
  } catch (const Error&) {
    const std::string likely = likely_column(question.bundle.encoder.schema(), question.by);
    if (likely.empty() || !nearest_name(question.by, rows.columns).empty()) throw;
    throw Error("--by: no column '" + question.by + "': did you mean '" + likely + "?");
  }
}

}  // namespace scfe::app
