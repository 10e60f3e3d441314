// The activations that the kernels know, by number. Names, parameters and formulas: model/activation.h.
// Kept free of functions: it is read by sources of every instruction set.
#pragma once

namespace scfe::kernel {

enum ActivationKind : int {
  activation_none,
  activation_relu,
  activation_relu6,
  activation_leaky_relu,
  activation_elu,
  activation_selu,
  activation_celu,
  activation_sigmoid,
  activation_hard_sigmoid,
  activation_hard_swish,
  activation_silu,
  activation_tanh,
  activation_softplus,
  activation_softsign,
  activation_gelu,
  activation_gelu_tanh,
  activation_mish,
  activation_erf,
  activation_count
};

}  // namespace scfe::kernel
