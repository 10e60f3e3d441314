#include "solver/apg_rows.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>

namespace scfe {
namespace {

constexpr std::size_t block_rows = 64;

// The supports that the iterates of one lane passed through, the most promising first: valid and cheap,
// else close to valid.
class Harvest {
 public:
  explicit Harvest(std::size_t keep) : keep_(keep) {}

  void visit(const Block& w, std::size_t lane, float margin, float cost) {
    support_.clear();
    for (std::size_t j = 0; j < w.features(); ++j)
      if (w[j][lane] != 0) support_.push_back(static_cast<int>(j));
    if (support_.empty() || !std::isfinite(margin)) return;
    const double rank = margin >= 0 ? cost : 1e6 - margin;
    const auto same =
        std::find_if(kept_.begin(), kept_.end(), [&](const Entry& e) { return e.support == support_; });
    if (same != kept_.end()) {
      same->rank = std::min(same->rank, rank);
    } else if (kept_.size() < keep_) {
      kept_.push_back({rank, support_});
    } else {
      const auto worst = std::max_element(kept_.begin(), kept_.end(), by_rank);
      if (rank < worst->rank) *worst = {rank, support_};
    }
  }

  std::vector<std::vector<int>> supports() {
    std::stable_sort(kept_.begin(), kept_.end(), by_rank);
    std::vector<std::vector<int>> supports;
    for (Entry& entry : kept_) supports.push_back(std::move(entry.support));
    return supports;
  }

 private:
  struct Entry {
    double rank;
    std::vector<int> support;
  };
  static bool by_rank(const Entry& a, const Entry& b) { return a.rank < b.rank; }

  std::size_t keep_;
  std::vector<Entry> kept_;
  std::vector<int> support_;
};

// All that one thread needs, made once.
struct Worker {
  Terms terms;
  Objective objective;
  Apg apg;
  Box box;
  std::vector<float> floor, factual;

  Worker(const ApgJob& job, std::size_t columns)
      : terms(job.wished, block_rows),
        objective(terms, job.weights),
        apg(columns, block_rows, job.options),
        box{Block(columns, block_rows), Block(columns, block_rows)} {}

  void load(std::span<const Instance> rows) {
    objective.set_lanes(rows.size());
    box.lo.set_lanes(rows.size());
    box.hi.set_lanes(rows.size());
    floor.clear();
    for (std::size_t lane = 0; lane < rows.size(); ++lane) {
      const Instance& row = rows[lane];
      factual.assign(row.factual.begin(), row.factual.end());
      objective.set_factual(lane, factual);
      for (std::size_t j = 0; j < factual.size(); ++j) {
        box.lo[j][lane] = static_cast<float>(row.lo[j]);
        box.hi[j][lane] = static_cast<float>(row.hi[j]);
      }
      if (row.floor) floor.push_back(static_cast<float>(*row.floor));
    }
  }

  void unload(bool finished, std::span<ApgFound> found) {
    for (std::size_t lane = 0; lane < found.size(); ++lane) {
      const Kept& kept = apg.best()[lane];
      found[lane].valid = kept.valid;
      found[lane].meets_floor = kept.valid && (floor.empty() || kept.meets_floor);
      found[lane].finite = apg.count(lane).finite;
      found[lane].timed_out = !finished;
      found[lane].gradients = static_cast<std::size_t>(apg.count(lane).gradients);
      found[lane].w.assign(box.lo.features(), 0.0);
      if (!kept.valid) continue;
      for (std::size_t j = 0; j < box.lo.features(); ++j) found[lane].w[j] = apg.best().w()[j][lane];
    }
  }
};

}  // namespace

void apg_rows(const ApgJob& job, std::span<const Instance> instances, std::span<ApgFound> found, Pool& pool) {
  const std::size_t columns = job.wished.space.columns();
  std::vector<std::unique_ptr<Worker>> workers(pool.threads());
  const std::size_t pieces = (instances.size() + block_rows - 1) / block_rows;
  std::atomic<std::size_t> next = 0;
  pool.run([&](std::size_t worker) {
    for (std::size_t piece = next++; piece < pieces; piece = next++) {
      if (!workers[worker]) workers[worker] = std::make_unique<Worker>(job, columns);
      Worker& w = *workers[worker];
      const std::size_t first = piece * block_rows, count = std::min(block_rows, instances.size() - first);
      w.load(instances.subspan(first, count));
      std::vector<Harvest> harvests(job.keep_supports > 0 ? count : 0, Harvest(job.keep_supports));
      ApgHooks hooks;
      if (!harvests.empty()) {
        hooks.observe = [&](const ApgIteration& it) {
          for (std::size_t lane = 0; lane < count; ++lane)
            if (it.active[lane])
              harvests[lane].visit(it.w, lane, w.objective.margin()[lane], w.objective.cost()[lane]);
        };
      }
      if (job.deadline != Lanes::Clock::time_point::max())
        hooks.should_stop = [&] { return Lanes::Clock::now() >= job.deadline; };
      const bool finished = w.apg.solve({w.objective, job.prox, w.box, w.floor}, hooks);
      w.unload(finished, found.subspan(first, count));
      for (std::size_t lane = 0; lane < harvests.size(); ++lane)
        found[first + lane].supports = harvests[lane].supports();
    }
  });
}

}  // namespace scfe
