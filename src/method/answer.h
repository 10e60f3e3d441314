// From points to answers, the same way for every method: rounded to what each column can hold, inside the
// limits, checked as the model will read them, and judged by the density that was fitted.
#pragma once

#include <span>
#include <vector>

#include "plan/solve.h"
#include "solver/apg/rows.h"

namespace scfe {

// The compared methods know no floor: an answer below it is still one, and is called so.
void write_answers(const Problem& problem, std::span<const ApgFound> points, std::span<Found> found);

// The rows without what only our own search knows: a floor.
std::vector<Instance> without_floor(std::span<const Instance> instances);

// Margins of whole rows as written, a block at a time.
class Judge {
 public:
  explicit Judge(const Wished& wished);
  // The smallest margin of each row, given by its values.
  std::vector<float> margins(std::span<const std::vector<double>> rows);

 private:
  Terms terms_;
  Block u_, x_, anchors_;
  Row row_;
};

}  // namespace scfe
