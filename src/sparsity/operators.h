// Factories of the operators in the catalogue, one file each.
#pragma once

#include <memory>

#include "sparsity/prox.h"

namespace scfe {

std::unique_ptr<Prox> make_none(const Sparsity& sparsity);
std::unique_ptr<Prox> make_l0(const Sparsity& sparsity);
std::unique_ptr<Prox> make_l_half(const Sparsity& sparsity);
std::unique_ptr<Prox> make_l_two_thirds(const Sparsity& sparsity);
std::unique_ptr<Prox> make_l1(const Sparsity& sparsity);
std::unique_ptr<Prox> make_top_m(const Sparsity& sparsity);

// Returns beta. Throws unless it is finite and >= 0.
double checked_beta(const Sparsity& sparsity);

}  // namespace scfe
