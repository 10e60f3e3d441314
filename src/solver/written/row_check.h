// Rows as the model will read them, a block at a time: their margins, and how typical they are.
#pragma once

#include <span>
#include <vector>

#include "query/instance.h"
#include "solver/lanes.h"

namespace scfe {

struct Checked {
  float margin, log_density;
  bool meets_floor;
};

class RowCheck {
 public:
  explicit RowCheck(const Wished& wished, std::size_t lanes = 64);

  // rows[k] is a version of *of[k].
  std::vector<Checked> operator()(std::span<const Instance* const> of,
                                  const std::vector<std::vector<double>>& rows);

 private:
  void load(std::size_t lane, const Instance& instance, const std::vector<double>& row);

  const Space& space_;
  Terms terms_;
  Block u_, x_, anchors_;
  Row row_;
};

}  // namespace scfe
