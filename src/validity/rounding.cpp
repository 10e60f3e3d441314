#include "validity/rounding.h"

#include <algorithm>

namespace scfe {
namespace {

constexpr std::size_t block_rows = 64;
// Sixteen times the rounding of one number.
double rounding_of_sums(const Model& model) { return model.in_double() ? 0x1p-49 : 0x1p-20; }

// sum_i |d margin / d x_i| |x_i| for each lane: slopes at `at`, sizes of `x`.
class SizesOfSums {
 public:
  SizesOfSums(const Model& model, const Validity& validity, std::size_t lanes)
      : model_(model),
        validity_(validity),
        tape_(model.tape(lanes)),
        scores_(model.scores(), lanes),
        seed_(model.scores(), lanes),
        margins_(validity.rivals(), lanes),
        slopes_(model.features(), lanes),
        rival_(validity.rivals() * margins_.stride()) {}

  void raise(const Block& at, const Block& x, std::span<double> sizes) {
    for (Block* block : {&scores_, &seed_, &margins_, &slopes_}) block->set_lanes(at.lanes());
    model_.forward(at, scores_, *tape_);
    validity_.margins(scores_, margins_, rival_);
    validity_.seed(scores_, rival_, 0, seed_);
    model_.backward(seed_, slopes_, *tape_);
    for (std::size_t lane = 0; lane < at.lanes(); ++lane) {
      double sum = 0;
      for (std::size_t i = 0; i < x.features(); ++i)
        sum += std::abs(static_cast<double>(slopes_[i][lane]) * static_cast<double>(x[i][lane]));
      if (std::isfinite(sum)) sizes[lane] = std::max(sizes[lane], sum);
    }
  }

 private:
  const Model& model_;
  const Validity& validity_;
  std::unique_ptr<Model::Tape> tape_;
  Block scores_, seed_, margins_, slopes_;
  std::vector<int> rival_;
};

struct Range {
  double lo, hi;
};

// Of each input of the model; those of categories have none.
std::vector<Range> ranges_of_inputs(std::span<const Feature> features) {
  std::vector<Range> ranges;
  for (const Feature& feature : features)
    ranges.insert(ranges.end(), feature.width(),
                  feature.is_category() ? Range{-INFINITY, INFINITY} : Range{*feature.min, *feature.max});
  return ranges;
}

}  // namespace

std::vector<double> required_margins(const Model& model, const Validity& validity,
                                     std::span<const Feature> training_range, const Matrix& inputs,
                                     Pool& pool) {
  std::vector<double> required(inputs.rows, validity.required());
  if (model.ensemble() != nullptr) return required;  // it compares, and its sums do not grow with its inputs
  const double rounding = rounding_of_sums(model);
  const std::vector<Range> ranges = ranges_of_inputs(training_range);
  pool.each((inputs.rows + block_rows - 1) / block_rows, [&](std::size_t piece) {
    const std::size_t first = piece * block_rows, count = std::min(block_rows, inputs.rows - first);
    Block x(inputs.cols, count), near(inputs.cols, count);
    bool is_outside = false;
    for (std::size_t lane = 0; lane < count; ++lane)
      for (std::size_t i = 0; i < inputs.cols; ++i) {
        const double value = inputs[first + lane][i];
        x[i][lane] = static_cast<float>(value);
        near[i][lane] = static_cast<float>(std::clamp(value, ranges[i].lo, ranges[i].hi));
        is_outside = is_outside || near[i][lane] != x[i][lane];
      }
    std::vector<double> sizes(count);
    SizesOfSums sums(model, validity, count);
    sums.raise(x, x, sizes);
    if (is_outside) sums.raise(near, x, sizes);
    for (std::size_t lane = 0; lane < count; ++lane)
      required[first + lane] =
          std::max(validity.required(), validity.decision_margin() + rounding * sizes[lane]);
  });
  return required;
}

}  // namespace scfe
