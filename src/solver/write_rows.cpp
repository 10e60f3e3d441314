#include "solver/write_rows.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace scfe {
namespace {

constexpr std::size_t block_rows = 64;

struct Attempt {
  double stretch;  // of w
  bool outward;    // round away from the factual, or to the nearest
};
constexpr std::array attempts = {Attempt{1, false},   Attempt{1, true},    Attempt{1.001, true},
                                 Attempt{1.01, true}, Attempt{1.05, true}, Attempt{1.2, true}};

std::vector<double> written(const WriteJob& job, const Instance& instance, const std::vector<double>& w,
                            const Attempt& attempt) {
  std::vector<double> row = instance.original;
  for (std::size_t j = 0; j < w.size(); ++j) {
    if (w[j] == 0) continue;
    const double move = std::clamp(w[j] * attempt.stretch, instance.lo[j], instance.hi[j]);
    const double x = job.wished.scaling.to_original(j, instance.factual[j] + move);
    double value =
        attempt.outward ? job.writing.neighbour(j, x, w[j] < 0 ? -1 : 1) : job.writing.nearest(j, x);
    const auto inside = [&](double candidate) {
      const double to = job.wished.scaling.to_work(j, candidate) - instance.factual[j];
      return to >= instance.lo[j] - 1e-12 && to <= instance.hi[j] + 1e-12;
    };
    if (!inside(value)) value = job.writing.step[j] > 0 ? job.writing.neighbour(j, x, w[j] < 0 ? 1 : -1) : x;
    if (inside(value)) row[j] = value;
  }
  return row;
}

}  // namespace

void write_rows(const WriteJob& job, std::span<const Instance> instances, std::span<const ApgFound> points,
                std::span<Found> found) {
  Terms terms(job.wished, block_rows);
  const std::size_t d = terms.features();
  Block u(d, block_rows), x(d, block_rows), anchors(d, block_rows);
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < instances.size(); ++i) {
    found[i].gradients = points[i].gradients;
    found[i].timed_out = points[i].timed_out;
    found[i].x = instances[i].original;
    if (points[i].valid) open.push_back(i);
  }
  for (const Attempt& attempt : attempts) {
    std::vector<std::size_t> failed;
    for (std::size_t first = 0; first < open.size(); first += block_rows) {
      const std::size_t count = std::min(block_rows, open.size() - first);
      std::vector<std::vector<double>> rows(count);
      for (Block* block : {&u, &x, &anchors}) block->set_lanes(count);
      for (std::size_t lane = 0; lane < count; ++lane) {
        const Instance& instance = instances[open[first + lane]];
        rows[lane] = written(job, instance, points[open[first + lane]].w, attempt);
        for (std::size_t j = 0; j < d; ++j) {
          x[j][lane] = static_cast<float>(rows[lane][j]);
          u[j][lane] = static_cast<float>(job.wished.scaling.to_work(j, rows[lane][j]));
          anchors[j][lane] = instance.anchor[j];
        }
      }
      terms.evaluate(u, x, anchors, {0, true, false});
      for (std::size_t lane = 0; lane < count; ++lane) {
        const std::size_t i = open[first + lane];
        const float margin = terms.margins()[0][lane], log_density = terms.log_density()[lane];
        const bool meets_floor = !instances[i].floor || log_density >= *instances[i].floor;
        if (margin < job.margin || (points[i].meets_floor && !meets_floor)) {
          failed.push_back(i);
          if (margin < job.margin || found[i].status == Status::below_floor) continue;
        }
        found[i].status = meets_floor ? Status::valid : Status::below_floor;
        found[i].x = rows[lane];
        found[i].margin = margin;
        found[i].log_density = log_density;
      }
    }
    open = std::move(failed);
  }
}

}  // namespace scfe
