#include "dependency/exclusions.h"

#include <algorithm>

namespace scfe {
namespace {

// Counts of rows by the cells of two columns, summed over all cells before: any run of cells is looked up.
// Place 0 is empty, place 1 holds what is left out; rows with a missing cell are not counted.
class CellCounts {
 public:
  CellCounts(const CellColumn& a, const CellColumn& b)
      : width_(b.cells.size() + 2), sum_((a.cells.size() + 2) * width_) {
    for (std::size_t i = 0; i < a.code.size(); ++i)
      if (a.is_missing[i] == 0 && b.is_missing[i] == 0) ++at(place_of(a.code[i]), place_of(b.code[i]));
    for (std::size_t i = 1; i < a.cells.size() + 2; ++i)
      for (std::size_t j = 1; j < width_; ++j) at(i, j) += at(i - 1, j) + at(i, j - 1) - at(i - 1, j - 1);
    last_a_ = a.cells.size() + 1;
    last_b_ = width_ - 1;
  }
  std::size_t rows() const { return at(last_a_, last_b_); }
  std::size_t of_a(const Event& a) const { return at(a.last + 2, last_b_) - at(a.first + 1, last_b_); }
  std::size_t of_b(const Event& b) const { return at(last_a_, b.last + 2) - at(last_a_, b.first + 1); }
  std::size_t together(const Event& a, const Event& b) const {
    return at(a.last + 2, b.last + 2) + at(a.first + 1, b.first + 1) - at(a.first + 1, b.last + 2) -
           at(a.last + 2, b.first + 1);
  }

 private:
  static std::size_t place_of(int code) {  // -1: left out
    const int place = code + 2;
    return static_cast<std::size_t>(place);
  }
  std::size_t& at(std::size_t i, std::size_t j) { return sum_[i * width_ + j]; }
  std::size_t at(std::size_t i, std::size_t j) const { return sum_[i * width_ + j]; }
  std::size_t width_, last_a_ = 0, last_b_ = 0;
  std::vector<std::size_t> sum_;
};

}  // namespace

Exclusions exclusions_between(const CellColumn& a, const CellColumn& b, const Chance& chance) {
  Exclusions exclusions;
  const CellCounts counts(a, b);
  const std::size_t rows = counts.rows();
  for (const Event& one : a.events)
    for (const Event& other : b.events) {
      const bool tail = one.kind == Event::Kind::tail || other.kind == Event::Kind::tail;
      const bool level = one.kind == Event::Kind::level || other.kind == Event::Kind::level;
      if (tail && !level) continue;
      const std::size_t of_one = counts.of_a(one), of_other = counts.of_b(other);
      const double expected =
          rows == 0 ? 0
                    : static_cast<double>(of_one) * static_cast<double>(of_other) / static_cast<double>(rows);
      if (expected < least_expected) continue;
      ++exclusions.tests;
      const std::size_t together = counts.together(one, other);
      if (static_cast<double>(together) > (tail ? 0 : most_exceptions * expected)) continue;
      exclusions.found.push_back(
          {one, other, together, rows, expected, chance.of_so_few(rows, of_one, of_other, together)});
    }
  return exclusions;
}

std::vector<Exclusion> largest_of(std::vector<Exclusion> found) {
  std::vector<Exclusion> largest;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto within = [&](const Exclusion& other) {
      return &other != &found[i] && other.a.contains(found[i].a) && other.b.contains(found[i].b);
    };
    if (std::ranges::none_of(found, within)) largest.push_back(found[i]);
  }
  return largest;
}

}  // namespace scfe
