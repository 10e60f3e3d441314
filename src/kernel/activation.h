// Numbers of the activations that the kernels know. model/network/activation.h has names and formulas.
// This header must not define functions, because sources of every instruction set include it.
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
