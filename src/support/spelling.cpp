#include <algorithm>
#include <cctype>

#include "scfe/text.h"
#include "support/text.h"

namespace scfe {
namespace {

std::string small_letters(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return small;
}

std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before, last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = last;
    last = row;
  }
  return last[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
  constexpr std::size_t longest = 200;  // longer names are not compared; only files contain them
  if (name.size() > longest) return {};
  const std::string given = small_letters(name);
  std::string nearest;
  std::size_t least = std::max<std::size_t>(given.size(), 3) / 3 + 1;
  for (const std::string& candidate : known) {
    if (candidate.size() > longest || candidate.size() < 2) continue;
    const std::size_t changes = distance(given, small_letters(candidate));
    if (changes >= least || changes >= candidate.size()) continue;
    least = changes;
    nearest = candidate;
  }
  return nearest;
}

Error unknown_name(const std::string& field, std::string_view kind, std::string_view name,
                   const std::vector<std::string>& known) {
  const std::string got = "'" + std::string(name) + "'", nearest = nearest_name(name, known);
  const std::string what(kind);
  if (nearest.empty()) return {field.empty() ? what : field, "one of " + join(known, ", "), got};
  return Error((field.empty() ? "" : field + ": ") + "unknown " + what + " " + got + ": did you mean '" +
               nearest + "'?");
}

}  // namespace scfe
