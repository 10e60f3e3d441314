#include "solver/write_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "solver/row_check.h"

namespace scfe {
namespace {

struct Attempt {
  double stretch;  // of w
  bool outward;    // round away from the factual, or to the nearest
};
constexpr std::array attempts = {Attempt{1, false},   Attempt{1, true},    Attempt{1.001, true},
                                 Attempt{1.01, true}, Attempt{1.05, true}, Attempt{1.2, true}};

// The writable number for a move w of feature f, or the factual's own where there is none inside the limits.
double written_number(const WriteJob& job, const Instance& instance, std::size_t f, double w,
                      const Attempt& attempt) {
  const Space& space = job.wished.space;
  const std::size_t j = space.first(f);
  const double move = std::clamp(w * attempt.stretch, instance.lo[j], instance.hi[j]);
  const double x = space.to_original(j, instance.factual[j] + move);
  double value = attempt.outward ? job.writing.neighbour(f, x, w < 0 ? -1 : 1) : job.writing.nearest(f, x);
  const auto inside = [&](double candidate) {
    const double to = space.to_work(j, candidate) - instance.factual[j];
    const double dust = 1e-12 * (1 + std::abs(instance.factual[j]));
    return to >= instance.lo[j] - dust && to <= instance.hi[j] + dust;
  };
  if (!inside(value)) value = job.writing.step[f] > 0 ? job.writing.neighbour(f, x, w < 0 ? 1 : -1) : x;
  return inside(value) ? value : instance.values[f];
}

// The vertex nearest to the relaxed levels, among those that are allowed; the factual's own on a tie.
double nearest_level(const WriteJob& job, const Instance& instance, std::size_t f,
                     const std::vector<double>& w) {
  const std::size_t first = job.wished.space.first(f);
  const auto share = [&](int level) {
    const std::size_t column = first + static_cast<std::size_t>(level);
    return instance.factual[column] + w[column];
  };
  auto best = static_cast<int>(instance.values[f]);
  for (const int level : instance.levels[f])
    if (share(level) > share(best)) best = level;
  return best;
}

std::vector<double> written(const WriteJob& job, const Instance& instance, const std::vector<double>& w,
                            const Attempt& attempt) {
  const Space& space = job.wished.space;
  std::vector<double> row = instance.values;
  for (std::size_t f = 0; f < row.size(); ++f) {
    const double move = w[space.first(f)];
    if (space.is_category(f))
      row[f] = nearest_level(job, instance, f, w);
    else if (move != 0)
      row[f] = written_number(job, instance, f, move, attempt);
  }
  if (instance.links != nullptr) instance.links->complete(row);
  return row;
}

void record(Found& found, Status status, const std::vector<double>& row, const Checked& checked) {
  found.status = status;
  found.values = row;
  found.margin = checked.margin;
  found.log_density = checked.log_density;
}

}  // namespace

void write_rows(const WriteJob& job, std::span<const Instance> instances, std::span<const ApgFound> points,
                std::span<Found> found) {
  RowCheck check(job.wished);
  std::vector<std::size_t> open;
  std::vector<const Instance*> of;
  std::vector<std::vector<double>> rows;
  for (const Instance& instance : instances) {
    of.push_back(&instance);
    rows.push_back(instance.values);
  }
  std::vector<Checked> checked = check(of, rows);
  for (std::size_t i = 0; i < instances.size(); ++i) {
    found[i].gradients = points[i].gradients;
    found[i].timed_out = points[i].timed_out;
    const bool already =
        checked[i].margin >= job.margin + instances[i].extra_margin && checked[i].meets_floor;
    record(found[i], already ? Status::already : Status::not_found, rows[i], checked[i]);
    if (!already && points[i].valid) open.push_back(i);
  }
  for (const Attempt& attempt : attempts) {
    rows.clear();
    of.clear();
    for (const std::size_t i : open) {
      of.push_back(&instances[i]);
      rows.push_back(written(job, instances[i], points[i].w, attempt));
    }
    checked = check(of, rows);
    std::vector<std::size_t> failed;
    for (std::size_t k = 0; k < open.size(); ++k) {
      const std::size_t i = open[k];
      const bool valid = instances[i].admits(rows[k]) &&
                         checked[k].margin >= job.margin + instances[i].extra_margin,
                 complete = checked[k].meets_floor || !points[i].meets_floor;
      if (!valid || !complete) failed.push_back(i);
      if (!valid || (!complete && found[i].status == Status::below_floor)) continue;
      record(found[i], checked[k].meets_floor ? Status::valid : Status::below_floor, rows[k], checked[k]);
    }
    open = std::move(failed);
  }
}

}  // namespace scfe
