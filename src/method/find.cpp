#include "method/find.h"

#include "method/catalogue.h"
#include "method/certify_rows.h"
#include "plan/catalogue.h"
#include "solver/written/redundant.h"

namespace scfe {

std::vector<Found> find(const Query& query, std::span<const Row> rows) {
  std::vector<Found> found(rows.size());
  const MethodRow& method = find_method(query.options.method);
  method.solve(query, rows, found);
  if (method.ours && is_pruned(query.options)) drop_redundant(query, rows, found);
  if (query.options.certify) certify_rows(query, rows, found);
  return found;
}

}  // namespace scfe
