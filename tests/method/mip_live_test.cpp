// The compared method mip-live: against the certificate, its list of polytopes, and its variant with LOF.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "actionability/scaling.h"
#include "method/mip.h"
#include "method/pieces.h"
#include "scfe/diagnostics.h"
#include "tests/helper/clouds.h"

namespace scfe {
namespace {

using test::first_rows;
using test::labelled_by;
using test::random_network;

// The least distance of sampled points that are valid, have one of the patterns, and change at most m
// features.
double nearest_sample(const Pieces& pieces, const std::set<Pattern>& patterns,
                      std::span<const double> factual, int m) {
  test::Uniform random(5);
  double best = INFINITY;
  for (int k = 0; k < 4000; ++k) {
    std::vector<double> u(factual.begin(), factual.end());
    double square = 0;
    for (int c = 0; c < m; ++c) {
      const auto j = static_cast<std::size_t>(random.integer(0, static_cast<int>(u.size()) - 1));
      u[j] = random.unit();
    }
    for (std::size_t j = 0; j < u.size(); ++j) square += (u[j] - factual[j]) * (u[j] - factual[j]);
    if (square >= best || pieces.smallest_margin(u) < 2e-4 || !patterns.contains(pattern_at(pieces, u)))
      continue;
    best = square;
  }
  return std::sqrt(best);
}

// The patterns of the rows nearest to the factual.
std::set<Pattern> nearest_patterns(const Pieces& pieces, const Matrix& rows, std::span<const double> factual,
                                   std::size_t most) {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    double square = 0;
    for (std::size_t j = 0; j < rows.cols; ++j)
      square += (rows[i][j] - factual[j]) * (rows[i][j] - factual[j]);
    order.emplace_back(square, i);
  }
  std::sort(order.begin(), order.end());
  std::set<Pattern> patterns;
  for (const auto& [distance, i] : order) {
    if (patterns.size() == most) break;
    patterns.insert(pattern_at(pieces, rows[i]));
  }
  return patterns;
}

// Never better than the certified optimum, never worse than the best sample from its list of polytopes.
TEST(MipLive, lies_between_the_certificate_and_its_list) {
  const auto model = random_network(5, 1, 81);
  const Training training = labelled_by(*model, 150, 82);
  const Explainer explainer(model, training);
  const Space space{min_max_scaling(training.rows)};
  const Matrix factuals = first_rows(training.rows, 20),
               work = Diagnostics(explainer).to_work_space(factuals);
  for (const int m : {1, 2, 3}) {
    Options options;
    options.method = Method::mip_live;
    options.max_changes = m;
    options.certify = true;
    options.fewest_first = false;
    const auto answers = explainer.explain(factuals, options);
    int found = 0, sampled = 0;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const Explanation& e = answers[i];
      const Pieces pieces(*model, space, e.target);
      const std::set<Pattern> patterns =
          nearest_patterns(pieces, Diagnostics(explainer).class_rows(e.target), work[i], 5);
      const double sample = nearest_sample(pieces, patterns, work[i], m);
      sampled += std::isfinite(sample);
      if (!e.found()) {
        EXPECT_EQ(sample, INFINITY) << i;
        continue;
      }
      ++found;
      EXPECT_LE(e.changes.size(), static_cast<std::size_t>(m));
      EXPECT_GE(e.l2, e.lower_bound * (1 - 1e-9)) << i;
      EXPECT_LE(e.l2, sample + 1e-6) << i;
      std::vector<double> answer(5);
      for (std::size_t j = 0; j < 5; ++j) answer[j] = space.to_work(j, e.counterfactual[j]);
      EXPECT_GE(pieces.smallest_margin(answer), 0);
    }
    EXPECT_GT(found, m == 1 ? 1 : 8);
    EXPECT_GT(sampled, 0);
  }
}

TEST(MipLive, without_a_limit_is_no_farther_than_the_nearest_row_of_its_list) {
  const auto model = random_network(5, 1, 81);
  const Training training = labelled_by(*model, 150, 82);
  const Explainer explainer(model, training);
  const Matrix factuals = first_rows(training.rows, 25),
               work = Diagnostics(explainer).to_work_space(factuals);
  for (const Norm norm : {Norm::l1, Norm::l2}) {
    Options options;
    options.method = Method::mip_live;
    options.sparsity = SparsityKind::none;
    options.norm = norm;
    options.polytopes = 1;
    const auto answers = explainer.explain(factuals, options);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      ASSERT_TRUE(answers[i].found()) << i;
      const Matrix rows = Diagnostics(explainer).class_rows(answers[i].target);
      double nearest = INFINITY, l1 = 0;
      for (std::size_t k = 0; k < rows.rows; ++k) {
        double square = 0, sum = 0;
        for (std::size_t j = 0; j < 5; ++j) {
          square += (rows[k][j] - work[i][j]) * (rows[k][j] - work[i][j]);
          sum += std::abs(rows[k][j] - work[i][j]);
        }
        if (square >= nearest) continue;
        nearest = square;
        l1 = sum;
      }
      if (norm == Norm::l2) EXPECT_LE(answers[i].l2, std::sqrt(nearest) + 1e-6) << i;
      if (norm == Norm::l1) EXPECT_LE(answers[i].l1, l1 + 1e-6) << i;
    }
  }
}

// If the closest point of the list is not valid once it is written, the next closest is taken.
TEST(MipLive, loses_no_answer_to_more_polytopes) {
  for (const std::uint64_t seed : {83, 84, 85}) {
    const auto model = random_network(5, 1, seed);
    Training training = labelled_by(*model, 150, seed);
    training.features.resize(5);
    for (Feature& feature : training.features) feature.step = 0.5;  // writing moves a point off its polytope
    const Explainer explainer(model, training);
    const Matrix factuals = first_rows(training.rows, 40);
    Options options;
    options.method = Method::mip_live;
    options.sparsity = SparsityKind::none;
    options.norm = Norm::l1;
    std::vector<bool> had(factuals.rows, false);
    for (const int polytopes : {1, 5, 30}) {
      options.polytopes = polytopes;
      const auto answers = explainer.explain(factuals, options);
      for (std::size_t i = 0; i < answers.size(); ++i) {
        EXPECT_TRUE(answers[i].found() || !had[i]) << seed << ' ' << polytopes << ' ' << i;
        had[i] = answers[i].found();
      }
    }
  }
}

TEST(MipLive, with_lof_stays_near_a_row) {
  const auto model = random_network(4, 1, 91);
  const Training training = labelled_by(*model, 120, 92);
  const Explainer explainer(model, training);
  const Matrix factuals = first_rows(training.rows, 12);
  Options options;
  options.method = Method::mip_live;
  options.sparsity = SparsityKind::none;
  options.lof = 1.5;
  const auto answers = explainer.explain(factuals, options);
  const auto free = explainer.explain(factuals, [&] {
    Options o = options;
    o.lof = 0;
    return o;
  }());
  int found = 0;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (!answers[i].found()) continue;
    ++found;
    Matrix written(1, 4);
    std::copy(answers[i].counterfactual.begin(), answers[i].counterfactual.end(), written[0].begin());
    const Lof lof(Diagnostics(explainer).class_rows(answers[i].target), 1);
    EXPECT_LE(lof(Diagnostics(explainer).to_work_space(written)[0]), 1.5 + 1e-4) << i;
    EXPECT_GE(answers[i].l2, free[i].l2 - 1e-6);
  }
  EXPECT_GT(found, 6);
}

}  // namespace
}  // namespace scfe
