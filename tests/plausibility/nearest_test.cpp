// nearest_of_each() gives the same bits as nearest() of each row.
#include "plausibility/index/nearest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/random.h"

namespace scfe::test {
namespace {

struct Table {
  std::size_t rows, columns;
  double offset, step;  // values are offset + multiples of step; a coarse step gives many ties
};

TEST(Nearest, of_each_is_that_of_each_row_alone) {
  Random random(3);
  for (const Table& t :
       {Table{1, 3, 0, 1e-9}, Table{2, 1, 0, 1e-9}, Table{70, 5, 0, 1e-9}, Table{300, 40, 0, 0.5},
        Table{300, 7, 1e6, 1e-9}, Table{130, 90, -5, 1e-9}, Table{90, 4, 0, 2}, Table{80, 3, 1e25, 1e20}}) {
    Matrix rows(t.rows, t.columns);
    for (double& value : rows.values)
      value = t.offset + t.step * std::round(random.uniform() / std::min(t.step, 1.0));
    for (const Metric metric : {Metric::l2, Metric::l1, Metric::linf})
      for (const std::size_t count : {0, 1, 5, 1000}) {
        const auto found = nearest_of_each(rows, count, metric);
        ASSERT_EQ(found.size(), t.rows);
        for (std::size_t i = 0; i < t.rows; ++i) {
          const auto alone = nearest(rows, rows[i], count, i, metric);
          ASSERT_EQ(found[i].size(), alone.size());
          for (std::size_t k = 0; k < alone.size(); ++k) {
            ASSERT_EQ(found[i][k].row, alone[k].row) << t.rows << ' ' << i << ' ' << k;
            ASSERT_EQ(found[i][k].distance, alone[k].distance);
          }
        }
      }
  }
}

}  // namespace
}  // namespace scfe::test
