#include "plausibility/catalogue.h"

#include <algorithm>
#include <cmath>

#include "plausibility/kde/kde.h"
#include "plausibility/knn/knn.h"
#include "plausibility/mixture/gmm.h"
#include "plausibility/mixture/gmm_full.h"
#include "plausibility/mixture/product_mixture.h"
#include "plausibility/none.h"
#include "plausibility/own/own.h"
#include "support/catalogue.h"

namespace scfe {
namespace {

template <class Kind>
void save_as(const Density& density, ByteWriter& out) {
  static_cast<const Kind&>(density).save(out);
}

template <class Kind>
std::shared_ptr<const Density> load_as(ByteReader& in) {
  return std::make_shared<Kind>(Kind::load(in));
}

}  // namespace

std::span<const DensityRow> density_catalogue() {
  static constexpr DensityRow rows[] = {
      {DensityKind::none, "0", true, fit_none, fit_none_levels, save_as<NoDensity>, load_as<NoDensity>},
      {DensityKind::kde, "log sum_i exp(-|x - x_i|² / 2h²) - log_norm", true, fit_kde, fit_kde_levels,
       save_kde, load_kde},
      {DensityKind::gmm, "log sum_k pi_k N(x; mu_k, diag var_k)", false, fit_gmm, nullptr, save_as<Gmm>,
       load_as<Gmm>},
      {DensityKind::gmm_full, "log sum_k pi_k N(x; mu_k, Sigma_k)", false, fit_gmm_full, nullptr,
       save_as<GmmFull>, load_as<GmmFull>},
      {DensityKind::mixture, "log sum_k pi_k prod_j N(x_j; mu_kj, var_kj) prod_groups p_k(level)", true,
       fit_product_mixture, fit_product_mixture_levels, save_as<ProductMixture>, load_as<ProductMixture>},
      {DensityKind::knn, "-|x - G(x_f)|², G the density gravity point of the factual", true, fit_knn,
       fit_knn_levels, save_as<Gravity>, load_as<Gravity>},
      {DensityKind::own, "log q of the user", true, fit_own, nullptr, save_as<Own>, Own::load, true},
  };
  return rows;
}

FittedDensity fit_density(DensityKind kind, const Matrix& rows, const DensityOptions& options) {
  return find_row(density_catalogue(), "density", name_of(kind)).fit(rows, options);
}

FittedDensity fit_density(DensityKind kind, const MixedRows& rows, const DensityOptions& options) {
  const DensityRow& row = find_row(density_catalogue(), "density", name_of(kind));
  return row.fit_levels ? row.fit_levels(rows, options) : row.fit(rows.matrix(options.group), options);
}

void save_density(DensityKind kind, const FittedDensity& fitted, ByteWriter& out) {
  out.put_flag(fitted.density != nullptr);
  if (!fitted.density) return;
  find_row(density_catalogue(), "density", name_of(kind)).save(*fitted.density, out);
  out.put_list(fitted.held_out);
  out.put_text(fitted.summary);
}

FittedDensity load_density(DensityKind kind, std::size_t features, ByteReader& in) {
  FittedDensity fitted;
  if (!in.get_flag()) return fitted;
  fitted.density = find_row(density_catalogue(), "density", name_of(kind)).load(in);
  in.require(fitted.density->features() == features, std::to_string(features) + " features of a density",
             fitted.density->features());
  fitted.held_out = in.get_list<double>();
  in.require(!fitted.held_out.empty(), "held-out values", 0);
  in.require(std::ranges::is_sorted(fitted.held_out) &&
                 std::ranges::none_of(fitted.held_out, [](double value) { return std::isnan(value); }),
             "held-out values in order", fitted.held_out.size());
  fitted.summary = in.get_text();
  return fitted;
}

}  // namespace scfe
