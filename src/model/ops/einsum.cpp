// Einsum: each operand is permuted to (batch, own, summed), both are multiplied as matrices, and the result
// is permuted to the requested order. A letter repeated within one operand takes its diagonal.
#include <algorithm>
#include <map>

#include "model/ops/axes.h"
#include "model/ops/index.h"
#include "model/ops/lower.h"
#include "model/ops/sparse.h"

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

struct Labelled {
  Value value;
  std::string letters;  // one per axis
};

bool has(const std::string& letters, char letter) { return letters.find(letter) != std::string::npos; }

// Takes the diagonal for each repeated letter.
Labelled distinct(Builder& build, Labelled x) {
  for (std::size_t j = x.letters.size(); j-- > 1;) {
    const std::size_t i = x.letters.find(x.letters[j]);
    if (i == j) continue;
    Shape shape = x.value.shape;
    shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(j));
    const Index strides = strides_of(x.value.shape);
    std::vector<std::uint32_t> rows;
    for_each_index(shape, [&](const Index& index) {
      std::size_t flat = index[i] * strides[j];
      for (std::size_t k = 0; k < index.size(); ++k) flat += index[k] * strides[k < j ? k : k + 1];
      rows.push_back(static_cast<std::uint32_t>(flat));
    });
    x.value = select(build, x.value, rows, shape);
    x.letters.erase(j, 1);
  }
  return x;
}

Labelled sum_out(Builder& build, Labelled x, const std::string& keep) {
  Axes axes{std::vector<bool>(x.letters.size(), false), false};
  std::string kept;
  for (std::size_t i = 0; i < x.letters.size(); ++i) {
    axes.reduced[i] = !has(keep, x.letters[i]);
    if (!axes.reduced[i]) kept += x.letters[i];
  }
  if (kept.size() == x.letters.size()) return x;
  return {reduce_sum(build, x.value, axes), kept};
}

Labelled permute(Builder& build, const Labelled& x, const std::string& order) {
  std::vector<std::size_t> permutation;
  for (const char letter : order) permutation.push_back(x.letters.find(letter));
  return {transpose(build, x.value, permutation), order};
}

Labelled multiply(Site& site, const Labelled& a, const Labelled& b, const std::string& keep) {
  std::map<char, std::int64_t> size;
  for (const Labelled* x : {&a, &b})
    for (std::size_t i = 0; i < x->letters.size(); ++i) {
      const auto [known, added] = size.emplace(x->letters[i], x->value.shape[i]);
      if (!added && known->second != x->value.shape[i])
        site.fail("one size for each letter", std::string(1, x->letters[i]));
    }
  std::string batch, left, right, summed;
  for (const char letter : a.letters)
    (!has(b.letters, letter) ? left : has(keep, letter) ? batch : summed) += letter;
  for (const char letter : b.letters)
    if (!has(a.letters, letter)) right += letter;
  const auto total = [&](const std::string& letters) {
    std::int64_t product = 1;
    for (const char letter : letters) product *= size[letter];
    return product;
  };
  Builder& build = site.build;
  const Value x =
      build.view(permute(build, a, batch + left + summed).value, {total(batch), total(left), total(summed)});
  const Value y = build.view(permute(build, b, batch + summed + right).value,
                             {total(batch), total(summed), total(right)});
  Shape shape;
  for (const char letter : batch + left + right) shape.push_back(size[letter]);
  return {build.view(matmul(build, x, y, label(site.node())), shape), batch + left + right};
}

// "ab,bc->ac" gives the letters of each operand, then of the result. Digits name the axes of an ellipsis.
std::vector<std::string> parse(const Site& site) {
  std::string equation = site.text("equation", "");
  std::erase(equation, ' ');
  const std::size_t arrow = equation.find("->");
  std::vector<std::string> parts(1);
  for (const char letter : equation.substr(0, arrow))
    if (letter == ',')
      parts.emplace_back();
    else
      parts.back().push_back(letter);
  // Limits the letters per part to the size of the alphabet, because later work is quadratic in their number.
  constexpr std::size_t alphabet = 52, dots_too = 3;
  for (const std::string& part : parts)
    if (part.size() > alphabet + dots_too)
      site.fail("at most " + std::to_string(alphabet) + " letters for an operand",
                std::to_string(part.size()));
  if (arrow != std::string::npos && equation.size() - arrow > 2 + alphabet + dots_too)
    site.fail("at most " + std::to_string(alphabet) + " letters for the result",
              std::to_string(equation.size() - arrow - 2));
  if (parts.size() != site.inputs()) site.fail("letters for each operand", "'" + equation + "'");
  std::string wide;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t dots = parts[i].find("..."), rank = site.in(i).shape.size();
    if (dots == std::string::npos) continue;
    if (parts[i].size() - 3 > rank) site.fail("as many letters as axes", "'" + equation + "'");
    std::string extra;
    for (std::size_t k = 0; k < rank + 3 - parts[i].size(); ++k) extra += static_cast<char>('0' + k);
    if (!wide.empty() && extra != wide) site.fail("ellipses of one rank", "'" + equation + "'");
    wide = extra;
    parts[i].replace(dots, 3, extra);
  }
  std::string result;
  if (arrow != std::string::npos) {
    result = equation.substr(arrow + 2);
    const std::size_t dots = result.find("...");
    if (dots != std::string::npos) result.replace(dots, 3, wide);
  } else {
    std::map<char, std::size_t> count;
    for (const std::string& part : parts)
      for (const char letter : part) ++count[letter];
    result = wide;
    for (const auto& [letter, times] : count)
      if (times == 1 && !has(wide, letter)) result += letter;
  }
  parts.push_back(result);
  return parts;
}

// For each operand: the letters of all later operands and of the result, each once.
std::vector<std::string> later_letters(const std::vector<std::string>& parts) {
  std::vector<std::string> later(parts.size());
  for (std::size_t i = parts.size() - 1; i-- > 0;) {
    later[i] = later[i + 1];
    for (const char letter : parts[i + 1])
      if (!has(later[i], letter)) later[i] += letter;
  }
  return later;
}

}  // namespace

void lower_einsum(Site& site) {
  const std::vector<std::string> parts = parse(site);
  const std::string& result = parts.back();
  const std::vector<std::string> after = later_letters(parts);
  Labelled total;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    if (parts[i].size() != site.in(i).shape.size())
      site.fail("as many letters as axes", "'" + parts[i] + "'");
    const Labelled x =
        sum_out(site.build, distinct(site.build, {site.in(i), parts[i]}), after[i] + total.letters);
    total = i == 0 ? x : multiply(site, total, x, after[i]);
  }
  total = sum_out(site.build, total, result);
  std::string sorted_result = result, sorted_total = total.letters;
  std::sort(sorted_result.begin(), sorted_result.end());
  std::sort(sorted_total.begin(), sorted_total.end());
  if (sorted_result != sorted_total) site.fail("a result made of the operands' letters", "'" + result + "'");
  site.out(0, permute(site.build, total, result).value);
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
