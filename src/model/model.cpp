// The default forward_one and backward_one: a block with a single lane of floats. forward_each: one by one.
#include "scfe/model.h"

namespace scfe {
namespace {

Block one_lane(std::span<const double> values) {
  Block block(values.size(), 1);
  for (std::size_t i = 0; i < values.size(); ++i) block[i][0] = static_cast<float>(values[i]);
  return block;
}

void take_lane(const Block& block, std::span<double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(block[i][0]);
}

}  // namespace

void Model::forward_one(std::span<const double> x, std::span<double> scores, Tape& tape) const {
  Block z(this->scores(), 1);
  forward(one_lane(x), z, tape);
  take_lane(z, scores);
}

void Model::forward_each(std::span<const std::span<const double>> points, std::span<double> scores,
                         Tape& tape) const {
  const std::size_t count = this->scores();
  for (std::size_t i = 0; i < points.size(); ++i)
    forward_one(points[i], scores.subspan(i * count, count), tape);
}

void Model::backward_one(std::span<const double> seed, std::span<double> gradient, Tape& tape) const {
  Block slope(features(), 1);
  backward(one_lane(seed), slope, tape);
  take_lane(slope, gradient);
}

}  // namespace scfe
