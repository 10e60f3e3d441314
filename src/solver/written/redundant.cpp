#include "solver/written/redundant.h"

#include <algorithm>
#include <atomic>
#include <optional>

#include "solver/written/row_check.h"

namespace scfe {
namespace {

// For each change of the row: the row without that change, the dearest change first.
std::vector<std::vector<double>> fewer_changes(const Space& space, const Row& asked,
                                               std::span<const double> values) {
  const std::vector<int> support = space.changed(asked.values, values);
  if (support.size() < 2) return {};
  std::vector<std::size_t> changed(support.begin(), support.end());
  const auto cost = [&](std::size_t f) { return space.cost(f, asked.values[f], values[f]); };
  std::ranges::stable_sort(changed, std::greater{}, cost);
  std::vector<std::vector<double>> rows;
  for (const std::size_t f : changed) {
    std::vector<double>& row = rows.emplace_back(values.begin(), values.end());
    row[f] = asked.values[f];
    if (asked.links != nullptr) asked.links->complete(row);
  }
  return rows;
}

// True for answers without a proof.
bool is_open(const Found& found) {
  return (found.status == Status::valid || found.status == Status::below_floor) && !found.proven;
}

}  // namespace

RedundancyCheck::RedundancyCheck(const Query& query) : query_(query) {}
RedundancyCheck::~RedundancyCheck() = default;

std::unique_ptr<RowCheck> RedundancyCheck::take() {
  constexpr std::size_t few = 16;
  const std::scoped_lock guard(lock_);
  if (idle_.empty()) return std::make_unique<RowCheck>(query_, few);
  std::unique_ptr<RowCheck> check = std::move(idle_.back());
  idle_.pop_back();
  return check;
}

bool RedundancyCheck::operator()(const Row& asked, std::span<const double> values) {
  const std::vector<std::vector<double>> rows = fewer_changes(query_.fitted.space, asked, values);
  if (rows.empty()) return false;
  const std::vector<const Row*> of(rows.size(), &asked);
  std::unique_ptr<RowCheck> check = take();
  const std::vector<Checked> checked = (*check)(of, rows);
  {
    const std::scoped_lock guard(lock_);
    idle_.push_back(std::move(check));
  }
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (checked[k].margin >= asked.required && checked[k].meets_floor && asked.keeps_rules(rows[k]) &&
        (!asked.demand.allows || asked.demand.allows(rows[k])))
      return true;
  return false;
}

namespace {

// Checks some rows together; those that lost a change are checked again.
void drop_in(const Query& query, std::span<const Row> asked_rows, std::span<Found> found,
             std::vector<std::size_t> open, RowCheck& check) {
  while (!open.empty()) {
    if (is_past(query.deadline)) {
      for (const std::size_t i : open) found[i].timed_out = true;
      return;
    }
    std::vector<std::vector<double>> rows;
    std::vector<const Row*> of;
    std::vector<std::size_t> owner;
    for (const std::size_t i : open)
      for (std::vector<double>& row : fewer_changes(query.fitted.space, asked_rows[i], found[i].values)) {
        rows.push_back(std::move(row));
        of.push_back(&asked_rows[i]);
        owner.push_back(i);
      }
    const std::vector<Checked> checked = check(of, rows);
    open.clear();
    for (std::size_t k = 0; k < rows.size(); ++k) {
      Found& answer = found[owner[k]];
      const bool plausible = answer.status == Status::valid ? checked[k].meets_floor
                                                            : checked[k].log_density >= answer.log_density;
      if ((!open.empty() && open.back() == owner[k]) || !plausible ||
          !(checked[k].margin >= of[k]->required) || of[k]->rejects(rows[k]))
        continue;
      answer.values = std::move(rows[k]);
      answer.margin = checked[k].margin;
      answer.log_density = checked[k].log_density;
      if (checked[k].meets_floor) answer.status = Status::valid;
      std::erase_if(answer.support, [&](int f) {
        const auto place = static_cast<std::size_t>(f);
        return answer.values[place] == of[k]->values[place];
      });
      open.push_back(owner[k]);
    }
  }
}

}  // namespace

void drop_redundant(const Query& query, std::span<const Row> asked_rows, std::span<Found> found) {
  constexpr std::size_t rows_at_once = 16;
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (is_open(found[i]) && query.fitted.space.changes(asked_rows[i].values, found[i].values) > 1)
      open.push_back(i);
  std::atomic<std::size_t> next = 0;
  const auto work = [&](std::size_t) {
    std::optional<RowCheck> check;
    for (std::size_t first = next.fetch_add(rows_at_once); first < open.size();
         first = next.fetch_add(rows_at_once)) {
      if (!check) check.emplace(query);
      const auto begin = open.begin() + static_cast<std::ptrdiff_t>(first);
      const auto count = static_cast<std::ptrdiff_t>(std::min(rows_at_once, open.size() - first));
      drop_in(query, asked_rows, found, {begin, begin + count}, *check);
    }
  };
  if (open.size() > rows_at_once)
    query.pool.run(work);
  else
    work(0);
}

}  // namespace scfe
