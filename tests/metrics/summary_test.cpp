#include <gtest/gtest.h>

#include <cmath>

#include "scfe/error.h"
#include "scfe/metrics.h"

namespace scfe {
namespace {

TEST(Change, counts_what_moved_by_more_than_its_resolution) {
  const std::vector<double> factual{1, 2, 3, 4}, answer{1, 2.05, 0, 8};
  const Change found = change(factual, answer, std::vector{0.1});
  EXPECT_DOUBLE_EQ(found.l1, 0.05 + 3 + 4);
  EXPECT_DOUBLE_EQ(found.l2, std::sqrt(0.0025 + 9 + 16));
  EXPECT_EQ(found.l0, 2U);
  EXPECT_EQ(change(factual, answer, std::vector{0.1, 0.01, 5.0, 0.1}).l0, 2U);
  EXPECT_EQ(change(factual, factual, std::vector{0.0}).l0, 0U);
  EXPECT_THROW(change(factual, std::vector<double>(3), std::vector{0.1}), Error);
  EXPECT_THROW(change(factual, answer, std::vector{0.1, 0.2}), Error);
}

AnswerMetrics answer(bool valid, double l2, double lof) {
  AnswerMetrics metrics;
  metrics.valid = valid;
  metrics.change.l2 = l2;
  metrics.lof = lof;
  metrics.seconds = l2;
  return metrics;
}

TEST(Summarise, failures_are_failures_and_never_a_distance_of_0) {
  const std::vector<AnswerMetrics> answers{answer(true, 1, 1.1), answer(false, 0, 9), answer(true, 3, NAN),
                                           answer(true, 2, 1.3)};
  const Report report = summarise(answers);
  EXPECT_EQ(report.answers, 4U);
  EXPECT_EQ(report.failures, 1U);
  EXPECT_DOUBLE_EQ(report.validity, 0.75);
  EXPECT_DOUBLE_EQ(report.l2.mean, 2);
  EXPECT_DOUBLE_EQ(report.l2.median, 2);
  EXPECT_DOUBLE_EQ(report.l2.p95, 2.9);
  EXPECT_EQ(report.l2.count, 3U);
  EXPECT_DOUBLE_EQ(report.l2.deviation, std::sqrt(2.0 / 3));
  EXPECT_DOUBLE_EQ(report.lof.mean, 1.2);
  EXPECT_EQ(report.lof.count, 2U);
  EXPECT_EQ(report.seconds.count, 4U);
  EXPECT_TRUE(std::isnan(report.log_kde.mean));
}

TEST(Summarise, counts_below_the_floor_only_where_one_was_asked) {
  std::vector<AnswerMetrics> answers(3, answer(true, 1, 1));
  EXPECT_FALSE(summarise(answers).below_floor);
  answers[0].below_floor = answers[1].below_floor = true;
  answers[1].valid = false;
  answers[2].below_floor = false;
  EXPECT_EQ(summarise(answers).below_floor, 1U);
}

TEST(Summarise, all_failed_or_none_asked_has_no_mean) {
  const Report failed = summarise(std::vector{answer(false, 0, 1)});
  EXPECT_EQ(failed.failures, 1U);
  EXPECT_EQ(failed.validity, 0);
  EXPECT_EQ(failed.l2.count, 0U);
  EXPECT_TRUE(std::isnan(failed.l2.mean));
  EXPECT_TRUE(std::isnan(summarise({}).validity));
}

}  // namespace
}  // namespace scfe
