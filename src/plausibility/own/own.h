// The user's own log-density: any model whose score is log q (scfe/density_model.h).
//
//     log q(x) = score of the model at its inputs,   gradient by its backward pass
//     kappa_j  = (mean of g_j² over the rows of the class, the largest tenth left out) / c
//     c        = median over rows of the mean over columns of -g_j (x_j - mean_j)
//
// No bound on its curvature is known. kappa is an estimate: for rows that are draws of q, the mean of g_j² is
// the mean of minus the second derivative (the information identity), and the mean of -g_j (x_j - mean_j) is
// 1 (Stein's identity). The latter is c where the value is c times a log-density, such as an autoencoder's
// error in units of its own. The largest tenth is left out because a single row in a steep place would decide
// the mean. search/polish corrects the estimate by what its trials show.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "plausibility/fit.h"
#include "plausibility/own/input_map.h"
#include "scfe/density_model.h"
#include "support/bytes.h"

namespace scfe {

class Own final : public Density {
 public:
  // `kappa`: of each column.
  Own(DensityModel model, std::size_t score, InputMap inputs, std::vector<double> kappa);

  std::size_t features() const override { return kappa_.size(); }
  std::size_t scratch(std::size_t /*max_lanes*/) const override { return 0; }
  void evaluate(const Block& x, const Block& anchors, float* value, Block* gradient, Block* weights,
                float* scratch) const override;
  void curvature(std::span<const float> weights, std::span<const int> support,
                 std::span<double> kappa) const override;
  bool has_curvature_bound() const override { return false; }

  // True if it is given by functions, which no bundle can hold.
  bool is_function() const { return model_.onnx.empty(); }
  const std::string& source() const { return model_.source; }

  void save(ByteWriter& out) const;
  static std::shared_ptr<const Density> load(ByteReader& in);

 private:
  // The buffers of one call. They are reused, so that after the first calls nothing is allocated.
  struct Buffers {
    std::unique_ptr<Model::Tape> tape;
    Block x, scores, seed, gradient;
  };
  std::unique_ptr<Buffers> take(std::size_t lanes) const;

  DensityModel model_;
  std::size_t score_;
  InputMap inputs_;
  std::vector<double> kappa_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Buffers>> free_;
};

// Evaluates options.own on the rows: its values are the held-out values, since the user has fitted it
// already. Throws Error, naming the row, if a value or a gradient is not finite.
FittedDensity fit_own(const Matrix& rows, const DensityOptions& options);

}  // namespace scfe
