// ai.onnx.ml: OneHotEncoder and LabelEncoder; gradient zero.
//
// A text feature is passed to the model as an index into its levels, which are the encoder's names in the
// encoder's order. So comparing text becomes comparing numbers.
#include <cmath>

#include "model/ops/elementwise.h"
#include "model/ops/lower.h"
#include "model/ops/sparse.h"

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

// y[i] = the value of the key that equals x[i], else `otherwise`. Each row has its own keys.
class MapValues : public Operator {
 public:
  MapValues(std::vector<std::vector<Real>> keys, std::vector<Real> values, Real otherwise)
      : keys_(std::move(keys)), values_(std::move(values)), otherwise_(otherwise) {}

  void forward(const Forward& run) const override {
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      const Real* x = row(run.x[0], i);
      Real* y = row(run.y, i);
      for (std::size_t l = 0; l < run.lanes; ++l) y[l] = value(keys_[i], x[l]);
    }
  }
  void backward(const Backward&) const override {}
  bool differentiable() const override { return false; }
  RowRule rule(std::size_t i) const override {
    return {.kind = RowRule::Kind::table,
            .reads = {{0, i}},
            .keys = keys_[i],
            .values = values_,
            .fill = otherwise_};
  }

 private:
  Real value(const std::vector<Real>& keys, Real x) const {
    for (std::size_t k = 0; k < keys.size(); ++k)
      if (keys[k] == x || (std::isnan(keys[k]) && std::isnan(x))) return values_[k];
    return otherwise_;
  }
  std::vector<std::vector<Real>> keys_;
  std::vector<Real> values_;
  Real otherwise_;
};

Value as_numbers(Value x) {
  x.type = Type::real;
  x.origin.clear();
  return x;
}

// For each row of a text value: the numbers that stand for the names.
std::vector<std::vector<Real>> codes_of(Site& site, const Value& x, const std::vector<std::string>& names) {
  if (x.origin.size() != x.rows()) site.fail("text that comes straight from the input", "computed text");
  std::vector<std::vector<Real>> codes;
  for (const std::uint32_t feature : x.origin) codes.push_back(site.build.codes(feature, names));
  return codes;
}

std::vector<Real> numbers(const Site& site, std::string_view floats, std::string_view integers,
                          std::string_view tensor) {
  std::vector<Real> result = site.reals(floats);
  for (const std::int64_t value : site.integers(integers)) result.push_back(static_cast<Real>(value));
  if (const TensorPtr given = site.tensor(tensor))
    for (std::size_t i = 0; given->type != Type::text && i < given->size(); ++i)
      result.push_back(static_cast<Real>(given->real(i)));
  return result;
}

}  // namespace

// y[..., k] = [x == category k], with a new last axis.
void lower_one_hot_encoder(Site& site) {
  const Value& x = site.in(0);
  Builder& build = site.build;
  const std::vector<std::string> names = site.texts("cats_strings");
  const std::vector<std::int64_t> integers = site.integers("cats_int64s");
  if (names.empty() == integers.empty()) site.fail("categories", "none or two lists");
  const std::size_t count = names.size() + integers.size();
  if ((x.type == Type::text) == names.empty()) site.fail("categories of the input's type", name_of(x.type));
  std::vector<Real> categories;
  if (x.type == Type::text) {
    for (const auto& codes : codes_of(site, x, names))
      categories.insert(categories.end(), codes.begin(), codes.end());
  } else {
    for (std::size_t i = 0; i < x.rows(); ++i)
      for (const std::int64_t value : integers) categories.push_back(static_cast<Real>(value));
  }
  Shape shape = x.shape, column = x.shape;
  shape.push_back(static_cast<std::int64_t>(count));
  column.push_back(1);
  const Value levels = build.constant(real_tensor(shape, categories));
  Value y = binary(build, "Equal", build.view(as_numbers(x), column), levels, label(site.node()));
  site.out(0, as_numbers(y));
}

void lower_label_encoder(Site& site) {
  const Value& x = site.in(0);
  std::vector<std::string> names = site.texts("keys_strings");
  if (const TensorPtr given = site.tensor("keys_tensor"); given && given->type == Type::text)
    names = given->texts;
  const std::vector<Real> keys = numbers(site, "keys_floats", "keys_int64s", "keys_tensor");
  const std::vector<Real> values = numbers(site, "values_floats", "values_int64s", "values_tensor");
  if (values.empty() || values.size() != names.size() + keys.size() || (x.type == Type::text) != keys.empty())
    site.fail("numbers for each key", "text or another count");
  Real otherwise = site.has("values_floats") ? site.real("default_float", -0.0F)
                                             : static_cast<Real>(site.integer("default_int64", -1));
  if (const TensorPtr given = site.tensor("default_tensor"); given && given->size() == 1)
    otherwise = static_cast<Real>(given->real(0));
  std::vector<std::vector<Real>> lists(x.rows(), keys);
  if (x.type == Type::text) lists = codes_of(site, x, names);
  const bool real = site.has("values_floats") ||
                    (site.tensor("values_tensor") && site.tensor("values_tensor")->type == Type::real);
  site.out(0, site.build.emit(std::make_unique<MapValues>(std::move(lists), values, otherwise),
                              {as_numbers(x)}, x.shape, real ? Type::real : Type::integer));
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
