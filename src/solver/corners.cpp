#include "solver/corners.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "support/random.h"

namespace scfe {
namespace {

constexpr std::size_t steps = 300;
constexpr std::size_t climbs = 16;  // lanes of one row
constexpr std::array rates = {0.02, 0.03, 0.05, 0.08, 0.12, 0.2, 0.3, 0.5};
constexpr double noisy = 0.16;  // of the largest slope, in every second climb

struct Corner {
  float margin;
  std::vector<int> support;
  std::vector<double> w;  // of the support
};

// One row; its climbs are the lanes.
class Climb {
 public:
  Climb(const CornersJob& job, const Instance& row)
      : job_(job),
        row_(row),
        columns_(job.wished.space.columns()),
        terms_(job.wished, climbs),
        u_(columns_, climbs),
        anchors_(columns_, climbs),
        slope_(climbs, std::vector<double>(columns_)),
        ends_(columns_),
        gain_(columns_),
        order_(columns_) {
    u_.set_lanes(climbs);
    anchors_.set_lanes(climbs);
    for (std::size_t climb = 0; climb < climbs; ++climb) random_.emplace_back(climb);
    for (std::size_t j = 0; j < columns_; ++j) std::fill_n(u_[j], climbs, static_cast<float>(row.factual[j]));
  }

  ApgFound run() {
    ApgFound found;
    found.w.assign(columns_, 0.0);
    std::vector<Corner> now(climbs);
    for (std::size_t step = 0; step < steps && !found.timed_out; ++step) {
      terms_.evaluate(u_, anchors_, {1, false, false});
      found.gradients += climbs;
      for (std::size_t climb = 0; climb < climbs; ++climb) {
        now[climb].margin = terms_.margins()[0][climb];
        if (step > 0) keep(now[climb]);
        smooth(climb);
        now[climb] = go_to_corner(climb);
      }
      found.timed_out = is_past(job_.deadline);
    }
    if (!kept_.empty()) shorten(found);
    for (Corner& corner : kept_) found.supports.push_back(std::move(corner.support));
    return found;
  }

 private:
  // Along the way to the best corner, at climbs places.
  void shorten(ApgFound& found) {
    const Corner& best = kept_.front();
    const auto part = [](std::size_t place) { return static_cast<double>(place + 1) / climbs; };
    for (std::size_t j = 0; j < columns_; ++j)
      std::fill_n(u_[j], climbs, static_cast<float>(row_.factual[j]));
    for (std::size_t k = 0; k < best.w.size(); ++k) {
      const auto j = static_cast<std::size_t>(best.support[k]);
      for (std::size_t place = 0; place < climbs; ++place)
        u_[j][place] = static_cast<float>(row_.factual[j] + part(place) * best.w[k]);
    }
    terms_.evaluate(u_, anchors_, {0, false, false});
    const float* margin = terms_.margins()[0];
    std::size_t place = 0;
    while (place < climbs && !(margin[place] >= job_.required + row_.extra_margin)) ++place;
    if (place == climbs) return;
    found.valid = found.meets_floor = true;
    for (std::size_t k = 0; k < best.w.size(); ++k)
      found.w[static_cast<std::size_t>(best.support[k])] = part(place) * best.w[k];
  }

  void smooth(std::size_t climb) {
    const Block& gradient = terms_.margin_gradient(0);
    double largest = 0;
    for (std::size_t j = 0; j < columns_; ++j)
      largest = std::max(largest, std::abs(double{gradient[j][climb]}));
    const double rate = rates[climb / 2], noise = climb % 2 == 0 ? 0 : noisy * largest;
    for (std::size_t j = 0; j < columns_; ++j) {
      const double shake = noise > 0 ? noise * (2 * random_[climb].uniform() - 1) : 0;
      slope_[climb][j] += rate * (gradient[j][climb] + shake - slope_[climb][j]);
    }
  }

  Corner go_to_corner(std::size_t climb) {
    for (std::size_t j = 0; j < columns_; ++j) {
      const double slope = slope_[climb][j];
      ends_[j] = slope > 0 ? row_.hi[j] : row_.lo[j];
      gain_[j] = slope * ends_[j];
      u_[j][climb] = static_cast<float>(row_.factual[j]);
    }
    std::iota(order_.begin(), order_.end(), 0);
    const std::size_t m = std::min(job_.max_changes, columns_);
    std::partial_sort(
        order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(m), order_.end(), [&](int a, int b) {
          const double x = gain_[static_cast<std::size_t>(a)], y = gain_[static_cast<std::size_t>(b)];
          return x != y ? x > y : a < b;
        });
    Corner corner{};
    for (std::size_t k = 0; k < m; ++k)
      if (gain_[static_cast<std::size_t>(order_[k])] > 0) corner.support.push_back(order_[k]);
    std::ranges::sort(corner.support);
    for (const int column : corner.support) {
      const auto j = static_cast<std::size_t>(column);
      corner.w.push_back(ends_[j]);
      u_[j][climb] = static_cast<float>(row_.factual[j] + ends_[j]);
    }
    return corner;
  }

  void keep(const Corner& corner) {
    if (!std::isfinite(corner.margin) || corner.support.empty()) return;
    if (kept_.size() == job_.keep && corner.margin <= kept_.back().margin) return;
    const auto same = std::ranges::find(kept_, corner.support, &Corner::support);
    if (same != kept_.end()) {
      if (corner.margin <= same->margin) return;
      kept_.erase(same);
    }
    const auto place = std::ranges::upper_bound(kept_, corner.margin, std::greater<>(), &Corner::margin);
    kept_.insert(place, corner);
    if (kept_.size() > job_.keep) kept_.pop_back();
  }

  const CornersJob& job_;
  const Instance& row_;
  std::size_t columns_;
  Terms terms_;
  Block u_, anchors_;
  std::vector<std::vector<double>> slope_;
  std::vector<double> ends_, gain_;
  std::vector<int> order_;
  std::vector<Random> random_;
  std::vector<Corner> kept_;
};

}  // namespace

std::vector<ApgFound> climb_corners(const CornersJob& job, std::span<const Instance> instances, Pool& pool) {
  std::vector<ApgFound> found(instances.size());
  pool.each(instances.size(), [&](std::size_t i) { found[i] = Climb(job, instances[i]).run(); });
  return found;
}

}  // namespace scfe
