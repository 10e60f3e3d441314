#include "model/network/activation.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "scfe/error.h"

namespace scfe {
namespace {

using namespace kernel;

constexpr ActivationRow rows[] = {
    {"none", activation_none, 0, "", "x"},
    {"relu", activation_relu, 0, "", "max(0, x)"},
    {"relu6", activation_relu6, 6, "upper", "min(max(0, x), upper)"},
    {"leaky_relu", activation_leaky_relu, 0.01F, "slope", "x if x > 0, else slope x"},
    {"elu", activation_elu, 1, "alpha", "x if x > 0, else alpha (e^x - 1)"},
    {"selu", activation_selu, 0, "", "1.0507 (x if x > 0, else 1.67326 (e^x - 1))"},
    {"celu", activation_celu, 1, "alpha", "x if x > 0, else alpha (e^(x / alpha) - 1)"},
    {"sigmoid", activation_sigmoid, 0, "", "1 / (1 + e^-x)"},
    {"hard_sigmoid", activation_hard_sigmoid, 0.2F, "alpha",
     "min(max(0, alpha x + 1/2), 1); PyTorch's has alpha = 1/6"},
    {"hard_swish", activation_hard_swish, 0, "", "x min(max(0, x / 6 + 1/2), 1)"},
    {"silu", activation_silu, 1, "beta", "x / (1 + e^(-beta x))"},
    {"tanh", activation_tanh, 0, "", "tanh x"},
    {"softplus", activation_softplus, 0, "", "log(1 + e^x)"},
    {"softsign", activation_softsign, 0, "", "x / (1 + |x|)"},
    {"gelu", activation_gelu, 0, "", "x/2 (1 + erf(x / sqrt 2))"},
    {"gelu_tanh", activation_gelu_tanh, 0, "", "x/2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x³)))"},
    {"mish", activation_mish, 0, "", "x tanh(log(1 + e^x))"},
    {"erf", activation_erf, 0, "", "erf x"},
};
static_assert(std::size(rows) == activation_count);

std::string known_names() {
  std::string names;
  for (const ActivationRow& row : rows) names += (names.empty() ? "" : ", ") + std::string(row.name);
  return names;
}

float parse_parameter(const ActivationRow& row, std::string_view text, const std::string& field) {
  const std::string name = field + " (" + std::string(row.name) + ")";
  if (row.parameter_name.empty()) throw Error(name, "no parameter", std::string(text));
  float value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = status == std::errc() && end == text.data() + text.size();
  if (!whole || !std::isfinite(value) || value == 0)
    throw Error(name, std::string(row.parameter_name) + ", a finite number other than 0", std::string(text));
  return value;
}

}  // namespace

std::span<const ActivationRow> activation_catalogue() { return rows; }

Activation parse_activation(std::string_view text, const std::string& field) {
  const std::size_t open = text.find('(');
  const bool has_parameter = open != std::string_view::npos && text.ends_with(')');
  const std::string_view name = has_parameter ? text.substr(0, open) : text;
  const auto* row = std::ranges::find(rows, name, &ActivationRow::name);
  if (row == std::end(rows)) throw Error(field, "one of " + known_names(), '"' + std::string(text) + '"');
  if (!has_parameter) return {row->kind, row->parameter};
  return {row->kind, parse_parameter(*row, text.substr(open + 1, text.size() - open - 2), field)};
}

}  // namespace scfe
