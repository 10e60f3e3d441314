#include "solver/write_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

namespace scfe {
namespace {

constexpr std::size_t block_rows = 64;

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

struct Checked {
  float margin, log_density;
  bool meets_floor;
};

// Rows as the model will read them, a block at a time.
class Checker {
 public:
  explicit Checker(const WriteJob& job)
      : job_(job),
        terms_(job.wished, block_rows),
        u_(terms_.columns(), block_rows),
        x_(job.wished.space.inputs(), block_rows),
        anchors_(terms_.columns(), block_rows),
        row_(job.wished.space) {}

  // rows[k] is a version of instances[which[k]].
  std::vector<Checked> check(std::span<const Instance> instances, std::span<const std::size_t> which,
                             const std::vector<std::vector<double>>& rows) {
    std::vector<Checked> checked;
    for (std::size_t first = 0; first < which.size(); first += block_rows) {
      const std::size_t count = std::min(block_rows, which.size() - first);
      for (Block* block : {&u_, &x_, &anchors_}) block->set_lanes(count);
      for (std::size_t lane = 0; lane < count; ++lane)
        load(lane, instances[which[first + lane]], rows[first + lane]);
      terms_.evaluate(u_, x_, anchors_, {0, true, false});
      for (std::size_t lane = 0; lane < count; ++lane) {
        const std::optional<double>& floor = instances[which[first + lane]].floor;
        const float log_density = terms_.log_density()[lane];
        checked.push_back({terms_.margins()[0][lane], log_density, !floor || log_density >= *floor});
      }
    }
    return checked;
  }

 private:
  void load(std::size_t lane, const Instance& instance, const std::vector<double>& row) {
    row_.set(job_.wished.space, row);
    terms_.set_values(lane, row);
    for (std::size_t i = 0; i < row_.inputs.size(); ++i) x_[i][lane] = row_.inputs[i];
    for (std::size_t j = 0; j < row_.columns.size(); ++j) {
      u_[j][lane] = row_.columns[j];
      anchors_[j][lane] = instance.anchor[j];
    }
  }

  const WriteJob& job_;
  Terms terms_;
  Block u_, x_, anchors_;
  Row row_;
};

void record(Found& found, Status status, const std::vector<double>& row, const Checked& checked) {
  found.status = status;
  found.values = row;
  found.margin = checked.margin;
  found.log_density = checked.log_density;
}

}  // namespace

void write_rows(const WriteJob& job, std::span<const Instance> instances, std::span<const ApgFound> points,
                std::span<Found> found) {
  Checker checker(job);
  std::vector<std::size_t> open(instances.size());
  std::iota(open.begin(), open.end(), std::size_t{0});
  std::vector<std::vector<double>> rows;
  for (const Instance& instance : instances) rows.push_back(instance.values);
  std::vector<Checked> checked = checker.check(instances, open, rows);
  open.clear();
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
    for (const std::size_t i : open) rows.push_back(written(job, instances[i], points[i].w, attempt));
    checked = checker.check(instances, open, rows);
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
