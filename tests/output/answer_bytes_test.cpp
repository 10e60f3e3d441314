// An answer that a report stores for a later run is read back unchanged.
#include "output/answer_bytes.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "scfe/error.h"

namespace scfe::app {
namespace {

TEST(AnswerBytes, come_back_as_they_were) {
  Answer answer;
  answer.name = "row 7";
  answer.explanation.status = Status::valid;
  answer.explanation.certificate = "within 1.2 %";
  answer.explanation.lower_bound = 0.25;
  answer.explanation.stable_margin = 0.5;
  answer.explanation.changes = {{3, 1, 2, 0.5}};
  answer.explanation.rooms = {{4, 0.75}};
  answer.group = "own";
  answer.explanation.reasons = {"no counterfactual was found", "limits that block: a, b"};
  answer.explanation.blocking = {"a, b"};
  answer.explanation.stability = StabilityProof::bounded;
  answer.explanation.proof = Proof::within_bound;
  answer.explanation.hints = {
      {.kind = Hint::Kind::upper, .value = 2, .l2 = 1, .reached = 7, .text = "possible"}};
  std::string bytes;
  append_answer(bytes, answer);
  std::string_view left = bytes;
  const Answer again = take_answer(left, "answer");
  EXPECT_TRUE(left.empty());
  EXPECT_EQ(again.name, answer.name);
  EXPECT_EQ(again.explanation.certificate, answer.explanation.certificate);
  EXPECT_EQ(again.explanation.lower_bound, answer.explanation.lower_bound);
  EXPECT_EQ(again.explanation.stable_margin, answer.explanation.stable_margin);
  EXPECT_EQ(again.explanation.changes[0].room, 0.5);
  EXPECT_EQ(again.explanation.hints[0].reached, 7);
  EXPECT_EQ(again.explanation.rooms[0].feature, 4U);
  EXPECT_EQ(again.explanation.rooms[0].room, 0.75);
  EXPECT_EQ(again.explanation.stability, StabilityProof::bounded);
  EXPECT_EQ(again.explanation.proof, Proof::within_bound);
  EXPECT_EQ(again.group, "own");
  EXPECT_EQ(again.explanation.reason(), answer.explanation.reason());
  EXPECT_EQ(again.explanation.reasons, answer.explanation.reasons);
  EXPECT_EQ(again.explanation.blocking, answer.explanation.blocking);
}

// Zeros take no bytes, and -0, NaN and the largest numbers are not zeros.
TEST(AnswerBytes, keep_the_bits_of_numbers) {
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinite = std::numeric_limits<double>::infinity();
  Answer answer;
  answer.row = std::numeric_limits<std::size_t>::max() / 2;
  answer.rank = 3;
  answer.first = false;
  answer.probability_before = -0.0;
  answer.changed = {0, 7, 300};
  answer.explanation.predicted = -1;
  answer.explanation.target = std::numeric_limits<int>::min();
  answer.explanation.quantile = 0;  // 1 in a new answer
  answer.explanation.margin = nan;
  answer.explanation.l2 = std::numeric_limits<double>::denorm_min();
  answer.explanation.counterfactual = {0, 0, -0.0, nan, infinite, 0, 0, 0, 0, 1e300, 0};
  answer.explanation.gradients = 12345;
  answer.explanation.knee = true;
  std::string bytes;
  append_answer(bytes, answer);
  EXPECT_LT(bytes.size(), 110U);
  std::string_view left = bytes;
  const Answer again = take_answer(left, "answer");
  EXPECT_TRUE(left.empty());
  const auto same = [](double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; };
  EXPECT_EQ(again.row, answer.row);
  EXPECT_EQ(again.rank, 3U);
  EXPECT_FALSE(again.first);
  EXPECT_EQ(again.changed, answer.changed);
  EXPECT_EQ(again.explanation.predicted, -1);
  EXPECT_EQ(again.explanation.target, std::numeric_limits<int>::min());
  EXPECT_EQ(again.explanation.gradients, 12345U);
  EXPECT_TRUE(again.explanation.knee);
  EXPECT_TRUE(same(again.probability_before, -0.0));
  EXPECT_TRUE(same(again.explanation.quantile, 0));
  EXPECT_TRUE(same(again.explanation.margin, nan));
  EXPECT_TRUE(same(again.explanation.l2, answer.explanation.l2));
  ASSERT_EQ(again.explanation.counterfactual.size(), 11U);
  for (std::size_t i = 0; i < 11; ++i)
    EXPECT_TRUE(same(again.explanation.counterfactual[i], answer.explanation.counterfactual[i])) << i;
}

TEST(AnswerBytes, that_are_cut_off_are_an_error) {
  Answer answer;
  answer.from = {"a", "b"};
  answer.explanation.counterfactual = {1, 0, 2};
  std::string bytes;
  append_answer(bytes, answer);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    std::string_view left = std::string_view(bytes).substr(0, size);
    EXPECT_THROW(take_answer(left, "answer"), Error) << size;
  }
}

}  // namespace
}  // namespace scfe::app
