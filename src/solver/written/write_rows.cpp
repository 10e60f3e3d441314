#include "solver/written/write_rows.h"

#include <array>
#include <cmath>
#include <vector>

#include "solver/written/row_check.h"

namespace scfe {
namespace {

constexpr std::array attempts = {Landing::Attempt{1, false},    Landing::Attempt{1, true},
                                 Landing::Attempt{1.001, true}, Landing::Attempt{1.01, true},
                                 Landing::Attempt{1.05, true},  Landing::Attempt{1.2, true}};

void record(Found& found, Status status, const std::vector<double>& row, const Checked& checked) {
  found.status = status;
  found.values = row;
  found.margin = checked.margin;
  found.log_density = checked.log_density;
}

// Without an answer: keeps the point with the largest margin.
void record_nearest(const ApgFound& point, Found& found) {
  if (!(point.margin > found.margin)) return;
  found.margin = point.margin;
  for (std::size_t j = 0; j < point.w.size(); ++j) {
    if (point.w[j] == 0) continue;
    found.nearest_support.push_back(static_cast<int>(j));
    found.nearest_w.push_back(point.w[j]);
  }
}

}  // namespace

void say_why_not(const ApgFound& point, Found& found) {
  if (found.status != Status::not_found) return;
  // The probability loss is finite where the model is not.
  if (!point.finite || !std::isfinite(found.margin))
    found.status = Status::not_finite;
  else if (point.timed_out)
    found.status = Status::time_limit;
}

void write_rows(const Query& query, int most_changes, std::span<const Row> asked,
                std::span<const ApgFound> points, std::span<Found> found) {
  RowCheck check(query);
  std::vector<std::size_t> open;
  std::vector<const Row*> of;
  std::vector<std::vector<double>> rows;
  for (const Row& row : asked) {
    of.push_back(&row);
    rows.push_back(row.values);
  }
  std::vector<Checked> checked = check(of, rows);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    found[i].gradients = points[i].gradients;
    found[i].timed_out = points[i].timed_out;
    const bool already = checked[i].margin >= asked[i].required;
    record(found[i], already ? Status::already : Status::not_found, rows[i], checked[i]);
    if (!already && points[i].valid) open.push_back(i);
    if (!already && !points[i].valid) record_nearest(points[i], found[i]);
  }
  Landing landing({query.fitted.space, query.fitted.writing, most_changes});
  for (const Landing::Attempt& attempt : attempts) {
    rows.clear();
    of.clear();
    std::vector<char> lands;
    for (const std::size_t i : open) {
      lands.push_back(landing(asked[i], points[i].w, attempt));
      of.push_back(&asked[i]);
      rows.push_back(landing.row());
    }
    checked = check(of, rows);
    std::vector<std::size_t> failed;
    for (std::size_t k = 0; k < open.size(); ++k) {
      const std::size_t i = open[k];
      const bool valid = lands[k] != 0 && checked[k].margin >= asked[i].required,
                 complete = checked[k].meets_floor || !points[i].meets_floor;
      if (!valid || !complete) failed.push_back(i);
      if (!valid || (!complete && found[i].status == Status::below_floor)) continue;
      record(found[i], checked[k].meets_floor ? Status::valid : Status::below_floor, rows[k], checked[k]);
    }
    open = std::move(failed);
  }
}

}  // namespace scfe
