#include "plausibility/knn/knn.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "kernel/rows_of.h"
#include "plausibility/index/nearest.h"
#include "plausibility/mixture/mixture_fit.h"
#include "scfe/error.h"

namespace scfe {
namespace {

constexpr double tip = 1e-4;
constexpr double cost_by_index = 1e6;

std::string error_of(const NearIndex& index) {
  char text[100];
  std::snprintf(text, sizeof text, "; searched in near cells: mean error %.4f of the distance to neighbours",
                index.error());
  return text;
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

Gravity::Gravity(std::shared_ptr<const NearIndex> index, Form form, std::vector<double> scale)
    : index_(std::move(index)), form_(form) {
  set_scale(std::move(scale), index_->features());
}

void Gravity::set_scale(std::vector<double> scale, std::size_t columns) {
  scale_ = std::move(scale);
  if (scale_.empty()) scale_.assign(columns, 1.0);
  for (const double s : scale_) squared_scale_.push_back(static_cast<float>(s * s));
}

std::vector<Neighbour> Gravity::near(std::span<const double> x, std::size_t count, std::size_t skip) const {
  return index_ ? index_->nearest(x, count, skip) : nearest(rows_, x, count, skip, form_.metric);
}

double Gravity::local_density(std::size_t row) const {
  const std::size_t others = form_.neighbours - (form_.counts_itself ? 1 : 0);
  std::vector<double> at(features());
  for (std::size_t j = 0; j < at.size(); ++j) at[j] = index_ ? index_->coordinate(row, j) : rows_[row][j];
  double sum = 0;
  for (const Neighbour& n : near(at, others, row)) sum += n.distance;
  // Copies of a row have distance 0. The limit keeps their weights finite and comparable.
  return static_cast<double>(form_.neighbours) / std::max(sum, 1e-12);
}

std::vector<double> Gravity::gravity(std::span<const double> factual, std::size_t skip) const {
  std::vector<double> x(factual.begin(), factual.end()), point(features());
  for (std::size_t j = 0; j < x.size(); ++j) x[j] *= scale_[j];
  double total = 0;
  for (const Neighbour& n : near(x, form_.neighbours, skip)) {
    const double rho = local_density(n.row);
    total += rho;
    for (std::size_t j = 0; j < x.size(); ++j)
      point[j] +=
          rho * (index_ ? to_work_space(index_->coordinate(n.row, j), scale_[j]) : originals_[n.row][j]);
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

void Gravity::curvature(std::span<const float> weights, std::span<const int> support,
                        std::span<double> kappa) const {
  const double slope = form_.plain ? static_cast<double>(weights[0]) : 2.0;
  for (std::size_t s = 0; s < support.size(); ++s) {
    const double scale = scale_[support[s]];
    kappa[s] = slope * scale * scale;
  }
}

void Gravity::save(ByteWriter& out) const {
  out.put_matrix(originals_);  // empty: an index follows
  if (index_) index_->save(out);
  out.put(std::uint64_t{form_.neighbours});
  out.put_flag(form_.plain);
  // The metric shares a byte with the flag, so that files without one are read as l2.
  out.put(static_cast<std::uint8_t>(2 * static_cast<unsigned>(form_.metric) + (form_.counts_itself ? 1 : 0)));
  out.put_list(scale_);
}

Gravity Gravity::load(ByteReader& in) {
  const Matrix rows = in.get_matrix();
  std::shared_ptr<const NearIndex> index;
  if (rows.rows == 0) index = std::make_shared<NearIndex>(NearIndex::load(in));
  const std::size_t count = index ? index->rows() : rows.rows,
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
  if (index) return {std::move(index), form, std::move(scale)};
  return {rows, form, std::move(scale)};
}

FittedDensity fit_knn(const Matrix& rows, const DensityOptions& options) {
  check_density_input(rows, options);
  const std::size_t most = options.paper ? rows.rows : rows.rows - 1;
  if (options.neighbours < 1) throw Error("neighbours", "at least 1", std::to_string(options.neighbours));
  if (static_cast<std::size_t>(options.neighbours) > most)
    throw Error("neighbours",
                "at most " + std::to_string(most) +
                    (options.paper ? " (rows of the class)" : " (rows of the class less one)"),
                std::to_string(options.neighbours));
  const auto k = static_cast<std::size_t>(options.neighbours);
  const auto gravity = std::make_shared<Gravity>(
      rows, Gravity::Form{k, options.plain_gravity, options.paper, options.gravity_metric},
      scale_with(0.5, options), options.seed);

  FittedDensity fitted{
      gravity, {}, "knn: " + std::to_string(k) + " neighbours of " + std::to_string(rows.rows)};
  if (options.gravity_metric != Metric::l2)
    fitted.summary += " in " + std::string(name_of(options.gravity_metric));
  if (gravity->index()) fitted.summary += error_of(*gravity->index());
  const double cost = gravity->index()
                          ? cost_by_index
                          : static_cast<double>((k + 1) * rows.rows) * static_cast<double>(rows.cols + 4);
  for (const std::size_t i : held_out_rows(rows.rows, cost, options.seed)) {
    const std::vector<double> point = gravity->gravity(rows[i], i);
    fitted.held_out.push_back(gravity->log_density(rows[i], point));
  }
  std::ranges::sort(fitted.held_out);
  return fitted;
}

}  // namespace scfe
