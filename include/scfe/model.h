// The classifier: scores (logits) for a block of points, and the gradient of any weighted sum of them.
//
// One score means two classes: class 1 if the score is > 0. With several scores the largest wins. A final
// sigmoid, softmax or argmax is removed: the class is the same, and the gradient does not vanish.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "scfe/block.h"
#include "scfe/matrix.h"

namespace scfe {

struct Ensemble;
struct Layer;

class Model {
 public:
  // What forward stores for backward. One per thread; all its buffers are allocated when it is made.
  class Tape {
   public:
    virtual ~Tape() = default;
  };

  virtual ~Model() = default;
  virtual std::size_t features() const = 0;
  virtual std::size_t scores() const = 0;
  std::size_t classes() const { return scores() == 1 ? 2 : scores(); }

  virtual std::unique_ptr<Tape> tape(std::size_t max_lanes) const = 0;
  // scores[k][lane] of x[feature][lane], both in the model's own units.
  virtual void forward(const Block& x, Block& scores, Tape& tape) const = 0;
  // gradient = J' seed at the last forward's point: seed[k][lane] -> gradient[feature][lane].
  virtual void backward(const Block& seed, Block& gradient, Tape& tape) const = 0;

  // How many points a call should have, if there are that many. More than these 64 suit a model whose calls
  // are expensive, whatever they compute, such as functions of an interpreter.
  static constexpr std::size_t usual_lanes = 64;
  virtual std::size_t preferred_lanes() const { return usual_lanes; }

  // True if it computes in double. Blocks hold floats. forward_one and backward_one take one point in double;
  // a model that computes in single precision rounds it first.
  virtual bool in_double() const { return false; }
  virtual void forward_one(std::span<const double> x, std::span<double> scores, Tape& tape) const;
  // The same bits for several points: scores[point * scores() + k].
  virtual void forward_each(std::span<const std::span<const double>> points, std::span<double> scores,
                            Tape& tape) const;
  virtual void backward_one(std::span<const double> seed, std::span<double> gradient, Tape& tape) const;

  // What the model's own output is if it has one score: the sigmoid of the score, a number (a regression
  // model), or unknown.
  enum class Output { unknown, sigmoid, number };
  virtual Output output() const { return Output::unknown; }

  // What the model is, where it is nothing else: a tree ensemble over its inputs, or one linear layer.
  // Solvers with a proof look here.
  virtual const Ensemble* ensemble() const { return nullptr; }
  virtual const Layer* linear() const { return nullptr; }
  // The layers in double precision if the model is a dense network, else empty.
  virtual std::span<const Layer> layers() const { return {}; }
};

// A layer, and the activation after it by its name (docs/formats.md): "relu", "tanh", ...
struct Layer {
  Matrix weight;             // out x in
  std::vector<double> bias;  // out
  std::string activation;    // "relu", "tanh", ... or "none"
};

// A dense network; one layer without activation is a linear or softmax classifier. A last activation
// "sigmoid" or "softmax" is removed.
std::shared_ptr<const Model> dense_network(std::vector<Layer> layers);

// The user's own model: computes the scores of one point x, and the gradient of seed·scores. Called from
// several threads at once.
//
// For a black box leave `gradient` empty: central differences are used instead. That is slow: a gradient then
// costs 2 x features calls of `value`, and a given one about as much as two. Its error is about 1e-4 of the
// scores' size.
struct Callback {
  std::size_t features = 0;
  std::size_t scores = 0;
  std::function<void(std::span<const float> x, std::span<float> scores)> value;
  std::function<void(std::span<const float> x, std::span<const float> seed, std::span<float> gradient)>
      gradient;  // empty: central differences of value
};
std::shared_ptr<const Model> callback_model(Callback callback);

// A dense network from a JSON file; docs/formats.md has the format.
std::shared_ptr<const Model> read_model_json(const std::string& path);

}  // namespace scfe
