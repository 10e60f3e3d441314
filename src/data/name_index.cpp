#include "data/name_index.h"

#include <cctype>

namespace scfe {
namespace {

std::string plain(std::string name) {
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

std::string letters_and_digits(std::string name) {
  std::erase_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
  return name;
}

std::array<std::string, 3> spelled(const std::string& name) {
  return {name, plain(name), letters_and_digits(name)};
}

}  // namespace

NameIndex::NameIndex(const Schema& schema, const std::vector<std::string>& inputs, bool levels) {
  for (std::size_t c = 0; c < schema.columns.size(); ++c) {
    const Feature& feature = schema.columns[c].feature;
    if (!levels || !feature.is_one_hot()) add(feature.name, {c, {}});
    if (!levels || feature.encoding != Encoding::one_hot || feature.kind == Kind::ordinal) continue;
    for (const std::string& level : feature.levels)
      for (const char* between : {"_", "="}) add(feature.name + between + level, {c, level});
  }
  std::set<std::string> seen;
  for (const std::string& input : inputs)
    if (!seen.insert(letters_and_digits(input)).second) shared_.back().insert(letters_and_digits(input));
}

// If a name occurs twice, the first one keeps it: a level may have the name of another column.
void NameIndex::add(const std::string& name, const Part& part) {
  const auto names = spelled(name);
  for (std::size_t s = 0; s < spellings; ++s) {
    const auto [at, is_new] = parts_[s].try_emplace(names[s], part);
    if (s > 0 && !is_new && at->second != part) shared_[s].insert(names[s]);
  }
}

const Part* NameIndex::find(const std::string& name) const {
  const auto names = spelled(name);
  for (std::size_t s = 0; s < spellings; ++s) {
    const auto at = parts_[s].find(names[s]);
    if (at != parts_[s].end() && !names[s].empty() && !shared_[s].contains(names[s])) return &at->second;
  }
  return nullptr;
}

}  // namespace scfe
