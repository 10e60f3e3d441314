// Blocks [feature][lane] become rows [lane][feature], and one call answers all of them.
//
// Without a gradient, central differences take its place, a whole block of points a call:
//     g_j = sum_k seed_k (s_k(x + h_j e_j) - s_k(x - h_j e_j)) / (2 h_j),   h_j = eps^(1/3) max(1, |x_j|)
//
// One call at a time: the caller's functions are usually those of an interpreter, which runs one thread
// anyway.
#include "c_api/functions_model.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <string>
#include <vector>

#include "c_api/handles.h"

namespace scfe::app {
namespace {

constexpr float difference_step = 4.9e-3F;  // eps^(1/3) of float

thread_local std::string callback_text;

struct FunctionsTape : Model::Tape {
  FunctionsTape(std::size_t features, std::size_t scores, std::size_t most_lanes)
      : points(features * most_lanes),
        moved(2 * features * most_lanes),
        scores_of(2 * scores * most_lanes),
        seed(scores * most_lanes),
        gradient(features * most_lanes) {}
  std::size_t lanes = 0;
  std::vector<float> points, moved, scores_of, seed, gradient;  // [lane][...]
};

class FunctionsModel : public Model {
 public:
  explicit FunctionsModel(const scfe_functions& functions) : user_(functions) {}

  std::size_t features() const override { return user_.features; }
  std::size_t scores() const override { return user_.scores; }
  // A call of an interpreter costs as much as the scores of hundreds of rows by a small model.
  std::size_t preferred_lanes() const override { return 4096; }
  std::unique_ptr<Tape> tape(std::size_t max_lanes) const override {
    return std::make_unique<FunctionsTape>(features(), scores(), max_lanes);
  }

  void forward(const Block& x, Block& scores, Tape& given) const override {
    auto& tape = static_cast<FunctionsTape&>(given);
    tape.lanes = x.lanes();
    scores.set_lanes(x.lanes());
    for (std::size_t lane = 0; lane < tape.lanes; ++lane)
      for (std::size_t j = 0; j < features(); ++j) tape.points[lane * features() + j] = x[j][lane];
    value(tape.lanes, tape.points.data(), tape.scores_of.data());
    for (std::size_t lane = 0; lane < tape.lanes; ++lane)
      for (std::size_t k = 0; k < this->scores(); ++k)
        scores[k][lane] = tape.scores_of[lane * this->scores() + k];
  }

  void backward(const Block& seed, Block& gradient, Tape& given) const override {
    auto& tape = static_cast<FunctionsTape&>(given);
    gradient.set_lanes(seed.lanes());
    for (std::size_t lane = 0; lane < seed.lanes(); ++lane)
      for (std::size_t k = 0; k < scores(); ++k) tape.seed[lane * scores() + k] = seed[k][lane];
    if (user_.vjp != nullptr)
      check([&] {
        return user_.vjp(user_.context, seed.lanes(), tape.points.data(), tape.seed.data(),
                         tape.gradient.data());
      });
    else
      for (std::size_t j = 0; j < features(); ++j) differences(tape, seed.lanes(), j);
    for (std::size_t lane = 0; lane < seed.lanes(); ++lane)
      for (std::size_t j = 0; j < features(); ++j) gradient[j][lane] = tape.gradient[lane * features() + j];
  }

 private:
  template <class Call>
  void check(const Call& call) const {
    const std::lock_guard lock(one_at_a_time_);
    callback_text.clear();
    if (call() != 0)
      throw CallbackFailure(callback_text.empty() ? "the model's function failed" : callback_text);
  }

  void value(std::size_t rows, const float* x, float* scores) const {
    check([&] { return user_.value(user_.context, rows, x, scores); });
  }

  // The derivative by feature j for the first lanes, from one call with every point moved up and down.
  void differences(FunctionsTape& tape, std::size_t lanes, std::size_t j) const {
    const std::size_t d = features(), k_count = scores();
    const auto size = static_cast<std::ptrdiff_t>(lanes * d);
    std::copy_n(tape.points.begin(), size, tape.moved.begin());
    std::copy_n(tape.points.begin(), size, tape.moved.begin() + size);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const float centre = tape.points[lane * d + j], h = difference_step * std::max(1.0F, std::abs(centre));
      tape.moved[lane * d + j] = centre + h;
      tape.moved[(lanes + lane) * d + j] = centre - h;
    }
    value(2 * lanes, tape.moved.data(), tape.scores_of.data());
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const float *high = &tape.scores_of[lane * k_count], *low = &tape.scores_of[(lanes + lane) * k_count];
      double sum = 0;
      for (std::size_t k = 0; k < k_count; ++k)
        sum += double{tape.seed[lane * k_count + k]} * (double{high[k]} - double{low[k]});
      const double width = double{tape.moved[lane * d + j]} - double{tape.moved[(lanes + lane) * d + j]};
      tape.gradient[lane * d + j] = static_cast<float>(sum / width);
    }
  }

  scfe_functions user_;
  mutable std::mutex one_at_a_time_;
};

}  // namespace

std::shared_ptr<const Model> functions_model(const scfe_functions& functions) {
  if (functions.features == 0) throw Error("model: features", "at least 1", "0");
  if (functions.scores == 0) throw Error("model: scores", "at least 1", "0");
  if (functions.value == nullptr) throw Error("model: value", "a function", "NULL");
  return std::make_shared<FunctionsModel>(functions);
}

}  // namespace scfe::app

void scfe_callback_error(const char* text) { scfe::app::callback_text = text == nullptr ? "" : text; }
