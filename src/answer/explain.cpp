#include "answer/explain.h"

#include "answer/hints.h"
#include "answer/lists.h"
#include "method/catalogue.h"

namespace scfe {

void explain_rows(const Query& query, const TableRows& rows, std::span<std::vector<Explanation>> lists) {
  answer_lists(query, rows, lists);
  if (query.options.hints && query.options.sparsity == SparsityKind::top_m &&
      find_method(query.options.method).ours)
    add_hints(query, rows, lists);
}

}  // namespace scfe
