// Small models and densities with exact derivatives, computed in double, for tests of code that uses them.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "plausibility/density.h"
#include "scfe/model.h"

namespace scfe::test {

// score_k = bias_k + sum_j linear_kj x_j + square_kj x_j²
class QuadraticModel final : public Model {
 public:
  QuadraticModel(Matrix linear, Matrix square, std::vector<double> bias)
      : linear_(std::move(linear)), square_(std::move(square)), bias_(std::move(bias)) {}

  std::size_t features() const override { return linear_.cols; }
  std::size_t scores() const override { return linear_.rows; }

  struct Point final : Tape {
    Block x;
  };
  std::unique_ptr<Tape> tape(std::size_t max_lanes) const override {
    auto point = std::make_unique<Point>();
    point->x = Block(features(), max_lanes);
    return point;
  }
  void forward(const Block& x, Block& scores, Tape& tape) const override {
    Block& kept = static_cast<Point&>(tape).x;
    kept.set_lanes(x.lanes());
    for (std::size_t lane = 0; lane < x.lanes(); ++lane) {
      for (std::size_t j = 0; j < features(); ++j) kept[j][lane] = x[j][lane];
      for (std::size_t k = 0; k < bias_.size(); ++k) {
        double score = bias_[k];
        for (std::size_t j = 0; j < features(); ++j)
          score += (linear_[k][j] + square_[k][j] * x[j][lane]) * x[j][lane];
        scores[k][lane] = static_cast<float>(score);
      }
    }
  }
  void backward(const Block& seed, Block& gradient, Tape& tape) const override {
    const Block& x = static_cast<Point&>(tape).x;
    for (std::size_t j = 0; j < features(); ++j)
      for (std::size_t lane = 0; lane < seed.lanes(); ++lane) {
        double slope = 0;
        for (std::size_t k = 0; k < bias_.size(); ++k)
          slope += seed[k][lane] * (linear_[k][j] + 2 * square_[k][j] * x[j][lane]);
        gradient[j][lane] = static_cast<float>(slope);
      }
  }

 private:
  Matrix linear_, square_;
  std::vector<double> bias_;
};

// log sum_i exp(log_weight_i - 1/2 sum_j ((x_j - centre_ij) / spread_ij)²)
class MixtureDensity final : public Density {
 public:
  MixtureDensity(Matrix centre, Matrix spread, std::vector<double> log_weight)
      : centre_(std::move(centre)), spread_(std::move(spread)), log_weight_(std::move(log_weight)) {}

  std::size_t features() const override { return centre_.cols; }
  std::size_t scratch(std::size_t /*max_lanes*/) const override { return 0; }
  void anchor(std::span<const float> /*factual*/, std::span<float> anchor) const override {
    std::fill(anchor.begin(), anchor.end(), 0.0F);
  }
  void evaluate(const Block& x, const Block& /*anchors*/, float* value, Block* gradient, Block* /*weights*/,
                float* /*scratch*/) const override {
    std::vector<double> part(centre_.rows);
    for (std::size_t lane = 0; lane < x.lanes(); ++lane) {
      for (std::size_t i = 0; i < centre_.rows; ++i) {
        part[i] = log_weight_[i];
        for (std::size_t j = 0; j < x.features(); ++j)
          part[i] -= std::pow((x[j][lane] - centre_[i][j]) / spread_[i][j], 2) / 2;
      }
      const double peak = *std::max_element(part.begin(), part.end());
      double sum = 0;
      for (double& p : part) sum += p = std::exp(p - peak);
      value[lane] = static_cast<float>(peak + std::log(sum));
      if (gradient == nullptr) continue;
      for (std::size_t j = 0; j < x.features(); ++j) {
        double slope = 0;
        for (std::size_t i = 0; i < centre_.rows; ++i)
          slope += part[i] / sum * (centre_[i][j] - x[j][lane]) / std::pow(spread_[i][j], 2);
        (*gradient)[j][lane] = static_cast<float>(slope);
      }
    }
  }
  void curvature(std::span<const float> /*weights*/, std::span<const int> /*support*/,
                 std::span<double> /*kappa*/) const override {}

 private:
  Matrix centre_, spread_;
  std::vector<double> log_weight_;
};

// log q = -|x - anchor|². The anchor of the i-th factual is the i-th one given.
class GravityDensity final : public Density {
 public:
  explicit GravityDensity(Matrix anchors) : anchors_(std::move(anchors)) {}

  std::size_t features() const override { return anchors_.cols; }
  std::size_t scratch(std::size_t /*max_lanes*/) const override { return 0; }
  void anchor(std::span<const float> /*factual*/, std::span<float> anchor) const override {
    for (std::size_t j = 0; j < features(); ++j)
      anchor[j] = static_cast<float>(anchors_[asked_ % anchors_.rows][j]);
    ++asked_;
  }
  void evaluate(const Block& x, const Block& anchors, float* value, Block* gradient, Block* /*weights*/,
                float* /*scratch*/) const override {
    for (std::size_t lane = 0; lane < x.lanes(); ++lane) {
      double sum = 0;
      for (std::size_t j = 0; j < features(); ++j) {
        const double gap = double{x[j][lane]} - anchors[j][lane];
        sum -= gap * gap;
        if (gradient != nullptr) (*gradient)[j][lane] = static_cast<float>(-2 * gap);
      }
      value[lane] = static_cast<float>(sum);
    }
  }
  void curvature(std::span<const float> /*weights*/, std::span<const int> /*support*/,
                 std::span<double> /*kappa*/) const override {}

 private:
  Matrix anchors_;
  mutable std::size_t asked_ = 0;
};

inline Matrix matrix(std::size_t rows, std::size_t cols, std::vector<double> values) {
  Matrix m(rows, cols);
  m.values = std::move(values);
  return m;
}

}  // namespace scfe::test
