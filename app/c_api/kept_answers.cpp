#include "c_api/kept_answers.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "ask/answering.h"
#include "output/answer_bytes.h"

namespace scfe::app {
namespace {

constexpr std::size_t mark_every = 64;

// x ^ y, bit by bit: 0 where they are equal. Done twice it gives x again.
double difference(double x, double y) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) ^ std::bit_cast<std::uint64_t>(y));
}

// The ends of the changes as differences from the row and from the counterfactual, or back.
void turn_changes(const Encoder& encoder, Answer& answer) {
  Explanation& e = answer.explanation;
  if (e.changes.empty()) return;
  const std::vector<double> from = encoder.values(answer.factual), to = encoder.values(e.counterfactual);
  for (FeatureChange& change : e.changes) {
    change.from = difference(change.from, from[change.feature]);
    change.to = difference(change.to, to[change.feature]);
  }
}

// The same of the counterfactual and its row. A row that was dropped has neither.
void turn_counterfactual(Answer& answer) {
  std::vector<double>& x = answer.explanation.counterfactual;
  for (std::size_t i = 0; i < std::min(x.size(), answer.factual.size()); ++i)
    x[i] = difference(x[i], answer.factual[i]);
}

}  // namespace

void KeptAnswers::add(const Encoder& encoder, std::vector<Answer> answers) {
  if (answers.empty()) return;
  Block block{size_, {}, {}};
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (i % mark_every == 0) block.marks.push_back(block.bytes.size());
    turn_changes(encoder, answers[i]);
    turn_counterfactual(answers[i]);
    answers[i].name.clear();  // the rows tell it
    append_answer(block.bytes, std::move(answers[i]));
  }
  size_ += answers.size();
  block.bytes.shrink_to_fit();
  blocks_.push_back(std::move(block));
}

std::vector<Answer> KeptAnswers::read(std::size_t first, std::size_t count) const {
  std::vector<Answer> answers;
  auto block = std::ranges::upper_bound(blocks_, first, {}, &Block::first);
  if (block != blocks_.begin()) --block;
  for (; block != blocks_.end() && answers.size() < count; ++block) {
    const std::size_t end = block + 1 == blocks_.end() ? size_ : (block + 1)->first;
    std::size_t place = std::max(first, block->first), mark = (place - block->first) / mark_every;
    std::string_view bytes = std::string_view(block->bytes).substr(block->marks[mark]);
    for (std::size_t i = block->first + mark * mark_every; i < end && answers.size() < count; ++i) {
      Answer answer = take_answer(bytes, "answers");
      if (i >= place) answers.push_back(std::move(answer));
    }
  }
  return answers;
}

AnswersPart KeptAnswers::part(const Question& question, const KeptRows& rows, std::size_t first,
                              std::size_t count) const {
  AnswersPart part;
  if (first < size_) part.answers = read(first, std::min(count, size_ - first));
  if (part.answers.empty()) {
    part.rows = rows.slice(0, 0);
    return part;
  }
  part.first_row = part.answers.front().row;
  part.rows = rows.slice(part.first_row, part.answers.back().row - part.first_row + 1);
  const Encoder& encoder = question.bundle.encoder;
  const Encoded encoded = encoder.encode(part.rows);
  for (Answer& answer : part.answers) {
    answer.row -= part.first_row;
    answer.name = name_of(part.rows, answer.row, encoder.schema().id);
    const auto place = std::ranges::lower_bound(encoded.rows, answer.row);
    if (place == encoded.rows.end() || *place != answer.row) continue;  // dropped for a missing cell
    const std::span<const double> inputs =
        encoded.inputs[static_cast<std::size_t>(place - encoded.rows.begin())];
    answer.factual.assign(inputs.begin(), inputs.end());
    answer.filled = filled_in(encoded, answer.row);
    turn_counterfactual(answer);
    turn_changes(encoder, answer);
  }
  return part;
}

}  // namespace scfe::app
