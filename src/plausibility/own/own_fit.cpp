#include <algorithm>
#include <cmath>
#include <numeric>

#include "plausibility/own/own.h"
#include "scfe/error.h"
#include "scfe/text.h"

namespace scfe {
namespace {

constexpr std::size_t lanes_at_once = 64;

// log q and its gradient at some rows.
struct Sample {
  std::vector<double> values;
  Matrix gradients;
};

Sample evaluate_rows(const Density& density, const Matrix& rows, std::span<const std::size_t> chosen) {
  Sample sample{{}, Matrix(chosen.size(), rows.cols)};
  Block x(rows.cols, lanes_at_once), anchors(rows.cols, lanes_at_once), gradient(rows.cols, lanes_at_once);
  std::vector<float> value(padded(lanes_at_once));
  for (std::size_t first = 0; first < chosen.size(); first += lanes_at_once) {
    const std::size_t lanes = std::min(lanes_at_once, chosen.size() - first);
    for (Block* block : {&x, &anchors, &gradient}) block->set_lanes(lanes);
    for (std::size_t lane = 0; lane < lanes; ++lane)
      for (std::size_t j = 0; j < rows.cols; ++j)
        x[j][lane] = static_cast<float>(rows[chosen[first + lane]][j]);
    density.evaluate(x, anchors, value.data(), &gradient, nullptr, nullptr);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      sample.values.push_back(value[lane]);
      for (std::size_t j = 0; j < rows.cols; ++j) sample.gradients[first + lane][j] = gradient[j][lane];
    }
  }
  return sample;
}

std::string text_of(double value) { return std::isnan(value) ? "nan" : number(value); }

// Rows are numbered from 1, as in the user's table.
void expect_finite(const Sample& sample, std::span<const std::size_t> chosen, const DensityOptions& options) {
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const std::size_t place = options.places.empty() ? chosen[i] : options.places[chosen[i]];
    const std::string where = options.own->source + ": training row " + std::to_string(place + 1);
    if (!std::isfinite(sample.values[i]))
      throw Error(where, "a finite log-density", text_of(sample.values[i]));
    for (const double slope : sample.gradients[i])
      if (!std::isfinite(slope)) throw Error(where, "a finite gradient of the log-density", text_of(slope));
  }
}

// c of own.h; 1 if the rows say nothing about it.
double log_density_unit(const Sample& sample, const Matrix& rows, std::span<const std::size_t> chosen) {
  std::vector<double> mean(rows.cols), units;
  for (const std::size_t row : chosen)
    for (std::size_t j = 0; j < rows.cols; ++j) mean[j] += rows[row][j] / static_cast<double>(chosen.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < rows.cols; ++j)
      sum -= sample.gradients[i][j] * (rows[chosen[i]][j] - mean[j]);
    units.push_back(sum / static_cast<double>(rows.cols));
  }
  std::ranges::sort(units);
  const double middle = units[units.size() / 2];
  return middle > 1e-9 ? middle : 1;
}

// kappa of own.h.
std::vector<double> estimated_curvature(const Matrix& gradients, double unit) {
  std::vector<double> means(gradients.cols), squares(gradients.rows);
  const std::size_t kept = std::max<std::size_t>(1, gradients.rows - gradients.rows / 10);
  for (std::size_t j = 0; j < gradients.cols; ++j) {
    for (std::size_t i = 0; i < gradients.rows; ++i) squares[i] = gradients[i][j] * gradients[i][j];
    std::ranges::sort(squares);
    means[j] = std::accumulate(squares.begin(), squares.begin() + static_cast<std::ptrdiff_t>(kept), 0.0) /
               static_cast<double>(kept) / unit;
  }
  return means;
}

std::string summary_of(const DensityOptions& options, std::size_t rows) {
  const std::size_t scores = options.own->model->scores(), bytes = options.own->onnx.size();
  return "own: " + options.own->source + (bytes > 0 ? ", " + std::to_string(bytes) + " bytes" : "") +
         (scores > 1 ? ", output " + std::to_string(options.own_score + 1) + " of " + std::to_string(scores)
                     : "") +
         (options.own_inputs.input.empty() ? ", of the work space" : ", of the model's inputs") +
         "; floors from " + std::to_string(rows) + (rows == 1 ? " row" : " rows");
}

}  // namespace

FittedDensity fit_own(const Matrix& rows, const DensityOptions& options) {
  check_density_input(rows, options);
  if (options.own == nullptr) throw Error("density", "a log-density of your own (FILE.onnx)", "none");
  if (!options.scale.empty()) throw Error("scale", "none for a density of your own", "one for each column");
  // A graph takes about two multiplications for each of its weights, of four bytes.
  const std::size_t multiplications = options.own->onnx.size() / 2;
  const auto cost = static_cast<double>(multiplications + rows.cols);
  const std::vector<std::size_t> chosen = held_out_rows(rows.rows, cost, options.seed);
  const Own unfitted(*options.own, options.own_score, options.own_inputs, std::vector<double>(rows.cols));
  const Sample sample = evaluate_rows(unfitted, rows, chosen);
  expect_finite(sample, chosen, options);
  std::vector<double> kappa = estimated_curvature(sample.gradients, log_density_unit(sample, rows, chosen));
  FittedDensity fitted;
  fitted.density =
      std::make_shared<Own>(*options.own, options.own_score, options.own_inputs, std::move(kappa));
  fitted.held_out = sample.values;
  std::ranges::sort(fitted.held_out);
  fitted.summary = summary_of(options, chosen.size());
  return fitted;
}

}  // namespace scfe
