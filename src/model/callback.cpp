// A model given by user functions that take one point: each lane is copied into a contiguous point.
//
// Without a gradient function, central differences take its place: 2 x features calls of `value` per lane.
//     g_j = sum_k seed_k (s_k(x + h_j e_j) - s_k(x - h_j e_j)) / (2 h_j),   h_j = eps^(1/3) max(1, |x_j|)
// This step balances truncation against rounding for float scores; the error is about 1e-4 of the scores'
// size. It is slow: give the gradient if it is known. Exceptions of the user's functions pass through.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "scfe/error.h"
#include "scfe/model.h"

namespace scfe {
namespace {

constexpr float relative_step = 4.9e-3F;  // eps^(1/3) of float

struct CallbackTape : Model::Tape {
  CallbackTape(std::size_t features, std::size_t scores, std::size_t lanes_)
      : capacity(lanes_),
        points(features * lanes_),
        gradient(features),
        high(scores),
        low(scores),
        seed(scores) {}

  std::size_t capacity, lanes = 0;
  std::vector<float> points;  // [lane][feature]: what the user's functions see
  std::vector<float> gradient, high, low, seed;
};

class CallbackModel : public Model {
 public:
  explicit CallbackModel(Callback callback) : user_(std::move(callback)) {}

  std::size_t features() const override { return user_.features; }
  std::size_t scores() const override { return user_.scores; }
  std::unique_ptr<Tape> tape(std::size_t max_lanes) const override {
    return std::make_unique<CallbackTape>(features(), scores(), max_lanes);
  }

  void forward(const Block& x, Block& scores, Tape& given) const override {
    auto& tape = static_cast<CallbackTape&>(given);
    assert(x.features() == features() && scores.features() == this->scores());
    assert(x.lanes() <= tape.capacity && x.lanes() <= scores.capacity());
    tape.lanes = x.lanes();
    scores.set_lanes(x.lanes());
    for (std::size_t lane = 0; lane < tape.lanes; ++lane) {
      const std::span<float> point = point_of(tape, lane);
      for (std::size_t j = 0; j < features(); ++j) point[j] = x[j][lane];
      user_.value(point, tape.high);
      for (std::size_t k = 0; k < this->scores(); ++k) scores[k][lane] = tape.high[k];
    }
  }

  void backward(const Block& seed, Block& gradient, Tape& given) const override {
    auto& tape = static_cast<CallbackTape&>(given);
    assert(seed.features() == scores() && gradient.features() == features());
    assert(seed.lanes() == tape.lanes && seed.lanes() <= gradient.capacity());
    gradient.set_lanes(seed.lanes());
    for (std::size_t lane = 0; lane < tape.lanes; ++lane) {
      for (std::size_t k = 0; k < scores(); ++k) tape.seed[k] = seed[k][lane];
      const std::span<float> point = point_of(tape, lane);
      if (user_.gradient)
        user_.gradient(point, tape.seed, tape.gradient);
      else
        for (std::size_t j = 0; j < features(); ++j) tape.gradient[j] = difference(tape, point, j);
      for (std::size_t j = 0; j < features(); ++j) gradient[j][lane] = tape.gradient[j];
    }
  }

 private:
  std::span<float> point_of(CallbackTape& tape, std::size_t lane) const {
    return {tape.points.data() + lane * features(), features()};
  }

  float difference(CallbackTape& tape, std::span<float> point, std::size_t feature) const {
    const float centre = point[feature], h = relative_step * std::max(1.0F, std::abs(centre));
    const float above = centre + h, below = centre - h;
    point[feature] = above;
    user_.value(point, tape.high);
    point[feature] = below;
    user_.value(point, tape.low);
    point[feature] = centre;
    double sum = 0;
    for (std::size_t k = 0; k < scores(); ++k)
      sum += double{tape.seed[k]} * (double{tape.high[k]} - double{tape.low[k]});
    return static_cast<float>(sum / (double{above} - double{below}));
  }

  Callback user_;
};

}  // namespace

std::shared_ptr<const Model> callback_model(Callback callback) {
  if (callback.features == 0) throw Error("callback.features", "at least 1", "0");
  if (callback.scores == 0) throw Error("callback.scores", "at least 1", "0");
  if (!callback.value) throw Error("callback.value", "a function", "none");
  return std::make_shared<CallbackModel>(std::move(callback));
}

}  // namespace scfe
