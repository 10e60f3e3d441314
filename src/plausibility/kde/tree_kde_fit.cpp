// Fits the KDE of many rows: chooses the tree's effort and measures the error against the exact sum.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "plausibility/kde/tree_kde.h"
#include "support/random.h"

namespace scfe {
namespace {

constexpr std::size_t most_held_out = 2000;
constexpr std::size_t calibration_rows = 800;  // and as many others to measure the error
constexpr double target_error = 0.0175;        // mean |error| of log q on the calibration rows
constexpr double small_error = 0.003;          // asked for instead while the cost is below `cheap`
constexpr double most_terms = 40000;           // limit of rows and Gaussians read per point, on average
constexpr double cheap = 7000;                 // in the same unit
constexpr double cost_of_row = 8;              // extra cost of a row that is summed, in the same unit
constexpr float widest_share = 0.1F, narrowest_share = 1e-6F;

using Rows = std::vector<float>;

// The chosen rows in units of the bandwidths.
Rows scaled_rows(const Matrix& rows, std::span<const std::size_t> which, std::span<const double> inverse) {
  Rows scaled;
  scaled.reserve(which.size() * rows.cols);
  for (const std::size_t i : which)
    for (std::size_t j = 0; j < rows.cols; ++j) scaled.push_back(static_cast<float>(rows[i][j] * inverse[j]));
  return scaled;
}

// Exact log sum_i exp(-1/2 |y - y_i|²) at the first `count` points.
std::vector<double> exact_sums(const Rows& rows, const Rows& points, std::size_t count, std::size_t features,
                               const kernel::Kernels& kernels) {
  constexpr std::size_t chunk = 4096;  // keeps the kernel's working set in the L1 and L2 caches
  Block x(features, count);
  for (std::size_t l = 0; l < count; ++l)
    for (std::size_t j = 0; j < features; ++j) x[j][l] = points[l * features + j];
  const std::vector<float> ones(features, 1.0F), no_weights(chunk);
  std::vector<float> scratch(kernel::mixture_lanes * chunk), part(x.padded_lanes());
  std::vector<double> sums(count, -1e300);
  for (std::size_t first = 0, n = rows.size() / features; first < n; first += chunk) {
    const kernel::Mixture mixture{
        std::min(chunk, n - first), features, rows.data() + first * features, ones.data(), true,
        no_weights.data()};
    kernels.mixture(mixture, {x.data(), x.stride()}, part.data(), {}, {}, scratch.data(), x.padded_lanes());
    for (std::size_t l = 0; l < count; ++l) {
      const double more = part[l], peak = std::max(sums[l], more);
      sums[l] = peak + std::log(std::exp(sums[l] - peak) + std::exp(more - peak));
    }
  }
  return sums;
}

class Calibration {
 public:
  Calibration(const RowTree& tree, const Rows& points, std::vector<double> exact)
      : tree_(&tree), points_(&points), exact_(std::move(exact)), scratch_(tree.scratch(1)) {}

  struct Trial {
    TreeKde::Look look;
    double error = 0, terms = 0, cost = 0;
  };

  // The cheapest effort over several tilts.
  Trial choose() {
    const float level = median_estimate();
    Trial best = choose({widest_share, 1, 0, level});
    for (const float tilt : {0.25F, 0.5F}) {
      const Trial trial = choose({widest_share, 1, tilt, level});
      const bool good = trial.error <= target_error;
      if (good && (best.error > target_error || trial.cost < best.cost)) best = trial;
    }
    return best;
  }

  // The mean error on the rows that were not used for the choice.
  double measured(const TreeKde::Look& look) {
    double sum = 0;
    const std::size_t first = exact_.size() / 2;
    for (std::size_t i = first; i < exact_.size(); ++i) sum += std::abs(log_sum(i, look) - exact_[i]);
    return sum / static_cast<double>(exact_.size() - first);
  }

  double log_sum(std::size_t point, const TreeKde::Look& look) {
    return look.levelling(at(point, look.effort).log_total);
  }

 private:
  // The largest share with a small enough calibration error; else the smallest that is affordable.
  Trial choose(RowTree::Effort effort) {
    Trial best;
    for (; effort.share >= narrowest_share; effort.share *= 0.9F) {
      const Trial trial = with_best_factor(effort);
      if (effort.share < widest_share && trial.terms > most_terms) break;
      best = trial;
      if (trial.error <= (trial.cost < cheap ? small_error : target_error)) break;
    }
    return best;
  }

  float median_estimate() {
    std::vector<float> estimates;
    for (std::size_t i = 0; i < exact_.size() / 2; ++i)
      estimates.push_back(at(i, {widest_share, 1}).log_estimate);
    const auto middle = estimates.begin() + static_cast<std::ptrdiff_t>(estimates.size() / 2);
    std::ranges::nth_element(estimates, middle);
    return *middle;
  }

  RowTree::Sum at(std::size_t point, RowTree::Effort effort) {
    RowTree::Query query{points_->data() + point * tree_->features(), nullptr};
    tree_->sums({&query, 1}, effort, scratch_.data());
    return query.found;
  }

