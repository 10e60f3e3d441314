// The KDE of many rows: the same sum as plausibility/kde.h, taken over the cells of a tree.
//
//     log q(x) = log sum_i exp(-1/2 sum_j ((x_j - x_ij) / h_j)²) - log_norm
//
// Rows of near cells one by one, the others by a Gaussian for each cell (plausibility/row_tree.h). How near,
// and what closed cells count, is chosen when it is fitted: rows are held out, their exact sums computed, and
// the cheapest effort taken whose mean error in log q is small enough; the error on other held-out rows is
// stated in the summary. What is left out is more, the more rows are near: the bias that shows on held-out
// rows is taken off, as a straight line in log q. kappa_j = 1 / h_j² bounds the curvature of rows and
// Gaussians alike (but for the slope of that line, well below a percent); where a cell opens or closes, log q
// steps by a fraction of the effort's share.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "plausibility/fit.h"
#include "plausibility/index/row_tree.h"

namespace scfe {

// log sum -> log sum + offset + slope * (log sum, cut to low .. high)
struct Levelling {
  float offset = 0, slope = 0, low = 0, high = 0;

  float operator()(float log_sum) const { return log_sum + offset + slope * std::clamp(log_sum, low, high); }
  float derivative(float log_sum) const { return log_sum > low && log_sum < high ? 1 + slope : 1; }
};

// The line through truth - log_sums, few of them far off.
Levelling level(std::span<const double> log_sums, std::span<const double> truth);

class TreeKde : public Density {
 public:
  struct Look {
    RowTree::Effort effort;
    Levelling levelling;
  };
  // 1/h_j in the work space; the tree's rows are in units of the widths.
  TreeKde(RowTree tree, const Look& look, std::span<const double> inverse_bandwidth, double log_norm);

  std::size_t features() const override { return inverse_.size(); }
  std::size_t scratch(std::size_t lanes) const override {
    return tree_.scratch(lanes) + 2 * RowTree::most_queries * features();
  }
  void anchor(std::span<const float> factual, std::span<float> anchor) const override;
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

// Classes of more rows than this are summed by a tree.
inline constexpr std::size_t most_exact_rows = 8192;

struct TreeFit {
  std::shared_ptr<const TreeKde> density;
  std::vector<double> held_out;
  std::string summary;
};
// log_norm: of one kernel.
TreeFit fit_tree_kde(const Matrix& rows, std::span<const double> inverse_bandwidth, double log_norm,
                     const DensityOptions& options);

}  // namespace scfe
