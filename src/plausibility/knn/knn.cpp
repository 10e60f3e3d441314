#include "plausibility/knn/knn.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "kernel/rows_of.h"
#include "plausibility/index/nearest.h"
#include "plausibility/many_levels.h"
#include "plausibility/mixture/mixture_fit.h"
#include "scfe/error.h"

namespace scfe {
namespace {

constexpr double tip = 1e-4;
constexpr double cost_by_index = 1e6;
constexpr double indicator_scale = 0.5;  // of the columns of categories

std::string error_of(const NearIndex& index) {
  char text[100];
  std::snprintf(text, sizeof text, "; searched in near cells: mean error %.4f of the distance to neighbours",
                index.error());
  return text;
}

// A matrix without rows but with columns marks rows with codes; the group of each column follows.
void save_coded(const CodedRows& coded, ByteWriter& out) {
  const MixedRows& rows = coded.rows();
  Matrix none;
  none.cols = rows.columns;
  out.put_matrix(none);
  std::vector<int> group(rows.columns, -1);
  for (std::size_t g = 0; g < rows.groups; ++g)
    for (const int j : coded.columns().groups[g]) group[static_cast<std::size_t>(j)] = static_cast<int>(g);
  out.put_list(group);
  out.put_matrix(rows.numeric);
  out.put_list(rows.levels);
}

std::shared_ptr<const CodedRows> load_coded(std::size_t columns, ByteReader& in) {
  const auto group = in.get_list<int>();
  in.require(group.size() == columns, "a group for each column", group.size());
  Columns places(group, columns);
  MixedRows rows;
  rows.columns = columns;
  rows.groups = places.groups.size();
  rows.numeric = in.get_matrix();
  rows.levels = in.get_list<int>();
  in.require(rows.groups > 0 && rows.numeric.cols == places.numeric.size() &&
                 rows.levels.size() == rows.numeric.rows * rows.groups,
             "numbers and levels for each row", rows.levels.size());
  for (std::size_t i = 0; i < rows.levels.size(); ++i) {
    const int level = rows.levels[i], own = places.groups[i % rows.groups][0];
    in.require(level >= 0 && std::cmp_less(level, columns) &&
                   group[static_cast<std::size_t>(level)] == group[static_cast<std::size_t>(own)],
               "levels of their categories", level);
  }
  return std::make_shared<CodedRows>(std::move(rows), std::move(places), indicator_scale);
}

}  // namespace

Gravity::Gravity(const Matrix& rows, Form form, std::vector<double> scale, std::uint64_t seed) : form_(form) {
  rows_ = to_density_space(rows, scale);
  set_scale(std::move(scale), rows.cols);
  if (is_indexed(rows.rows, form.metric)) {
    index_ = std::make_shared<NearIndex>(rows_, form.neighbours, form.metric, seed);
    rows_ = {};
  } else {
    originals_ = rows;
  }
}

Gravity::Gravity(const MixedRows& rows, const Columns& columns, Form form, std::vector<double> scale)
    : form_(form) {
  MixedRows scaled = rows;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < columns.numeric.size(); ++j)
      scaled.numeric[i][j] *= scale[static_cast<std::size_t>(columns.numeric[j])];
  coded_ = std::make_shared<CodedRows>(std::move(scaled), columns, indicator_scale);
  set_scale(std::move(scale), rows.columns);
}

Gravity::Gravity(std::shared_ptr<const NearIndex> index, Form form, std::vector<double> scale)
    : index_(std::move(index)), form_(form) {
  set_scale(std::move(scale), index_->features());
}

Gravity::Gravity(std::shared_ptr<const CodedRows> coded, Form form, std::vector<double> scale)
    : coded_(std::move(coded)), form_(form) {
  set_scale(std::move(scale), coded_->rows().columns);
}

void Gravity::set_scale(std::vector<double> scale, std::size_t columns) {
  scale_ = std::move(scale);
  if (scale_.empty()) scale_.assign(columns, 1.0);
  for (const double s : scale_) squared_scale_.push_back(static_cast<float>(s * s));
}

std::vector<Neighbour> Gravity::near(std::span<const double> x, std::size_t count, std::size_t skip) const {
  if (coded_) return coded_->nearest(x, count, skip, form_.metric);
  return index_ ? index_->nearest(x, count, skip) : nearest(rows_, x, count, skip, form_.metric);
}

