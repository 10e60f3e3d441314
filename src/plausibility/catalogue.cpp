#include "plausibility/catalogue.h"

#include "plausibility/gmm.h"
#include "plausibility/gmm_full.h"
#include "plausibility/kde.h"
#include "plausibility/knn.h"
#include "plausibility/none.h"
#include "scfe/error.h"

namespace scfe {

std::span<const DensityRow> density_catalogue() {
  static constexpr DensityRow rows[] = {
      {"none", "0", fit_none},
      {"kde", "log sum_i exp(-|x - x_i|² / 2h²) - log_norm", fit_kde},
      {"gmm", "log sum_k pi_k N(x; mu_k, diag var_k)", fit_gmm},
      {"gmm_full", "log sum_k pi_k N(x; mu_k, Sigma_k)", fit_gmm_full},
      {"knn", "-|x - G(x_f)|², G the density gravity point of the factual", fit_knn},
  };
  return rows;
}

FittedDensity fit_density(std::string_view name, const Matrix& rows, const DensityOptions& options) {
  std::string known;
  for (const DensityRow& row : density_catalogue()) {
    if (row.name == name) return row.fit(rows, options);
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  }
  throw Error("density", "one of " + known, std::string(name));
}

}  // namespace scfe
