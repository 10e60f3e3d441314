// Evaluates rows as the model will read them, a block at a time: margins and log-densities.
#pragma once

#include <span>
#include <vector>

#include "query/row.h"
#include "solver/lanes.h"

namespace scfe {

struct Checked {
  float margin, log_density;
  bool meets_floor;
};

class RowCheck {
 public:
  explicit RowCheck(const Query& query, std::size_t lanes = 64);

  // rows[k] is a version of *of[k].
  std::vector<Checked> operator()(std::span<const Row* const> of,
                                  const std::vector<std::vector<double>>& rows);
  // The smallest margin of each version of one row; no densities are evaluated.
  std::vector<float> margins(const Row& of, const std::vector<std::vector<double>>& rows);

 private:
  void evaluate(std::span<const Row* const> of, std::span<const std::vector<double>> rows, bool density);
  void load(std::size_t lane, const Row& asked, const std::vector<double>& row);

  const Space& space_;
  Terms terms_;
  Block u_, x_, anchors_;
  RowForms row_;
};

}  // namespace scfe