double Gravity::local_density(std::size_t row) const {
  const std::size_t others = form_.neighbours - (form_.counts_itself ? 1 : 0);
  std::vector<double> at = coded_ ? coded_->point(row) : std::vector<double>(features());
  for (std::size_t j = 0; j < at.size() && !coded_; ++j)
    at[j] = index_ ? index_->coordinate(row, j) : rows_[row][j];
  double sum = 0;
  for (const Neighbour& n : near(at, others, row)) sum += n.distance;
  // Copies of a row have distance 0. The limit keeps their weights finite and comparable.
  return static_cast<double>(form_.neighbours) / std::max(sum, 1e-12);
}

void Gravity::add_row(std::size_t row, double weight, std::span<double> point) const {
  if (!coded_) {
    for (std::size_t j = 0; j < point.size(); ++j)
      point[j] +=
          weight * (index_ ? to_work_space(index_->coordinate(row, j), scale_[j]) : originals_[row][j]);
    return;
  }
  const MixedRows& rows = coded_->rows();
  for (std::size_t j = 0; j < rows.numeric.cols; ++j) {
    const auto column = static_cast<std::size_t>(coded_->columns().numeric[j]);
    point[column] += weight * to_work_space(rows.numeric[row][j], scale_[column]);
  }
  for (std::size_t g = 0; g < rows.groups; ++g)
    point[static_cast<std::size_t>(rows.levels_of(row)[g])] += weight;
}

std::vector<double> Gravity::gravity(std::span<const double> factual, std::size_t skip) const {
  std::vector<double> x(factual.begin(), factual.end()), point(features());
  for (std::size_t j = 0; j < x.size(); ++j) x[j] *= scale_[j];
  double total = 0;
  for (const Neighbour& n : near(x, form_.neighbours, skip)) {
    const double rho = local_density(n.row);
    total += rho;
    add_row(n.row, rho, point);
  }
  for (double& p : point) p /= total;
  return point;
}

double Gravity::log_density(std::span<const double> x, std::span<const double> gravity) const {
  double squared = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double difference = scale_[j] * (x[j] - gravity[j]);
    squared += difference * difference;
  }
  return form_.plain ? tip - std::sqrt(squared + tip * tip) : -squared;
}

void Gravity::anchor(std::span<const float> factual, std::span<float> anchor) const {
  const std::vector<double> point = gravity(std::vector<double>(factual.begin(), factual.end()));
  std::ranges::transform(point, anchor.begin(), [](double p) { return static_cast<float>(p); });
}

void Gravity::evaluate(const Block& x, const Block& anchors, float* value, Block* gradient, Block* weights,
                       float* scratch) const {
  const std::size_t lanes = x.padded_lanes();
  kernel::kernels().attract(features(), squared_scale_.data(), kernel::rows_of(x), kernel::rows_of(anchors),
                            value, gradient ? kernel::rows_of(*gradient) : kernel::Mutable{}, lanes);
  if (!form_.plain) return;
  float* slope = scratch;  // -d log q / d (squared distance), times 2
  for (std::size_t l = 0; l < lanes; ++l) {
    constexpr auto e = static_cast<float>(tip);
    const float root = std::sqrt(e * e - value[l]);
    slope[l] = 1 / root;
    value[l] /= root + e;  // equals e - root, without cancellation near G
  }
  if (weights) std::copy_n(slope, lanes, (*weights)[0]);
  if (!gradient) return;
  for (std::size_t j = 0; j < features(); ++j)
    for (std::size_t l = 0; l < lanes; ++l) (*gradient)[j][l] *= slope[l] / 2;
}

// One component, -1/2 |x - G|² in the density's space; log q follows from the square.
std::optional<Separable> Gravity::separable(std::span<const float> anchor) const {
  Separable terms;
  terms.log_weights = {0};
  terms.centres.assign(anchor.begin(), anchor.end());
  terms.sharp.assign(scale_.begin(), scale_.end());
  terms.form = [](double log_sum) { return 2 * log_sum; };
  if (form_.plain) terms.form = [](double log_sum) { return tip - std::sqrt(tip * tip - 2 * log_sum); };
  return terms;
}

void Gravity::curvature(std::span<const float> weights, std::span<const int> support,
                        std::span<double> kappa) const {
  const double slope = form_.plain ? static_cast<double>(weights[0]) : 2.0;
  for (std::size_t s = 0; s < support.size(); ++s) {
    const double scale = scale_[support[s]];
    kappa[s] = slope * scale * scale;
  }
}

void Gravity::save(ByteWriter& out) const {
  if (coded_) {
    save_coded(*coded_, out);
  } else {
    out.put_matrix(originals_);  // empty: an index follows
    if (index_) index_->save(out);
  }
  out.put(std::uint64_t{form_.neighbours});
  out.put_flag(form_.plain);
  // The metric shares a byte with the flag, so that files without one are read as l2.
  out.put(static_cast<std::uint8_t>(2 * static_cast<unsigned>(form_.metric) + (form_.counts_itself ? 1 : 0)));
  out.put_list(scale_);
}

