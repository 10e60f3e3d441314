// An answer that a report stores for a later run is read back unchanged.
#include "output/answer_bytes.h"

#include <gtest/gtest.h>

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
}

TEST(AnswerBytes, that_are_cut_off_are_an_error) {
  Answer answer;
  answer.from = {"a", "b"};
  std::string bytes;
  append_answer(bytes, answer);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    std::string_view left = std::string_view(bytes).substr(0, size);
    EXPECT_THROW(take_answer(left, "answer"), Error) << size;
  }
}

}  // namespace
}  // namespace scfe::app
