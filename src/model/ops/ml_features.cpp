// ai.onnx.ml operators to which scikit-learn's transformers are converted: Scaler, Normalizer, Imputer,
// Binarizer, ArrayFeatureExtractor, FeatureVectorizer.
#include <cmath>

#include "model/ops/affine.h"
#include "model/ops/axes.h"
#include "model/ops/elementwise.h"
#include "model/ops/index.h"
#include "model/ops/lower.h"
#include "model/ops/sparse.h"

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

// Expands a list to one value per row. It has one entry, or one per position of the last axis.
std::vector<Real> along_columns(const Site& site, const std::vector<Real>& values, const Shape& shape) {
  const std::size_t columns = shape.empty() ? 1 : dim(shape, shape.size() - 1), rows = elements(shape);
  if (values.size() != 1 && values.size() != columns)
    site.fail("1 or " + std::to_string(columns) + " values", std::to_string(values.size()));
  std::vector<Real> result(rows);
  for (std::size_t i = 0; i < rows; ++i) result[i] = values[values.size() == 1 ? 0 : i % columns];
  return result;
}

// y_i = fill_i if x_i equals `replaced` (a NaN matches any NaN), else x_i. dx = dy except where x_i was
// replaced.
class Impute : public Operator {
 public:
  Impute(std::vector<Real> fill, Real replaced) : fill_(std::move(fill)), replaced_(replaced) {}

  void forward(const Forward& run) const override {
    for (std::size_t i = 0; i < fill_.size(); ++i) {
      const Real* x = row(run.x[0], i);
      Real* y = row(run.y, i);
      for (std::size_t l = 0; l < run.lanes; ++l) y[l] = missing(x[l]) ? fill_[i] : x[l];
    }
  }
  void backward(const Backward& run) const override {
    for (std::size_t i = 0; i < fill_.size(); ++i) {
      const Real *x = row(run.x[0], i), *dy = row(run.dy, i);
      Real* dx = row(run.dx[0], i);
      for (std::size_t l = 0; l < run.lanes; ++l) dx[l] = missing(x[l]) ? 0.0F : dy[l];
    }
  }
  bool overwrites() const override { return true; }
  std::optional<RowOrigin> origin(std::size_t i) const override {
    if (!std::isnan(replaced_)) return std::nullopt;
    return RowOrigin{.kind = RowOrigin::Kind::filled, .row = i, .fill = fill_[i]};
  }
  RowRule rule(std::size_t i) const override {
    return {.kind = RowRule::Kind::replaced, .reads = {{0, i}}, .keys = {replaced_}, .fill = fill_[i]};
  }

 private:
  bool missing(Real x) const { return std::isnan(replaced_) ? std::isnan(x) : x == replaced_; }
  std::vector<Real> fill_;
  Real replaced_;
};

}  // namespace

// (x - offset) · scale. ONNX Runtime computes it in single precision unless x is in double.
void lower_scaler(Site& site) {
  const bool single = site.in(0).single || site.in(0).type == Type::integer;
  const auto held = [&](const Value& value) { return single ? as_single(site.build, value) : value; };
  const Value x = held(as_real(site.in(0)));
  std::vector<Real> scale = along_columns(site, site.reals("scale"), x.shape);
  std::vector<Real> shift = along_columns(site, site.reals("offset"), x.shape);
  for (Real& offset : shift) offset = -offset;
  std::vector<Real> ones(shift.size(), 1.0F);
  const Value centred = held(affine(site.build, x, std::move(ones), std::move(shift)));
  std::vector<Real> none(scale.size(), 0.0F);
  site.out(0, site.build.emit(std::make_unique<Affine>(std::move(scale), std::move(none), true), {centred},
                              x.shape));
}

// x / norm along the last axis; rows with norm 0 are unchanged.
void lower_normalizer(Site& site) {
  const Value x = as_real(site.in(0));
  if (x.shape.empty()) site.fail("rows", "a scalar");
  const std::string norm = site.text("norm", "MAX"), where_ = label(site.node());
  Builder& build = site.build;
  Axes axes{std::vector<bool>(x.shape.size(), false), true};
  axes.reduced.back() = true;
  Value size;
  if (norm == "MAX")
    size = reduce_max(build, x, axes);
  else if (norm == "L1")
    size = reduce_sum(build, unary(build, "Abs", x), axes);
  else if (norm == "L2")
    size = unary(build, "Sqrt", reduce_sum(build, binary(build, "Mul", x, x, where_), axes));
  else
    site.fail("MAX, L1 or L2", norm);
  const Value none = binary(build, "Equal", size, scalar(build, 0), where_);
  site.out(0, binary(build, "Div", x, where(build, none, scalar(build, 1), size, where_), where_));
}

void lower_imputer(Site& site) {
  const Value& x = site.in(0);
  const bool integers = site.has("imputed_value_int64s");
  std::vector<Real> values = site.reals("imputed_value_floats");
  for (const std::int64_t value : site.integers("imputed_value_int64s"))
    values.push_back(static_cast<Real>(value));
  const Real replaced = integers ? static_cast<Real>(site.integer("replaced_value_int64", 0))
                                 : site.real("replaced_value_float", 0);
  site.out(0, site.build.emit(std::make_unique<Impute>(along_columns(site, values, x.shape), replaced), {x},
                              x.shape, x.type));
}

void lower_binarizer(Site& site) {
  Value y = binary(site.build, "Greater", site.in(0), scalar(site.build, site.real("threshold", 0)),
                   label(site.node()));
  site.out(0, as_real(y));
}

// Picks columns by constant index. Picking from constants by a computed index occurs only in label lookups.
void lower_array_feature_extractor(Site& site) {
  Value x = site.in(0);
  std::vector<std::size_t> positions;
  if (x.shape.size() < 2) x = site.build.view(x, {1, static_cast<std::int64_t>(x.rows())});
  const std::size_t last = x.shape.size() - 1;
  for (const std::int64_t at : site.integers(1)) {
    if (at < 0 || at >= x.shape[last])
      site.fail("columns within " + std::to_string(x.shape[last]), std::to_string(at));
    positions.push_back(static_cast<std::size_t>(at));
  }
  site.out(0, take(site.build, x, last, positions));
}

void lower_feature_vectorizer(Site& site) {
  std::vector<Value> parts;
  for (std::size_t i = 0; i < site.inputs(); ++i) {
    const Value x = as_real(site.in(i));
    const std::int64_t rows = x.shape.size() < 2 ? 1 : x.shape[0];
    if (rows == 0) site.fail("rows", "none");
    parts.push_back(site.build.view(x, {rows, static_cast<std::int64_t>(x.rows()) / rows}));
    if (parts.back().shape[0] != parts[0].shape[0]) site.fail("inputs of one length", to_text(x.shape));
  }
  if (parts.empty()) site.fail("inputs", "none");
  site.out(0, parts.size() == 1 ? parts[0] : concat(site.build, parts, 1));
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
