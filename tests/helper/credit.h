// German Credit with its network, and the first rows that the network refuses.
#pragma once

#include <algorithm>
#include <vector>

#include "scfe/bundle.h"

namespace scfe::test {

struct Credit {
  Encoder encoder;
  Encoded rows;
  Explainer explainer;
  Matrix factuals;

  static Explainer fit(const Encoder& encoder, const Encoded& rows) {
    const auto model = open_model(read_model_file(SCFE_SOURCE_DIR "/data/models/german_credit.onnx"));
    return Explainer(model, {rows.inputs, rows.labels, encoder.features()});
  }
  explicit Credit(std::size_t count)
      : encoder(read_schema(SCFE_SOURCE_DIR "/data/german_credit.schema.json")),
        rows(encoder.encode_labelled(read_csv(SCFE_SOURCE_DIR "/data/german_credit.csv"))),
        explainer(fit(encoder, rows)),
        factuals(0, rows.inputs.cols) {
    const std::vector<int> predicted = explainer.predict(rows.inputs);
    for (std::size_t i = 0; i < predicted.size() && factuals.rows < count; ++i) {
      if (predicted[i] == 1) continue;
      factuals.values.insert(factuals.values.end(), rows.inputs[i].begin(), rows.inputs[i].end());
      ++factuals.rows;
    }
  }
};

inline Matrix two_rows(const std::vector<double>& a, const std::vector<double>& b) {
  Matrix rows(2, a.size());
  std::copy(a.begin(), a.end(), rows[0].begin());
  std::copy(b.begin(), b.end(), rows[1].begin());
  return rows;
}

inline Matrix one_row(std::span<const double> row) {
  Matrix rows(1, row.size());
  std::copy(row.begin(), row.end(), rows[0].begin());
  return rows;
}

}  // namespace scfe::test
