// Evaluates the model and the density for many points at once: the margins of the target and the log-density
// of the target class, each with its gradient. All points of a block have the same target; which row a lane
// belongs to is not known here.
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
  // Only the first so many lanes get gradients. Fewer than all are for a model that prefers larger blocks
  // than usual: its backward then gets a seed with fewer lanes than forward had.
  std::size_t gradient_lanes = static_cast<std::size_t>(-1);
};

// One per thread. Nothing is allocated after construction.
class Terms {
 public:
  Terms(const Query& query, std::size_t max_lanes);

  // Points u[column][lane] in the work space, with each lane's density anchor.
  void evaluate(const Block& u, const Block& anchors, const Ask& ask);
  // The same at u = from + w; u is overwritten.
  void evaluate(const Block& from, const Block& w, Block& u, const Block& anchors, const Ask& ask);
  // The same with the model's input x given, so that it has exactly the bits that are read from a file.
  void evaluate(const Block& u, const Block& x, const Block& anchors, const Ask& ask);

  // The values of a lane at the next evaluation. A model that computes in double then scores them without
  // rounding to single precision. (Gradients are those at the block's point.)
  void set_values(std::size_t lane, std::span<const double> values);

  // factor[lane] times the gradient of the smallest margin at the last point; empty if every factor is 0.
  // Undefined in lanes whose factor is 0; valid until the next evaluate(). May overwrite margin_gradient(0).
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
  void score(const Block& x);
  void evaluate_density(const Block& u, const Block& anchors, const Ask& ask);
  void evaluate_part(const Block& u, const Block& anchors, std::size_t first, bool gradient);

  const Query& query_;
  std::unique_ptr<Model::Tape> tape_;
  std::optional<ScoreOne> score_one_;      // for a model that computes in double
  std::optional<RoundedMargins> rounded_;  // for a model with hard decisions inside
  Block x_, scores_, seed_, margins_, input_gradient_, density_gradient_, weights_;
  std::vector<Block> margin_gradients_;
  std::vector<int> rival_;
  std::vector<float> log_density_, scratch_;
  std::vector<std::span<const double>> unrounded_;  // inputs of lanes with set_values(); else empty
  std::vector<double> inputs_of_lanes_;
  std::vector<std::span<const double>> asked_;  // the inputs of those lanes, and which they are
  std::vector<std::size_t> asked_lanes_;
  Block part_u_, part_anchors_;  // for a model that prefers larger blocks: some of the lanes
  std::vector<float> part_density_;
};

}  // namespace scfe
