// Real is the number type that a plan computes with.
//
// Everything from the plan down to the operators is written once in terms of Real and compiled twice: in
// float, with the kernels of src/kernel and with convolutions on images; and in double (SCFE_DOUBLE), with
// plain loops. The two versions have different namespaces and share the file's contents (tensors, graph).
#pragma once

#ifdef SCFE_DOUBLE
#define SCFE_PRECISION in_double
#else
#define SCFE_PRECISION in_float
#endif

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

#ifdef SCFE_DOUBLE
using Real = double;
#else
using Real = float;
#endif
inline constexpr bool is_double = sizeof(Real) == sizeof(double);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
