#include "model/ops/activation.h"

#include <array>

#include "model/ops/affine.h"
#include "model/ops/image_elementwise.h"
#include "model/ops/loops.h"
#include "model/ops/lower.h"

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

using namespace kernel;

class Activate : public Operator {
 public:
  Activate(std::size_t rows, ActivationKind kind, Real parameter)
      : rows_(rows), kind_(kind), parameter_(parameter) {}

  void forward(const Forward& run) const override {
    for (std::size_t i = 0; i < rows_; ++i) apply(what(), row(run.x[0], i), row(run.y, i), run.lanes);
  }
  void backward(const Backward& run) const override {
    for (std::size_t i = 0; i < rows_; ++i)
      apply_slope(what(), row(run.x[0], i), row(run.dy, i), row(run.dx[0], i), run.lanes);
  }
  bool overwrites() const override { return true; }
  // For these, the result has the same sign as the operand, which is all that the slope depends on.
  bool in_place() const override {
    return kind_ == activation_relu || (kind_ == activation_leaky_relu && parameter_ > 0);
  }
  double flops() const override { return static_cast<double>(rows_); }
  std::unique_ptr<Operator> after(const Operator& previous) const override {
    return in_place() ? previous.activated({kind_, parameter_}) : nullptr;
  }
  Epilogue what() const { return {kind_, parameter_}; }
  std::shared_ptr<const ImageOp> on_images() const override {
    if constexpr (is_double)
      return nullptr;
    else
      return std::make_shared<ImageActivate>(what());
  }

 private:
  std::size_t rows_;
  ActivationKind kind_;
  Real parameter_;
};

Value scaled(Builder& build, const Value& x, Real scale, Real shift) {
  return affine(build, x, std::vector<Real>(x.rows(), scale), std::vector<Real>(x.rows(), shift));
}

struct Named {
  std::string_view op;
  ActivationKind kind;
  std::string_view attribute;  // empty if there is no parameter
  Real otherwise;
};
constexpr std::array<Named, 13> plain = {{{"Relu", activation_relu, "", 0},
                                          {"LeakyRelu", activation_leaky_relu, "alpha", 0.01F},
                                          {"Elu", activation_elu, "alpha", 1},
                                          {"Celu", activation_celu, "alpha", 1},
                                          {"Sigmoid", activation_sigmoid, "", 0},
                                          {"HardSwish", activation_hard_swish, "", 0},
                                          {"Swish", activation_silu, "alpha", 1},
                                          {"Tanh", activation_tanh, "", 0},
                                          {"Softplus", activation_softplus, "", 0},
                                          {"Softsign", activation_softsign, "", 0},
                                          {"Gelu", activation_gelu, "", 0},
                                          {"Mish", activation_mish, "", 0},
                                          {"Erf", activation_erf, "", 0}}};

}  // namespace

std::optional<Epilogue> activation_of(const Operator& op) {
  const auto* activate = dynamic_cast<const Activate*>(&op);
  return activate ? std::optional(activate->what()) : std::nullopt;
}

Value activate(Builder& build, const Value& x, ActivationKind kind, Real parameter) {
  // ReLU is the only activation that ONNX defines for integers; its result is an integer too.
  return build.emit(std::make_unique<Activate>(x.rows(), kind, parameter), {x}, x.shape,
                    kind == activation_relu ? x.type : Type::real);
}

void lower_activation(Site& site) {
  const std::string& op = site.node().op;
  const Value& x = site.in(0);
  if (op == "Selu") {  // gamma · elu(x, alpha)
    const Value elu = activate(site.build, x, activation_elu, site.real("alpha", 1.67326319217681884765625F));
    return site.out(0, scaled(site.build, elu, site.real("gamma", 1.05070102214813232421875F), 0));
  }
  if (op == "HardSigmoid") {  // min(max(0, alpha x + beta), 1)
    const Value line = scaled(site.build, x, site.real("alpha", 0.2F), site.real("beta", 0.5F));
    return site.out(0, activate(site.build, line, activation_relu6, 1));
  }
  for (const Named& row : plain) {
    if (row.op != op) continue;
    ActivationKind kind = row.kind;
    if (op == "Gelu" && site.text("approximate", "none") == "tanh") kind = activation_gelu_tanh;
    const Real parameter = row.attribute.empty() ? 0 : site.real(row.attribute, row.otherwise);
    return site.out(0, activate(site.build, x, kind, parameter));
  }
  site.fail("a known activation", op);
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
