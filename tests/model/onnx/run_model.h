// Runs a model on rows of features: scores and gradients as plain vectors.
#pragma once

#include <vector>

#include "scfe/model.h"

namespace scfe::test {

using Rows = std::vector<std::vector<float>>;

inline Block to_block(const Rows& rows, std::size_t features) {
  Block block(features, rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t f = 0; f < features; ++f) block[f][r] = rows[r].at(f);
  return block;
}

inline Rows to_rows(const Block& block) {
  Rows rows(block.lanes(), std::vector<float>(block.features()));
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t f = 0; f < block.features(); ++f) rows[r][f] = block[f][r];
  return rows;
}

struct Run {
  Rows scores, gradient;
};

// The gradient of seed·scores; without seeds, of the sum of the scores.
inline Run run_model(const Model& model, const Rows& rows, const Rows& seeds = {}) {
  const Block x = to_block(rows, model.features());
  Block scores(model.scores(), rows.size()), gradient(model.features(), rows.size());
  const auto tape = model.tape(rows.size());
  model.forward(x, scores, *tape);
  const Block seed = to_block(
      seeds.empty() ? Rows(rows.size(), std::vector<float>(model.scores(), 1.0F)) : seeds, model.scores());
  model.backward(seed, gradient, *tape);
  return {to_rows(scores), to_rows(gradient)};
}

}  // namespace scfe::test
