#include "model/ops/catalogue.h"

#include "model/ops/lower.h"

namespace scfe::onnx {
namespace {

constexpr State gradient = State::gradient, zero = State::zero_gradient, no = State::unsupported;

// In alphabetical order.
constexpr OperatorRow rows[] = {
    {"", "Abs", gradient, lower_unary, ""},
    {"", "Acos", gradient, lower_unary, ""},
    {"", "Acosh", gradient, lower_unary, ""},
    {"", "Add", gradient, lower_binary, ""},
    {"", "And", zero, lower_binary, ""},
    {"", "ArgMax", zero, lower_argmax, ""},
    {"", "ArgMin", zero, lower_argmax, ""},
    {"", "Asin", gradient, lower_unary, ""},
    {"", "Asinh", gradient, lower_unary, ""},
    {"", "Atan", gradient, lower_unary, ""},
    {"", "Atanh", gradient, lower_unary, ""},
    {"", "AveragePool", gradient, lower_average_pool, ""},
    {"", "BatchNormalization", gradient, lower_batch_norm, "inference"},
    {"", "Cast", gradient, lower_cast, "zero gradient from real to integer or boolean; no strings"},
    {"", "CastLike", gradient, lower_cast, "as Cast"},
    {"", "Ceil", zero, lower_unary, ""},
    {"", "Celu", gradient, lower_activation, ""},
    {"", "Clip", gradient, lower_clip, ""},
    {"", "Concat", gradient, lower_concat, ""},
    {"", "Constant", gradient, lower_constant, "folded; no sparse values"},
    {"", "ConstantOfShape", gradient, lower_constant_of_shape, "folded"},
    {"", "Conv", gradient, lower_conv, "constant weights"},
    {"", "ConvTranspose", gradient, lower_conv_transpose, "constant weights"},
    {"", "Cos", gradient, lower_unary, ""},
    {"", "Cosh", gradient, lower_unary, ""},
    {"", "Div", gradient, lower_binary, ""},
    {"", "Dropout", gradient, lower_identity, "inference"},
    {"", "Elu", gradient, lower_activation, ""},
    {"", "Equal", zero, lower_binary, ""},
    {"", "Erf", gradient, lower_activation, ""},
    {"", "Exp", gradient, lower_unary, ""},
    {"", "Expand", gradient, lower_expand, "constant shape"},
    {"", "Flatten", gradient, lower_flatten, ""},
    {"", "Floor", zero, lower_unary, ""},
    {"", "Gather", gradient, lower_gather, "zero gradient for the indices"},
    {"", "GatherElements", gradient, lower_gather, "constant indices"},
    {"", "Gelu", gradient, lower_activation, ""},
    {"", "Gemm", gradient, lower_gemm, ""},
    {"", "GlobalAveragePool", gradient, lower_global_pool, ""},
    {"", "GlobalMaxPool", gradient, lower_global_pool, ""},
    {"", "Greater", zero, lower_binary, ""},
    {"", "GreaterOrEqual", zero, lower_binary, ""},
    {"", "HardSigmoid", gradient, lower_activation, ""},
    {"", "HardSwish", gradient, lower_activation, ""},
    {"", "Identity", gradient, lower_identity, ""},
    {"", "If", no, nullptr, "control flow: export the branch that is taken"},
    {"", "IsInf", zero, lower_unary, "both signs"},
    {"", "IsNaN", zero, lower_unary, ""},
    {"", "LeakyRelu", gradient, lower_activation, ""},
    {"", "Less", zero, lower_binary, ""},
    {"", "LessOrEqual", zero, lower_binary, ""},
    {"", "Log", gradient, lower_unary, ""},
    {"", "LogSoftmax", gradient, lower_softmax, ""},
    {"", "Loop", no, nullptr, "control flow: unroll it on export"},
    {"", "MatMul", gradient, lower_matmul, ""},
    {"", "Max", gradient, lower_sum, ""},
    {"", "MaxPool", gradient, lower_max_pool, "without the output of indices"},
    {"", "Mean", gradient, lower_sum, ""},
    {"", "Min", gradient, lower_sum, ""},
    {"", "Mish", gradient, lower_activation, ""},
    {"", "Mod", zero, lower_binary, ""},
    {"", "Mul", gradient, lower_binary, ""},
    {"", "Neg", gradient, lower_unary, ""},
    {"", "Not", zero, lower_unary, ""},
    {"", "Or", zero, lower_binary, ""},
    {"", "PRelu", gradient, lower_prelu, ""},
    {"", "Pad", gradient, lower_pad, "constant pads"},
    {"", "Pow", gradient, lower_binary, ""},
    {"", "Range", gradient, lower_range, "folded"},
    {"", "Reciprocal", gradient, lower_unary, ""},
    {"", "ReduceL1", gradient, lower_reduce, ""},
    {"", "ReduceL2", gradient, lower_reduce, ""},
    {"", "ReduceLogSum", gradient, lower_reduce, ""},
    {"", "ReduceLogSumExp", gradient, lower_reduce, ""},
    {"", "ReduceMax", gradient, lower_reduce, ""},
    {"", "ReduceMean", gradient, lower_reduce, ""},
    {"", "ReduceMin", gradient, lower_reduce, ""},
    {"", "ReduceProd", gradient, lower_reduce, ""},
    {"", "ReduceSum", gradient, lower_reduce, ""},
    {"", "ReduceSumSquare", gradient, lower_reduce, ""},
    {"", "Relu", gradient, lower_activation, ""},
    {"", "Reshape", gradient, lower_reshape, "constant shape"},
    {"", "Round", zero, lower_unary, ""},
    {"", "Scan", no, nullptr, "control flow: unroll it on export"},
    {"", "Selu", gradient, lower_activation, ""},
    {"", "Shape", gradient, lower_shape, "folded"},
    {"", "Sigmoid", gradient, lower_activation, ""},
    {"", "Sign", zero, lower_unary, ""},
    {"", "Sin", gradient, lower_unary, ""},
    {"", "Sinh", gradient, lower_unary, ""},
    {"", "Size", gradient, lower_shape, "folded"},
    {"", "Slice", gradient, lower_slice, "constant bounds"},
    {"", "Softmax", gradient, lower_softmax, ""},
    {"", "Softplus", gradient, lower_activation, ""},
    {"", "Softsign", gradient, lower_activation, ""},
    {"", "Split", gradient, lower_split, "constant sizes"},
    {"", "Sqrt", gradient, lower_unary, ""},
    {"", "Squeeze", gradient, lower_squeeze, ""},
    {"", "Sub", gradient, lower_binary, ""},
    {"", "Sum", gradient, lower_sum, ""},
    {"", "Swish", gradient, lower_activation, ""},
    {"", "Tan", gradient, lower_unary, ""},
    {"", "Tanh", gradient, lower_activation, ""},
    {"", "Tile", gradient, lower_tile, "constant repeats"},
    {"", "Transpose", gradient, lower_transpose, ""},
    {"", "Unsqueeze", gradient, lower_unsqueeze, ""},
    {"", "Where", gradient, lower_where, "zero gradient for the condition"},
    {"", "Xor", zero, lower_binary, ""},
};

}  // namespace

std::string_view name_of(State state) {
  return state == State::gradient ? "gradient" : state == State::zero_gradient ? "zero gradient" : "unsupported";
}

std::span<const OperatorRow> operator_catalogue() { return rows; }

const OperatorRow* find_operator(std::string_view domain, std::string_view name) {
  for (const OperatorRow& row : rows)
    if (row.domain == domain && row.name == name) return &row;
  return nullptr;
}

}  // namespace scfe::onnx
