// No sparsity: the prox is the projection onto the box.
#include "sparsity/operators.h"
#include "sparsity/separable.h"

namespace scfe {
namespace {

struct None : NothingPaid {
  static double minimiser(double v, double /*b*/, double lo, double hi) { return bounded(v, lo, hi); }
};

}  // namespace

std::unique_ptr<Prox> make_none(const Sparsity& sparsity) {
  return std::make_unique<Separable<None>>(0, sparsity);
}

}  // namespace scfe
