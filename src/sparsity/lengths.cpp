#include "sparsity/lengths.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "kernel/rows_of.h"
#include "proximity/proximity.h"

namespace scfe {
namespace {

class WithLengths final : public Prox {
 public:
  WithLengths(std::unique_ptr<Prox> sparsity, std::span<const double> weight)
      : sparsity_(std::move(sparsity)), weight_(weight.begin(), weight.end()) {}

  void prox(const Block& v, const float* step, const Box& box, Block& w) const override {
    Block shifted(v.features(), v.lanes());
    for (std::size_t j = 0; j < v.features(); ++j) std::copy_n(v[j], v.lanes(), shifted[j]);
    shrink(step, shifted);
    sparsity_->prox(shifted, step, box, w);
  }

  bool descend(const kernel::Descent& step, const Box& box, Block& shifted, Block& w) const override {
    const bool in_doubt = kernel::kernels().descend(step, kernel::rows_of(shifted), w.padded_lanes());
    shrink(step.step, shifted);
    sparsity_->prox(shifted, step.step, box, w);
    return in_doubt;
  }

  void value(const Block& w, float* value) const override {
    sparsity_->value(w, value);
    for (std::size_t lane = 0; lane < w.lanes(); ++lane) {
      double sum = 0;
      for (std::size_t j = 0; j < weight_.size(); ++j) sum += weight_[j] * std::fabs(w[j][lane]);
      value[lane] += static_cast<float>(sum);
    }
  }

 private:
  void shrink(const float* step, Block& v) const {
    assert(v.features() == weight_.size());
    for (std::size_t j = 0; j < weight_.size(); ++j)
      for (std::size_t lane = 0; lane < v.lanes(); ++lane)
        v[j][lane] = static_cast<float>(shrunk(v[j][lane], weight_[j] * step[lane]));
  }

  std::unique_ptr<Prox> sparsity_;
  std::vector<double> weight_;
};

}  // namespace

std::unique_ptr<Prox> with_lengths(std::unique_ptr<Prox> sparsity, std::span<const double> weight) {
  return std::make_unique<WithLengths>(std::move(sparsity), weight);
}

}  // namespace scfe
