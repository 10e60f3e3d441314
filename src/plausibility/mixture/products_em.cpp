#include "plausibility/mixture/products_em.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "plausibility/mixture/em.h"
#include "support/random.h"

namespace scfe {
namespace {

constexpr int short_products_run = 12, long_products_run = 150;
constexpr double prior_rows = 5;    // the weight a of the overall level frequencies, in rows
constexpr double negligible = -40;  // log of a share that is treated as 0

// Squared distance in spreads of the numeric columns; a different level counts as one spread.
double distance(const MixedRows& rows, std::size_t a, std::size_t b, const std::vector<double>& precision) {
  double sum = 0;
  const auto x = rows.numeric[a], y = rows.numeric[b];
  for (std::size_t j = 0; j < x.size(); ++j) sum += precision[j] * (x[j] - y[j]) * (x[j] - y[j]);
  const int *from = rows.levels_of(a), *to = rows.levels_of(b);
  for (std::size_t g = 0; g < rows.groups; ++g) sum += from[g] != to[g] ? 1 : 0;
  return sum;
}

std::vector<double> inverse_variances(const MixedRows& rows) {
  std::vector<double> found(rows.numeric.cols);
  const auto n = static_cast<double>(rows.size());
  for (std::size_t j = 0; j < found.size(); ++j) {
    double sum = 0, square = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) sum += rows.numeric[i][j];
    for (std::size_t i = 0; i < rows.size(); ++i) square += std::pow(rows.numeric[i][j] - sum / n, 2);
    found[j] = square > 1e-20 * n ? n / square : 0;
  }
  return found;
}

// The nearest centre of each row; the centres are rows chosen by k-means++ seeding.
std::vector<std::size_t> seeded_clusters(const MixedRows& rows, std::size_t clusters, Random& random) {
  const std::vector<double> precision = inverse_variances(rows);
  std::vector<std::size_t> cluster(rows.size());
  std::vector<double> squared(rows.size(), std::numeric_limits<double>::infinity());
  std::size_t centre = random.index(rows.size());
  for (std::size_t k = 0; k < clusters; ++k) {
    double total = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double at = distance(rows, i, centre, precision);
      if (at < squared[i]) squared[i] = at, cluster[i] = k;
      total += squared[i];
    }
    double left = random.uniform() * total;
    centre = 0;
    while (centre + 1 < rows.size() && left >= squared[centre]) left -= squared[centre++];
  }
  return cluster;
}

}  // namespace

ProductsEm::ProductsEm(std::size_t components, const ProductsEmOptions& options)
    : options_(&options), components_(components) {
  columns_ = options.columns.numeric.size();
  for (const auto& group : options.columns.groups) columns_ += group.size();
  const std::size_t numbers = options.columns.numeric.size() * components;
  weights_.assign(components, 1.0 / static_cast<double>(components));
  for (auto* list : {&means_, &half_precisions_, &sum_, &square_}) list->assign(numbers, 0.0);
  for (const double least : options.least_variance) variances_.insert(variances_.end(), components, least);
  for (auto* list : {&levels_, &log_levels_, &level_count_}) list->assign(columns_ * components, 0.0);
  for (auto* list : {&count_, &log_weights_, &shares_}) list->assign(components, 0.0);
}

void ProductsEm::clear() {
  for (auto* list : {&count_, &sum_, &square_, &level_count_}) std::ranges::fill(*list, 0.0);
}

void ProductsEm::add(const MixedRows& rows, std::size_t row) {
  const std::size_t n = components_;
  const double* share = shares_.data();
  double* all = count_.data();
  for (std::size_t k = 0; k < n; ++k) all[k] += share[k];
  for (std::size_t j = 0; j < rows.numeric.cols; ++j) {
    const double x = rows.numeric[row][j], x_squared = x * x;
    double *sum = sum_.data() + j * n, *square = square_.data() + j * n;
    for (std::size_t k = 0; k < n; ++k) sum[k] += share[k] * x;
    for (std::size_t k = 0; k < n; ++k) square[k] += share[k] * x_squared;
  }
  for (std::size_t g = 0; g < rows.groups; ++g) {
    double* count = level_count_.data() + static_cast<std::size_t>(rows.levels_of(row)[g]) * n;
    for (std::size_t k = 0; k < n; ++k) count[k] += share[k];
  }
}

void ProductsEm::start(const MixedRows& rows, Random& random) {
  const std::vector<std::size_t> cluster = seeded_clusters(rows, components_, random);
  clear();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::ranges::fill(shares_, 0.0);
    shares_[cluster[i]] = 1;
    add(rows, i);
  }
  rows_ = static_cast<double>(rows.size());
  maximise();
}

