#include "model/onnx/choice/range.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace scfe::onnx {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Range anything{-infinity, infinity};
constexpr int deepest = 12, most = 1000;  // limits on operators: squashing ones are close to the output

double times(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

Range hull(std::initializer_list<double> ends) { return {std::min(ends), std::max(ends)}; }

Range product(Range a, Range b) {
  return hull({times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)});
}

Range inverse(Range a) {
  if (a.low > 0) return {std::isinf(a.high) ? 0 : 1 / a.high, 1 / a.low};
  if (a.high < 0) return {1 / a.high, std::isinf(a.low) ? 0 : 1 / a.low};
  return anything;
}

class Ranges {
 public:
  explicit Ranges(const Producers& producers) : producers_(producers) {}

  Range of(const std::string& value, int depth) {
    if (const Tensor* tensor = producers_.constant(value)) return of(*tensor);
    const Node* node = producers_.of(value);
    if (!node || !node->domain.empty() || node->inputs.empty() || depth > deepest || --left_ < 0)
      return anything;
    static const std::set<std::string, std::less<>> squashing = {"Sigmoid", "Softmax", "HardSigmoid"},
                                                    same = {"Identity",  "Reshape", "Squeeze",    "Unsqueeze",
                                                            "Flatten",   "Dropout", "ReduceMean", "ReduceMax",
                                                            "ReduceMin", "Slice",   "Gather"};
    if (squashing.contains(node->op)) return {0, 1};
    if (node->op == "Tanh") return {-1, 1};
    if (same.contains(node->op)) return of(node->inputs[0], depth + 1);
    if (node->op == "Cast") return cast(*node, depth);
    if (node->op == "Clip") return clip(*node, depth);
    return arithmetic(*node, depth);
  }

 private:
  static Range of(const Tensor& tensor) {
    if (tensor.type == Type::text || tensor.size() == 0) return anything;
    Range range{infinity, -infinity};
    for (std::size_t i = 0; i < tensor.size(); ++i) {
      if (std::isnan(tensor.real(i))) return anything;
      range = {std::min(range.low, tensor.real(i)), std::max(range.high, tensor.real(i))};
    }
    return range;
  }

  Range cast(const Node& node, int depth) {
    const Attribute* to = find(node, "to");
    const bool real = to && (to->integer == 1 || to->integer == 11);
    return real ? of(node.inputs[0], depth + 1) : anything;
  }

  std::optional<double> bound(const Node& node, std::size_t input, std::string_view attribute) const {
    if (const Attribute* given = find(node, attribute)) return given->real;
    return node.inputs.size() > input ? producers_.number(node.inputs[input]) : std::nullopt;
  }

  Range clip(const Node& node, int depth) {
    Range range = of(node.inputs[0], depth + 1);
    if (const auto low = bound(node, 1, "min"))
      range = {std::max(range.low, *low), std::max(range.high, *low)};
    if (const auto high = bound(node, 2, "max"))
      range = {std::min(range.low, *high), std::min(range.high, *high)};
    return range;
  }

  Range arithmetic(const Node& node, int depth) {
    std::vector<Range> x;
    for (const std::string& input : node.inputs) x.push_back(of(input, depth + 1));
    const std::string& op = node.op;
    if (op == "Exp") return {std::exp(x[0].low), std::exp(x[0].high)};
    if (op == "Neg") return {-x[0].high, -x[0].low};
    if (op == "Reciprocal") return inverse(x[0]);
    if (op == "Add" || op == "Sum" || op == "Mean") {
      Range sum{0, 0};
      for (const Range& one : x) sum = {sum.low + one.low, sum.high + one.high};
      const double count = op == "Mean" ? static_cast<double>(x.size()) : 1;
      return {sum.low / count, sum.high / count};
    }
    if (x.size() != 2) return anything;
    if (op == "Sub") return {x[0].low - x[1].high, x[0].high - x[1].low};
    if (op == "Mul") return product(x[0], x[1]);
    if (op == "Div") return product(x[0], inverse(x[1]));
    return anything;
  }

  const Producers& producers_;
  int left_ = most;
};

bool squashed(const std::string& value, const Producers& producers, int depth, int& left) {
  static const std::set<std::string, std::less<>>
      squashing = {"Sigmoid",     "Softmax", "HardSigmoid", "Tanh",  "Erf",
                   "Softsign",    "Exp",     "Greater",     "Less",  "GreaterOrEqual",
                   "LessOrEqual", "Equal",   "Xor",         "Shape", "ConstantOfShape"},
      through = {"Identity",   "Reshape",   "Squeeze",   "Unsqueeze", "Flatten", "Dropout",  "Cast",
                 "Split",      "Slice",     "Gather",    "Transpose", "Concat",  "Expand",   "Add",
                 "Sub",        "Mul",       "Div",       "Pow",       "Sqrt",    "Max",      "Min",
                 "Mean",       "Sum",       "Neg",       "Abs",       "Round",   "Where",    "Clip",
                 "ReduceMean", "ReduceSum", "ReduceMax", "ReduceMin", "IsNaN",   "IsInf",    "Reciprocal",
                 "ReduceProd", "Log",       "And",       "Or",        "Not",     "Softplus", "Ceil",
                 "Floor"};
  if (producers.constant(value) || !producers.varies(value)) return true;
  const Node* node = producers.of(value);
  if (!node || !node->domain.empty() || node->inputs.empty() || depth > deepest || --left < 0) return false;
  if (squashing.contains(node->op)) return true;
  return through.contains(node->op) && std::ranges::all_of(node->inputs, [&](const std::string& input) {
           return input.empty() || squashed(input, producers, depth + 1, left);
         });
}

}  // namespace

bool is_squashed(const std::string& value, const Producers& producers) {
  int left = most;
  return squashed(value, producers, 0, left);
}

Range range_of(const std::string& value, const Producers& producers) {
  return Ranges(producers).of(value, 0);
}

}  // namespace scfe::onnx
