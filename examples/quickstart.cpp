#include <scfe/scfe.h>

#include <cstdio>

int main() {
  const scfe::Encoder encoder(scfe::read_schema("data/wine.schema.json"));
  const scfe::Encoded wine = encoder.encode_labelled(scfe::read_csv("data/wine.csv"));
  const scfe::Explainer explainer(scfe::read_onnx("data/models/wine.onnx"),
                                  {wine.inputs, wine.labels, encoder.features()});

  const scfe::Explanation e = explainer.explain_one(wine.inputs[0]);
  for (const scfe::FeatureChange& change : e.changes)
    std::printf("%s: %g -> %g\n", explainer.features()[change.feature].name.c_str(), change.from, change.to);
  std::printf("class %d -> %d, as typical as %.0f %% of it\n", e.predicted, e.target, 100 * e.quantile);
}
