// Which pair of features to change, against a search that polishes every pair.
#include <gtest/gtest.h>

#include <algorithm>

#include "scfe/bundle.h"
#include "tests/data/scratch.h"

namespace scfe {
namespace {

// The best swap has to be seen from where it begins: around the best state alone these pairs are not among
// those that look worth a polish.
TEST(SearchPairs, the_closest_is_found_although_the_way_there_is_long) {
  const Encoder encoder(read_schema(test::data_file("wdbc.schema.json")));
  const Encoded table = encoder.encode_labelled(read_csv(test::data_file("wdbc.csv")));
  Options options;
  options.max_changes = 2;
  options.fewest_first = false;
  options.hints = false;
  options.threads = 1;
  const Explainer explainer(open_model(read_model_file(test::data_file("models/wdbc.onnx"))),
                            {table.inputs, table.labels, encoder.features()}, options);
  const std::size_t chosen[] = {54, 193, 362, 394, 530};
  Matrix rows(std::size(chosen), table.inputs.cols);
  for (std::size_t i = 0; i < std::size(chosen); ++i)
    std::ranges::copy(table.inputs[chosen[i]], rows[i].begin());
  Options every_pair = options;
  every_pair.beam = every_pair.screen = static_cast<int>(rows.cols);

  const std::vector<Explanation> found = explainer.explain(rows, options);
  const std::vector<Explanation> closest = explainer.explain(rows, every_pair);
  for (std::size_t i = 0; i < found.size(); ++i) {
    SCOPED_TRACE(chosen[i]);
    ASSERT_EQ(found[i].status, Status::valid);
    ASSERT_EQ(closest[i].status, Status::valid);
    EXPECT_LE(found[i].l2, 1.01 * closest[i].l2);
    EXPECT_LT(found[i].gradients, closest[i].gradients);
  }
}

}  // namespace
}  // namespace scfe