Gravity Gravity::load(ByteReader& in) {
  const Matrix rows = in.get_matrix();
  std::shared_ptr<const NearIndex> index;
  std::shared_ptr<const CodedRows> coded;
  if (rows.rows == 0 && rows.cols > 0)
    coded = load_coded(rows.cols, in);
  else if (rows.rows == 0)
    index = std::make_shared<NearIndex>(NearIndex::load(in));
  const std::size_t count = coded   ? coded->size()
                            : index ? index->rows()
                                    : rows.rows,
                    columns = index ? index->features() : rows.cols;
  Form form;
  form.neighbours = static_cast<std::size_t>(in.get<std::uint64_t>());
  form.plain = in.get_flag();
  const std::uint8_t both = in.get_choice(6);
  form.counts_itself = both % 2 == 1;
  form.metric = static_cast<Metric>(both / 2);
  std::vector<double> scale = in.get_list<double>();
  in.require(scale.size() == columns, "rows with a scale for each feature", scale.size());
  in.require(form.neighbours >= 1 && form.neighbours <= count, "neighbours among the rows", form.neighbours);
  if (coded) return {std::move(coded), form, std::move(scale)};
  if (index) return {std::move(index), form, std::move(scale)};
  return {rows, form, std::move(scale)};
}

namespace {

// How many neighbours of so many rows are asked for.
std::size_t checked_neighbours(std::size_t rows, const DensityOptions& options) {
  const std::size_t most = options.paper ? rows : rows - 1;
  if (options.neighbours < 1) throw Error("neighbours", "at least 1", std::to_string(options.neighbours));
  if (static_cast<std::size_t>(options.neighbours) > most)
    throw Error("neighbours",
                "at most " + std::to_string(most) +
                    (options.paper ? " (rows of the class)" : " (rows of the class less one)"),
                std::to_string(options.neighbours));
  return static_cast<std::size_t>(options.neighbours);
}

Gravity::Form form_of(std::size_t neighbours, const DensityOptions& options) {
  return {neighbours, options.plain_gravity, options.paper, options.gravity_metric};
}

// `row(i)` is a row in the work space, with a column per level; a distance takes `terms` multiplications.
template <class RowAt>
FittedDensity fitted_gravity(const std::shared_ptr<const Gravity>& gravity, std::size_t rows,
                             std::size_t terms, const RowAt& row, const DensityOptions& options) {
  const auto k = static_cast<std::size_t>(options.neighbours);
  FittedDensity fitted{gravity, {}, "knn: " + std::to_string(k) + " neighbours of " + std::to_string(rows)};
  if (options.gravity_metric != Metric::l2)
    fitted.summary += " in " + std::string(name_of(options.gravity_metric));
  if (gravity->index()) fitted.summary += error_of(*gravity->index());
  const double cost =
      gravity->index() ? cost_by_index : static_cast<double>((k + 1) * rows) * static_cast<double>(terms + 4);
  for (const std::size_t i : held_out_rows(rows, cost, options.seed)) {
    const auto& own = row(i);
    const std::vector<double> point = gravity->gravity(own, i);
    fitted.held_out.push_back(gravity->log_density(own, point));
  }
  std::ranges::sort(fitted.held_out);
  return fitted;
}

}  // namespace

FittedDensity fit_knn(const Matrix& rows, const DensityOptions& options) {
  check_density_input(rows, options);
  const auto gravity =
      std::make_shared<Gravity>(rows, form_of(checked_neighbours(rows.rows, options), options),
                                scale_with(indicator_scale, options), options.seed);
  const auto row = [&](std::size_t i) { return rows[i]; };
  return fitted_gravity(gravity, rows.rows, rows.cols, row, options);
}

FittedDensity fit_knn_levels(const MixedRows& rows, const DensityOptions& options) {
  if (!is_coded(rows)) return fit_knn(rows.matrix(options.group), options);
  check_density_input(rows, options);
  const Columns columns(options.group, rows.columns);
  const auto gravity =
      std::make_shared<Gravity>(rows, columns, form_of(checked_neighbours(rows.size(), options), options),
                                scale_with(indicator_scale, options));
  const CodedRows originals(rows, columns, 1);
  const auto row = [&](std::size_t i) { return originals.point(i); };
  // Points have a column per level, which are filled, but not compared with every row.
  const std::size_t terms = columns.numeric.size() + columns.groups.size();
  return fitted_gravity(gravity, rows.size(), terms, row, options);
}

}  // namespace scfe
