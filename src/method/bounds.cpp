#include "method/bounds.h"

#include <algorithm>
#include <cmath>

namespace scfe {

Bounds::Bounds(const Pieces& pieces)
    : pieces_(pieces), hidden_(pieces.hidden()), width_(pieces.inputs() + 1) {
  std::size_t widest = 0, first = 0;
  for (const Matrix& weight : pieces.weight) {
    first_.push_back(first);
    first += weight.rows;
    widest = std::max({widest, weight.rows, weight.cols});
  }
  upper_.resize(first * width_);
  lower_.resize(first * width_);
  weight_.resize(widest);
  next_.resize(widest);
  above_.resize(hidden_);
  below_.resize(hidden_);
  width_of_.resize(hidden_);
  share_.resize(hidden_);
}

// The unit's bound as a linear function of w: each activation in the layers below is replaced by its line.
void Bounds::substitute(std::size_t layer, std::size_t row, bool upwards, std::span<double> line) {
  const std::span<const double> top = pieces_.weight[layer][row];
  std::copy(top.begin(), top.end(), weight_.begin());
  double offset = pieces_.bias[layer][row];
  const bool margin = layer + 1 == pieces_.weight.size();
  for (std::size_t l = layer; l-- > 0;) {
    const Matrix& w = pieces_.weight[l];
    std::fill_n(next_.begin(), w.cols, 0.0);
    for (std::size_t k = 0; k < w.rows; ++k) {
      const double c = weight_[k];
      if (c == 0) continue;
      const std::size_t unit = first_[l] + k;
      const Line& by = (c > 0) == upwards ? above_[unit] : below_[unit];
      if (margin && upwards) share_[unit] += std::abs(c) * width_of_[unit];
      offset += c * (by.offset + by.slope * pieces_.bias[l][k]);
      if (by.slope == 0) continue;
      for (std::size_t j = 0; j < w.cols; ++j) next_[j] += c * by.slope * w[k][j];
    }
    weight_.swap(next_);
  }
  std::copy_n(weight_.begin(), width_ - 1, line.begin());
  line[width_ - 1] = offset;
}

double Bounds::extreme(std::span<const double> line, bool upwards) const {
  double sum = line[width_ - 1];
  for (std::size_t j = 0; j + 1 < width_; ++j) sum += line[j] * ((line[j] > 0) == upwards ? hi_[j] : lo_[j]);
  return sum;
}

bool Bounds::compute(std::span<const double> lo, std::span<const double> hi, std::vector<Unit>& units) {
  lo_ = lo;
  hi_ = hi;
  std::fill(share_.begin(), share_.end(), 0.0);
  for (std::size_t l = 0; l < pieces_.weight.size(); ++l)
    for (std::size_t i = 0; i < pieces_.weight[l].rows; ++i) {
      const std::size_t row = first_[l] + i;
      const std::span<double> up{upper_.data() + row * width_, width_},
          down{lower_.data() + row * width_, width_};
      substitute(l, i, true, up);
      substitute(l, i, false, down);
      if (row >= hidden_) continue;
      const double most = extreme(up, true), least = extreme(down, false);
      if ((units[row] == Unit::on && most < 0) || (units[row] == Unit::off && least > 0)) return false;
      if (units[row] == Unit::open && least >= 0) units[row] = Unit::on;
      if (units[row] == Unit::open && most <= 0) units[row] = Unit::off;
      width_of_[row] = 0;
      if (units[row] != Unit::open) {
        above_[row] = below_[row] = {units[row] == Unit::on ? 1.0 : 0.0, 0};
        continue;
      }
      const double slope = most / (most - least);
      above_[row] = {slope, -slope * least};
      below_[row] = {most > -least ? 1.0 : 0.0, 0};
      width_of_[row] = -slope * least;
    }
  return true;
}

std::size_t Bounds::widest_open(const std::vector<Unit>& units) const {
  std::size_t best = hidden_;
  for (std::size_t unit = 0; unit < hidden_; ++unit)
    if (units[unit] == Unit::open && (best == hidden_ || share_[unit] > share_[best])) best = unit;
  return best;
}

}  // namespace scfe
