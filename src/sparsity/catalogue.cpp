#include "support/catalogue.h"

#include <array>
#include <cmath>
#include <string>

#include "kernel/rows_of.h"
#include "scfe/error.h"
#include "sparsity/operators.h"
#include "sparsity/prox.h"

namespace scfe {
namespace {

constexpr std::array rows = {
    ProxRow{SparsityKind::none, "0", make_none},
    ProxRow{SparsityKind::l0, "beta sum_g [w_g != 0]", make_l0},
    ProxRow{SparsityKind::l_half, "beta sum_j |w_j|^(1/2)", make_l_half},
    ProxRow{SparsityKind::l_two_thirds, "beta sum_j |w_j|^(2/3)", make_l_two_thirds},
    ProxRow{SparsityKind::l1, "beta sum_j |w_j|", make_l1},
    ProxRow{SparsityKind::top_m, "0 if sum_g [w_g != 0] <= m, infinite otherwise", make_top_m},
};

}  // namespace

std::span<const ProxRow> prox_catalogue() { return rows; }

std::unique_ptr<Prox> make_prox(SparsityKind kind, const Sparsity& sparsity) {
  return find_row(prox_catalogue(), "sparsity", name_of(kind)).make(sparsity);
}

bool Prox::descend(const kernel::Descent& step, const Box& box, Block& shifted, Block& w) const {
  const bool in_doubt = kernel::kernels().descend(step, kernel::rows_of(shifted), w.padded_lanes());
  prox(shifted, step.step, box, w);
  return in_doubt;
}

double checked_beta(const Sparsity& sparsity) {
  if (!std::isfinite(sparsity.beta) || sparsity.beta < 0)
    throw Error("beta", "a finite number >= 0", std::to_string(sparsity.beta));
  return sparsity.beta;
}

}  // namespace scfe
