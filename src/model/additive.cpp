#include "model/additive.h"

#include <cmath>

namespace scfe {
namespace {

const Additive* behind_encoders(const Model& model) {
  const auto* maybe = dynamic_cast<const MaybeAdditive*>(&model);
  return maybe != nullptr && model.scores() == 1 ? maybe->additive() : nullptr;
}

class LinearScore : public Additive {
 public:
  explicit LinearScore(const Model& model) : layer_(*model.linear()), in_double_(model.in_double()) {}
  double term(std::size_t input, double x) const override { return layer_.weight[0][input] * x; }
  std::optional<double> slope(std::size_t input) const override { return layer_.weight[0][input]; }
  double size(std::size_t input, double x) const override { return std::abs(term(input, x)); }
  double constant_size() const override { return std::abs(layer_.bias[0]); }
  double roundings() const override {
    return (static_cast<double>(layer_.weight.cols) + 2) * (in_double_ ? 0x1p-53 : 0x1p-24);
  }

 private:
  const Layer& layer_;
  bool in_double_;
};

}  // namespace

std::shared_ptr<const Additive> additive(const Model& model) {
  if (model.scores() != 1) return nullptr;
  if (const Additive* encoded = behind_encoders(model)) return {std::shared_ptr<void>(), encoded};
  return model.linear() != nullptr ? std::make_shared<LinearScore>(model) : nullptr;
}

bool is_additive(const Model& model) {
  return model.scores() == 1 && (model.linear() != nullptr || behind_encoders(model) != nullptr);
}

}  // namespace scfe
