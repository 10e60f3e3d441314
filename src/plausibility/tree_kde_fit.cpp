// Fitting the KDE of many rows: how far to look, and how far that is from the exact sum.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "plausibility/random.h"
#include "plausibility/tree_kde.h"

namespace scfe {
namespace {

constexpr std::size_t most_held_out = 2000;
constexpr std::size_t calibration_rows = 800;  // and as many again to measure the error
constexpr double wished_error = 0.019;         // mean |error| of log q; on other rows it comes out near this
constexpr double small_error = 0.003;          // wished for as long as it is cheap
constexpr double few_terms = 2500,
                 most_terms = 40000;  // rows and Gaussians that a point looks at, on average
constexpr float widest_share = 0.1F, narrowest_share = 1e-6F;

using Rows = std::vector<float>;

// In units of the widths.
Rows scaled_rows(const Matrix& rows, std::span<const std::size_t> which, std::span<const double> inverse) {
  Rows scaled;
  scaled.reserve(which.size() * rows.cols);
  for (const std::size_t i : which)
    for (std::size_t j = 0; j < rows.cols; ++j) scaled.push_back(static_cast<float>(rows[i][j] * inverse[j]));
  return scaled;
}

// log sum_i exp(-1/2 |y - y_i|²) of the first `count` points, by the plain sum.
std::vector<double> exact_sums(const Rows& rows, const Rows& points, std::size_t count, std::size_t features,
                               const kernel::Kernels& kernels) {
  constexpr std::size_t chunk = 4096;  // keeps what the kernel stores in the nearer caches
  Block x(features, count);
  for (std::size_t l = 0; l < count; ++l)
    for (std::size_t j = 0; j < features; ++j) x[j][l] = points[l * features + j];
  const std::vector<float> ones(features, 1.0F), no_weights(chunk);
  std::vector<float> scratch(lane_step * chunk), part(x.padded_lanes());
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
    RowTree::Effort effort;
    double error = 0, terms = 0;
  };

  // The widest share that is good enough on the calibration rows, or the narrowest that is cheap enough.
  Trial choose() {
    Trial best;
    for (float share = widest_share; share >= narrowest_share; share *= 0.9F) {
      const Trial trial = with_best_factor(share);
      if (share < widest_share && trial.terms > most_terms) break;
      best = trial;
      if (trial.error <= (trial.terms < few_terms ? small_error : wished_error)) break;
    }
    return best;
  }

  // Over the rows that were not used to choose.
  double measured(RowTree::Effort effort) {
    double sum = 0;
    const std::size_t first = exact_.size() / 2;
    for (std::size_t i = first; i < exact_.size(); ++i)
      sum += std::abs(double{at(i, effort).log_total} - exact_[i]);
    return sum / static_cast<double>(exact_.size() - first);
  }

  double log_sum(std::size_t point, RowTree::Effort effort) { return at(point, effort).log_total; }

 private:
  RowTree::Sum at(std::size_t point, RowTree::Effort effort) {
    RowTree::Query query{points_->data() + point * tree_->features(), nullptr};
    tree_->sums({&query, 1}, effort, scratch_.data());
    return query.found;
  }

  Trial with_best_factor(float share) {
    const std::size_t count = exact_.size() / 2;
    std::vector<double> open(count), closed(count);  // as shares of the exact sum
    Trial trial{{share, 1}, 1e300, 0};
    for (std::size_t i = 0; i < count; ++i) {
      const RowTree::Sum sum = at(i, {share, 1});
      open[i] = std::exp(double{sum.log_open} - exact_[i]);
      closed[i] = std::max(0.0, std::exp(double{sum.log_total} - exact_[i]) - open[i]);
      trial.terms += static_cast<double>(sum.looked_at) / static_cast<double>(count);
    }
    constexpr int steps = 50;
    for (int step = 0; step <= steps; ++step) {
      const double factor = static_cast<double>(step) / steps;
      double error = 0;
      for (std::size_t i = 0; i < count; ++i)
        error += std::abs(std::log(std::max(open[i] + factor * closed[i], 1e-300)));
      if (error / static_cast<double>(count) >= trial.error) continue;
      trial.error = error / static_cast<double>(count);
      trial.effort.closed = static_cast<float>(factor);
    }
    return trial;
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

TreeFit fit_tree_kde(const Matrix& rows, std::span<const double> inverse, double log_norm,
                     const DensityOptions& options) {
  const kernel::Kernels& kernels = chosen_kernels(options);
  const std::vector<std::size_t> order = Random(options.seed).permutation(rows.rows);
  const std::size_t held = std::min(most_held_out, rows.rows / 8);
  const std::span<const std::size_t> inside(order.data(), held), rest(order.data() + held, rows.rows - held);

  TreeFit fit;
  const auto log_of = [&](std::size_t count) { return log_norm + std::log(static_cast<double>(count)); };
  RowTree::Effort effort;
  {
    const Rows points = scaled_rows(rows, inside, inverse), others = scaled_rows(rows, rest, inverse);
    const RowTree tree(others, rows.cols, kernels);
    const std::size_t measured = std::min(held, 2 * calibration_rows);
    Calibration calibration(tree, points, exact_sums(others, points, measured, rows.cols, kernels));
    const Calibration::Trial trial = calibration.choose();
    effort = trial.effort;
    fit.summary = summary_of(calibration.measured(effort), trial.terms);
    for (std::size_t i = 0; i < held; ++i)
      fit.held_out.push_back(calibration.log_sum(i, effort) - log_of(rest.size()));
  }
  std::ranges::sort(fit.held_out);
  fit.density = std::make_shared<TreeKde>(RowTree(scaled_rows(rows, order, inverse), rows.cols, kernels),
                                          effort, inverse, log_of(rows.rows));
  return fit;
}

}  // namespace scfe
