// Layout, as Explainer::save writes it: features | offset, range, step, weight | for each class: rows,
// density, densities with other k. A layout that is not this one is noticed: the features are compared byte
// by byte.
#include "cli/fitted.h"

#include "actionability/scaling.h"
#include "plausibility/catalogue.h"
#include "scfe/error.h"
#include "support/bytes.h"

namespace scfe::cli {
namespace {

std::string feature_bytes(const std::vector<Feature>& features) {
  ByteWriter out;
  out.put(std::uint64_t{features.size()});
  for (const Feature& f : features) {
    out.put_text(f.name);
    out.put(static_cast<std::uint8_t>(f.kind));
    for (const std::optional<double>& value : {f.min, f.max, f.step}) out.put(value.value());
    out.put_flag(f.immutable);
    out.put(static_cast<std::uint8_t>(f.direction));
    out.put(f.weight);
    out.put_text(f.unit);
    out.put(std::uint64_t{f.levels.size()});
    for (const std::string& level : f.levels) out.put_text(level);
  }
  return out.bytes();
}

// All that follows the features.
std::string fitted_bytes(const Explainer& explainer) {
  ByteWriter out;
  explainer.save(out);
  const std::string features = feature_bytes(explainer.features());
  if (!out.bytes().starts_with(features)) throw Error("fitted explainer", "a known layout", "another one");
  return out.bytes().substr(features.size());
}

}  // namespace

struct Fitted::State {
  Scaling scaling;
  std::vector<Matrix> rows;  // of each class, work space
  std::vector<FittedDensity> densities;
  std::uint64_t fingerprint = 0;

  const FittedDensity& density(int target) const { return densities.at(static_cast<std::size_t>(target)); }
};

Fitted::Fitted(const Bundle& bundle) : state_(std::make_unique<State>()) {
  const std::string bytes = fitted_bytes(bundle.explainer);
  state_->fingerprint = scfe::fingerprint(bytes);
  const std::string& density = bundle.explainer.options().density;
  const std::size_t columns = bundle.explainer.features().size();
  ByteReader in(bytes, "fitted explainer");
  state_->scaling.offset = in.get_list<double>();
  state_->scaling.range = in.get_list<double>();
  (void)in.get_list<double>();  // step
  (void)in.get_list<double>();  // weight
  const auto classes = in.get<std::uint64_t>();
  for (std::uint64_t target = 0; target < classes; ++target) {
    state_->rows.push_back(in.get_matrix());
    state_->densities.push_back(load_density(density, columns, in));
    const std::size_t grid = in.get_size(1);
    for (std::size_t i = 0; i < grid; ++i) (void)load_density("knn", columns, in);
  }
  in.require_end();
}

Fitted::~Fitted() = default;
Fitted::Fitted(Fitted&&) noexcept = default;
Fitted& Fitted::operator=(Fitted&&) noexcept = default;

bool Fitted::has_density(int target) const { return state_->density(target).density != nullptr; }

Typicality Fitted::typicality(std::span<const double> factual, std::span<const double> answer,
                              int target) const {
  const FittedDensity& fitted = state_->density(target);
  if (!fitted.density) throw Error("target", "a class with a density", std::to_string(target));
  const std::size_t d = answer.size();
  std::vector<float> from(d), anchor(d), scratch(fitted.density->scratch(1));
  Block x(d, 1), anchors(d, 1);
  for (std::size_t j = 0; j < d; ++j) {
    from[j] = static_cast<float>(state_->scaling.to_work(j, factual[j]));
    x[j][0] = static_cast<float>(state_->scaling.to_work(j, answer[j]));
  }
  fitted.density->anchor(from, anchor);
  for (std::size_t j = 0; j < d; ++j) anchors[j][0] = anchor[j];
  std::vector<float> value(x.padded_lanes());
  fitted.density->evaluate(x, anchors, value.data(), nullptr, nullptr, scratch.data());
  return {value[0], quantile_of(fitted, value[0])};
}

double Fitted::floor(int target, double rho) const { return floor_at(state_->density(target), rho); }

std::vector<double> Fitted::class_values(int target, std::size_t input) const {
  const Matrix& rows = state_->rows.at(static_cast<std::size_t>(target));
  std::vector<double> values;
  for (std::size_t i = 0; i < rows.rows; ++i)
    values.push_back(state_->scaling.to_original(input, rows[i][input]));
  return values;
}

std::uint64_t Fitted::fingerprint() const { return state_->fingerprint; }

Explainer with_features(const Bundle& bundle, const std::vector<Feature>& features) {
  const std::string bytes = feature_bytes(features) + fitted_bytes(bundle.explainer);
  ByteReader in(bytes, "fitted explainer");
  return Explainer::load(open_model(bundle.model_file), bundle.explainer.options(), in);
}

}  // namespace scfe::cli
