#include "query/query.h"

#include <utility>

#include "validity/decision.h"

namespace scfe {

Query::Query(const Fitted& f, const Options& o, int target_class, Deadline until, Pool& threads)
    : fitted(f),
      options(o),
      validity(f.model.scores(), target_spec(o, f.model, target_class)),
      target(target_class),
      deadline(std::move(until)),
      pool(threads) {
  if (has_density() && o.plausible > 0) floor = floor_at(f.density, o.plausible);
}

Query::Query(const Fitted& f, const Options& o, const Validity& v, int target_class, Pool& threads)
    : fitted(f), options(o), validity(v), target(target_class), pool(threads) {}

Query Query::with(const Options& other) const {
  Query query = *this;
  query.options = other;
  return query;
}

Query Query::with(const Fitted& other) const {
  Query query(other, options, validity, target, pool);
  query.floor = floor;
  query.answers_only = answers_only;
  query.deadline = deadline;
  return query;
}

}  // namespace scfe
