// beta |w|_0: every feature (or one-hot group) that changes costs beta.
//
// Per group, the minimiser of |w - v|² / (2 step) + beta [w != 0] over the box is 0 or the clamp z of v
// (one_hot.h for a one-hot group): z if  sum v² - (v - z)²  >  2 beta step, else 0. A tie goes to 0.
#include <cassert>

#include "sparsity/one_hot.h"
#include "sparsity/operators.h"

namespace scfe {
namespace {

class L0 final : public Prox {
 public:
  explicit L0(const Sparsity& sparsity) : beta_(checked_beta(sparsity)), groups_(sparsity) {}

  void prox(const Block& v, const float* step, const Box& box, Block& w) const override {
    assert(w.features() == v.features() && w.lanes() == v.lanes());
    project(groups_, v, box, w);
    for (std::size_t g = 0; g < groups_.count(v.features()); ++g)
      for (std::size_t lane = 0; lane < v.lanes(); ++lane) {
        double saved = 0;
        groups_.for_each_column(g, [&](std::size_t j) { saved += gain(v[j][lane], w[j][lane]); });
        const bool moves = saved > 2 * beta_ * step[lane];
        if (!moves) groups_.for_each_column(g, [&](std::size_t j) { w[j][lane] = 0; });
      }
  }

  void value(const Block& w, float* value) const override {
    for (std::size_t lane = 0; lane < w.lanes(); ++lane)
      value[lane] = static_cast<float>(beta_ * static_cast<double>(groups_.moved(w, lane)));
  }

 private:
  double beta_;
  Groups groups_;
};

}  // namespace

std::unique_ptr<Prox> make_l0(const Sparsity& sparsity) { return std::make_unique<L0>(sparsity); }

}  // namespace scfe