  Trial with_best_factor(RowTree::Effort effort) {
    const std::size_t count = exact_.size() / 2;
    std::vector<double> open(count), closed(count), log_sums(count);
    Trial trial{{effort, {}}, 1e300};
    for (std::size_t i = 0; i < count; ++i) {
      const RowTree::Sum sum = at(i, effort);
      open[i] = sum.log_open;
      closed[i] = sum.log_total > sum.log_open
                      ? sum.log_total + std::log1p(-std::exp(double{sum.log_open} - sum.log_total))
                      : -1e300;
      trial.terms += static_cast<double>(sum.looked_at) / static_cast<double>(count);
      trial.cost += (static_cast<double>(sum.looked_at) + cost_of_row * static_cast<double>(sum.summed)) /
                    static_cast<double>(count);
    }
    constexpr int steps = 25;
    constexpr double most_factor = 2;
    for (int step = 0; step <= steps; ++step) {
      const double factor = most_factor * step / steps;
      for (std::size_t i = 0; i < count; ++i)
        log_sums[i] = step == 0 ? open[i] : log_of_both(open[i], closed[i] + std::log(factor));
      const Levelling levelling = level(log_sums, {exact_.data(), count});
      double error = 0;
      for (std::size_t i = 0; i < count; ++i)
        error += std::abs(double{levelling(static_cast<float>(log_sums[i]))} - exact_[i]);
      if (error / static_cast<double>(count) >= trial.error) continue;
      trial.error = error / static_cast<double>(count);
      trial.look = {effort, levelling};
      trial.look.effort.closed = static_cast<float>(factor);
    }
    return trial;
  }

  static double log_of_both(double a, double b) {
    return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
  }

  const RowTree* tree_;
  const Rows* points_;
  std::vector<double> exact_;
  std::vector<float> scratch_;
};

std::string summary_of(double error, double terms) {
  char text[120];
  std::snprintf(text, sizeof text, "; summed over near cells: mean error %.3f in log q, %.0f terms a point",
                error, terms);
  return text;
}

}  // namespace

Levelling level(std::span<const double> log_sums, std::span<const double> truth) {
  constexpr double far_off = 0.1, steepest = 0.05, cut_off = 0.02;
  std::vector<double> sorted(log_sums.begin(), log_sums.end());
  std::ranges::sort(sorted);
  const auto cut = static_cast<std::size_t>(cut_off * static_cast<double>(sorted.size()));
  Levelling levelling{0, 0, static_cast<float>(sorted[cut]),
                      static_cast<float>(sorted[sorted.size() - 1 - cut])};
  const auto at = [&](std::size_t i) {
    return std::clamp(log_sums[i], double{levelling.low}, double{levelling.high});
  };
  const auto off = [&](std::size_t i) { return std::clamp(truth[i] - log_sums[i], -far_off, far_off); };
  const auto count = static_cast<double>(log_sums.size());
  double mean_at = 0, mean_off = 0, square = 0, product = 0;
  for (std::size_t i = 0; i < log_sums.size(); ++i) mean_at += at(i) / count, mean_off += off(i) / count;
  for (std::size_t i = 0; i < log_sums.size(); ++i) {
    square += (at(i) - mean_at) * (at(i) - mean_at);
    product += (at(i) - mean_at) * (off(i) - mean_off);
  }
  const double slope = square > 0 ? std::clamp(product / square, -steepest, steepest) : 0;
  levelling.slope = static_cast<float>(slope);
  levelling.offset = static_cast<float>(mean_off - slope * mean_at);
  return levelling;
}

TreeFit fit_tree_kde(const Matrix& rows, std::span<const double> inverse, double log_norm,
                     const DensityOptions& options) {
  const kernel::Kernels& kernels = chosen_kernels(options);
  const std::vector<std::size_t> order = Random(options.seed).permutation(rows.rows);
  const std::size_t held = std::min(most_held_out, rows.rows / 8);
  const std::span<const std::size_t> inside(order.data(), held), rest(order.data() + held, rows.rows - held);

  TreeFit fit;
  const auto log_of = [&](std::size_t count) { return log_norm + std::log(static_cast<double>(count)); };
  TreeKde::Look look;
  {
    const Rows points = scaled_rows(rows, inside, inverse), others = scaled_rows(rows, rest, inverse);
    const RowTree tree(others, rows.cols, kernels);
    const std::size_t measured = std::min(held, 2 * calibration_rows);
    Calibration calibration(tree, points, exact_sums(others, points, measured, rows.cols, kernels));
    const Calibration::Trial trial = calibration.choose();
    look = trial.look;
    fit.summary = summary_of(calibration.measured(look), trial.terms);
    for (std::size_t i = 0; i < held; ++i)
      fit.held_out.push_back(calibration.log_sum(i, look) - log_of(rest.size()));
  }
  std::ranges::sort(fit.held_out);
  fit.density = std::make_shared<TreeKde>(RowTree(scaled_rows(rows, order, inverse), rows.cols, kernels),
                                          look, inverse, log_of(rows.rows));
  return fit;
}

}  // namespace scfe