double ProductsEm::log_density(const MixedRows& rows, std::size_t row) {
  const std::size_t n = components_;
  double* e = shares_.data();
  std::ranges::copy(log_weights_, e);
  for (std::size_t j = 0; j < rows.numeric.cols; ++j) {
    const double x = rows.numeric[row][j];
    const double *mean = means_.data() + j * n, *half = half_precisions_.data() + j * n;
    for (std::size_t k = 0; k < n; ++k) e[k] -= (x - mean[k]) * (x - mean[k]) * half[k];
  }
  for (std::size_t g = 0; g < rows.groups; ++g) {
    const double* level = log_levels_.data() + static_cast<std::size_t>(rows.levels_of(row)[g]) * n;
    for (std::size_t k = 0; k < n; ++k) e[k] += level[k];
  }
  const double peak = *std::ranges::max_element(shares_);
  double total = 0;
  for (double& share : shares_) {
    share = share - peak < negligible ? 0 : std::exp(share - peak);
    total += share;
  }
  for (double& share : shares_) share /= total;
  return peak + std::log(total);
}

double ProductsEm::expect(const MixedRows& rows) {
  clear();
  double total = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    total += log_density(rows, i);
    add(rows, i);
  }
  rows_ = static_cast<double>(rows.size());
  return total;
}

void ProductsEm::maximise_levels(const std::vector<int>& group) {
  for (const int c : group) {
    const double* count = level_count_.data() + static_cast<std::size_t>(c) * components_;
    double all = 1;
    for (std::size_t k = 0; k < components_; ++k) all += count[k];
    const double overall = all / (rows_ + static_cast<double>(group.size()));
    double* level = levels_.data() + static_cast<std::size_t>(c) * components_;
    for (std::size_t k = 0; k < components_; ++k)
      level[k] = (count[k] + prior_rows * overall) / (count_[k] + prior_rows);
  }
}

void ProductsEm::maximise() {
  double total = 0;
  for (std::size_t k = 0; k < components_; ++k) total += weights_[k] = std::max(count_[k], empty_component);
  for (double& weight : weights_) weight /= total;
  for (std::size_t i = 0; i < means_.size(); ++i) {
    const double count = count_[i % components_], least = options_->least_variance[i / components_];
    if (count <= empty_component) continue;  // an empty component is not updated
    means_[i] = sum_[i] / count;
    variances_[i] = std::max(square_[i] / count - means_[i] * means_[i], least);
  }
  for (const auto& group : options_->columns.groups) maximise_levels(group);
  prepare();
}

void ProductsEm::prepare() {
  for (std::size_t k = 0; k < components_; ++k) log_weights_[k] = std::log(weights_[k]);
  for (std::size_t i = 0; i < means_.size(); ++i) {
    half_precisions_[i] = 0.5 / variances_[i];
    log_weights_[i % components_] -= 0.5 * std::log(2 * std::numbers::pi * variances_[i]);
  }
  for (std::size_t i = 0; i < levels_.size(); ++i) log_levels_[i] = levels_[i] > 0 ? std::log(levels_[i]) : 0;
}

void ProductsEm::run(const MixedRows& rows, int rounds) {
  double before = -std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; ++round) {
    log_likelihood_ = expect(rows);
    if (log_likelihood_ - before < em_tolerance * rows_) return;
    before = log_likelihood_;
    maximise();
  }
  log_likelihood_ = expect(rows);
}

ProductsEm ProductsEm::fit(const MixedRows& rows, std::size_t components, const ProductsEmOptions& options) {
  Random random(options.seed);
  // A single component has only one optimum.
  std::vector<ProductsEm> trials(components == 1 ? 1 : options.starts, ProductsEm(components, options));
  for (ProductsEm& trial : trials) {
    trial.start(rows, random);
    trial.run(rows, short_products_run);
  }
  const auto better = [](const ProductsEm& a, const ProductsEm& b) {
    return a.log_likelihood_ > b.log_likelihood_;
  };
  std::ranges::stable_sort(trials, better);
  trials.erase(trials.begin() + static_cast<std::ptrdiff_t>((trials.size() + 2) / 3), trials.end());
  for (ProductsEm& trial : trials) trial.run(rows, long_products_run);
  return *std::ranges::min_element(trials, better);
}

Products ProductsEm::products() const {
  Products found{weights_, Matrix(components_, columns_), Matrix(components_, columns_),
                 Matrix(components_, columns_), std::vector<int>(columns_, -1)};
  std::ranges::fill(found.variances.values, 1.0);
  const auto& [numeric, groups] = options_->columns;
  for (std::size_t k = 0; k < components_; ++k) {
    for (std::size_t j = 0; j < numeric.size(); ++j) {
      found.means[k][numeric[j]] = means_[j * components_ + k];
      found.variances[k][numeric[j]] = variances_[j * components_ + k];
    }
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (const int c : groups[g]) {
        found.log_levels[k][c] = log_levels_[static_cast<std::size_t>(c) * components_ + k];
        found.group[c] = static_cast<int>(g);
      }
    }
  }
  return found;
}

}  // namespace scfe
