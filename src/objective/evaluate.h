// What both solvers ask of the equation, for many points at once: the margins of the wish and the
// log-density of the wished class, each with its gradient. A block holds points of one wished class; whom
// a lane belongs to is nobody's business here.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "kernel/kernels.h"
#include "model/score_one.h"
#include "query/query.h"
#include "validity/rounded_margins.h"

namespace scfe {

struct Ask {
  std::size_t margin_gradients = 0;  // of that many of the strongest rivals
  bool density = false;
  bool density_gradient = false;
};

// One per thread. Nothing is allocated after construction.
class Terms {
 public:
  Terms(const Query& query, std::size_t max_lanes);

  // Points u[column][lane] in the work space, with each lane's density anchor.
  void evaluate(const Block& u, const Block& anchors, const Ask& ask);
  // At u = from + w, which is set.
  void evaluate(const Block& from, const Block& w, Block& u, const Block& anchors, const Ask& ask);
  // The same, with the model's input x given beside u: as it will be read from a file, to the last bit.
  void evaluate(const Block& u, const Block& x, const Block& anchors, const Ask& ask);

  // The row behind a lane of the next evaluation: a model that computes in double scores it unrounded.
  // (Gradients are those at the block's point.)
  void set_values(std::size_t lane, std::span<const double> values);

  // At the last point: factor[lane] times the gradient of the smallest margin; lanes whose factor is 0 hold
  // anything. Nothing is differentiated where every factor is 0. It stands until the next evaluate, and may
  // take the place of margin_gradient(0).
  kernel::Scaled pull_margin(const float* factor);

  std::size_t columns() const { return query_.fitted.space.columns(); }
  std::size_t max_lanes() const { return x_.capacity(); }
  const Query& query() const { return query_; }

  const Block& margins() const { return margins_; }
  const Block& margin_gradient(std::size_t r) const { return margin_gradients_[r]; }
  const float* log_density() const { return log_density_.data(); }
  const Block& density_gradient() const { return density_gradient_; }
  const Block& weights() const { return weights_; }

 private:
  void score_unrounded();

  const Query& query_;
  std::unique_ptr<Model::Tape> tape_;
  std::optional<ScoreOne> score_one_;      // of a model that computes in double
  std::optional<RoundedMargins> rounded_;  // of a model with hard decisions inside
  Block x_, scores_, seed_, margins_, input_gradient_, density_gradient_, weights_;
  std::vector<Block> margin_gradients_;
  std::vector<int> rival_;
  std::vector<float> log_density_, scratch_;
  std::vector<std::span<const double>> unrounded_;  // inputs of each lane whose values were set; else empty
  std::vector<double> inputs_of_lanes_;
};

}  // namespace scfe
