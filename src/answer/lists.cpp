#include "answer/lists.h"

#include "answer/answer.h"
#include "answer/path.h"
#include "answer/several.h"

namespace scfe {

void answer_lists(const Query& query, const TableRows& rows, std::span<std::vector<Explanation>> lists) {
  std::vector<Row> made = make_rows(query, rows, rows.index);
  Lists answers(made.size());
  if (query.options.path) {
    answers = walk_path(query, std::move(made));
  } else {
    std::vector<Explanation> first = answer_rows(query, made);
    for (std::size_t i = 0; i < first.size(); ++i) answers[i].push_back(std::move(first[i]));
    if (query.options.answers > 1) add_answers(query, std::move(made), answers);
  }
  for (std::size_t i = 0; i < answers.size(); ++i) lists[rows.index[i]] = std::move(answers[i]);
}

}  // namespace scfe
