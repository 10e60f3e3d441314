// The KDE of many rows: the sum of plausibility/kde/kde.h, approximated by a tree.
//
//     log q(x) = log sum_i exp(-1/2 sum_j ((x_j - x_ij) / h_j)²) - log_norm
//
// Rows of near cells are summed one by one, each other cell is replaced by a Gaussian
// (plausibility/index/row_tree.h). The fit compares held-out rows with their exact sums and takes the
// cheapest effort with a small enough mean error in log q; the summary states the error on other held-out
// rows. The error grows with the number of near rows, so a line in log q is fitted to it and subtracted.
// kappa_j = 1 / h_j² bounds the curvature of rows and Gaussians alike (up to the slope of that line, far
// below 1 %). Where a cell opens or closes, log q jumps by a fraction of the effort's share.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "plausibility/fit.h"
#include "plausibility/index/row_tree.h"

namespace scfe {

// Bias correction: log sum -> log sum + offset + slope * clamp(log sum, low, high).
struct Levelling {
  float offset = 0, slope = 0, low = 0, high = 0;

  float operator()(float log_sum) const { return log_sum + offset + slope * std::clamp(log_sum, low, high); }
  float derivative(float log_sum) const { return log_sum > low && log_sum < high ? 1 + slope : 1; }
};

// A line fitted to truth - log_sums, robust against a few outliers.
Levelling level(std::span<const double> log_sums, std::span<const double> truth);

class TreeKde : public Density {
 public:
  struct Look {
    RowTree::Effort effort;
    Levelling levelling;
  };
  // inverse_bandwidth: 1/h_j in the work space. The rows of the tree are in units of the bandwidths.
  TreeKde(RowTree tree, const Look& look, std::span<const double> inverse_bandwidth, double log_norm);

  std::size_t features() const override { return inverse_.size(); }
  std::size_t scratch(std::size_t lanes) const override {
    return tree_.scratch(lanes) + 2 * RowTree::most_queries * features();
  }
  void evaluate(const Block& x, const Block& anchors, float* value, Block* gradient, Block* weights,
                float* scratch) const override;
  void curvature(std::span<const float> weights, std::span<const int> support,
                 std::span<double> kappa) const override;

  void save(ByteWriter& out) const;
  static TreeKde load(ByteReader& in);

 private:
  RowTree tree_;
  Look look_;
  std::vector<double> inverse_;
  double log_norm_;
};

// Larger classes use a tree.
inline constexpr std::size_t most_exact_rows = 8192;

struct TreeFit {
  std::shared_ptr<const TreeKde> density;
  std::vector<double> held_out;
  std::string summary;
};
// log_norm is that of a single kernel.
TreeFit fit_tree_kde(const Matrix& rows, std::span<const double> inverse_bandwidth, double log_norm,
                     const DensityOptions& options);

}  // namespace scfe
