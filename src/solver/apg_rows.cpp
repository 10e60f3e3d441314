#include "solver/apg_rows.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>

namespace scfe {
namespace {

constexpr std::size_t block_rows = 64;

// All that one thread needs, made once; takes rows from `next` on until there are no more.
class Worker {
 public:
  Worker(const ApgJob& job, std::span<const Instance> instances, std::span<ApgFound> found, std::size_t lanes)
      : job_(job),
        instances_(instances),
        found_(found),
        columns_(job.wished.space.columns()),
        terms_(job.wished, lanes),
        objective_(terms_, job.weights),
        apg_(columns_, lanes, job.options),
        box_{Block(columns_, lanes), Block(columns_, lanes)},
        row_(lanes) {}

  void run(std::atomic<std::size_t>& next) {
    std::size_t lanes = 0;
    for (; lanes < row_.size(); ++lanes)
      if ((row_[lanes] = next++) >= instances_.size()) break;
    if (lanes == 0) return;
    objective_.set_lanes(lanes);
    box_.lo.set_lanes(lanes);
    box_.hi.set_lanes(lanes);
    if (std::ranges::any_of(instances_, [](const Instance& row) { return row.floor.has_value(); }))
      floor_.resize(lanes);
    for (std::size_t lane = 0; lane < lanes; ++lane) load(lane);

    ApgHooks hooks;
    if (job_.deadline != Lanes::Clock::time_point::max())
      hooks.should_stop = [&] { return Lanes::Clock::now() >= job_.deadline; };
    hooks.refill = [&](std::size_t lane) {
      unload(lane, true);
      if ((row_[lane] = next++) >= instances_.size()) return false;
      load(lane);
      return true;
    };
    if (apg_.solve({objective_, job_.prox, box_, floor_}, hooks)) return;
    for (std::size_t lane = 0; lane < lanes; ++lane)
      if (row_[lane] < instances_.size()) unload(lane, false);
  }

 private:
  void load(std::size_t lane) {
    const Instance& row = instances_[row_[lane]];
    factual_.assign(row.factual.begin(), row.factual.end());
    objective_.set_factual(lane, factual_);
    for (std::size_t j = 0; j < columns_; ++j) {
      box_.lo[j][lane] = static_cast<float>(row.lo[j]);
      box_.hi[j][lane] = static_cast<float>(row.hi[j]);
    }
    if (!floor_.empty())
      floor_[lane] = row.floor ? static_cast<float>(*row.floor) : std::numeric_limits<float>::lowest();
  }

  void unload(std::size_t lane, bool finished) {
    const Kept& kept = apg_.best()[lane];
    ApgFound& found = found_[row_[lane]];
    found.valid = kept.valid;
    found.meets_floor = kept.valid && (floor_.empty() || kept.meets_floor);
    found.finite = apg_.count(lane).finite;
    found.timed_out = !finished;
    found.gradients = static_cast<std::size_t>(apg_.count(lane).gradients);
    if (!kept.valid) return;
    for (std::size_t j = 0; j < columns_; ++j) found.w[j] = apg_.best().w()[j][lane];
  }

  const ApgJob& job_;
  std::span<const Instance> instances_;
  std::span<ApgFound> found_;
  std::size_t columns_;
  Terms terms_;
  Objective objective_;
  Apg apg_;
  Box box_;
  std::vector<std::size_t> row_;  // of each lane
  std::vector<float> floor_, factual_;
};

}  // namespace

void apg_rows(const ApgJob& job, std::span<const Instance> instances, std::span<ApgFound> found, Pool& pool) {
  for (ApgFound& row : found) {  // what stands where the time is up before a row's turn
    row = {};
    row.timed_out = true;
    row.w.assign(job.wished.space.columns(), 0.0);
  }
  // A block each to begin with, no thread without; then a row whenever a lane is free.
  const std::size_t share = (instances.size() + pool.threads() - 1) / pool.threads();
  const std::size_t lanes = std::min(block_rows, padded(std::max<std::size_t>(share, 1)));
  std::atomic<std::size_t> next = 0;
  pool.run([&](std::size_t) { Worker(job, instances, found, lanes).run(next); });
}

}  // namespace scfe
