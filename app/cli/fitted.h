// What an Explainer fitted, for those who have to judge answers that it did not give: the scaling and the
// density of each class. Read out of the bytes that Explainer::save gives.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "scfe/bundle.h"

namespace scfe::cli {

struct Typicality {
  double log_density = 0;
  double quantile = 1;  // share of the class's held-out rows that are less typical, or as typical
};

class Fitted {
 public:
  explicit Fitted(const Bundle& bundle);
  ~Fitted();
  Fitted(Fitted&&) noexcept;
  Fitted& operator=(Fitted&&) noexcept;

  bool has_density(int target) const;
  // Of an answer, in the model's input units; the factual says where kNN's gravity lies.
  Typicality typicality(std::span<const double> factual, std::span<const double> answer, int target) const;
  // The log-density that the share rho of the class's held-out rows does not reach.
  double floor(int target, double rho) const;
  // The class's correctly classified training rows in original units, one column.
  std::vector<double> class_values(int target, std::size_t input) const;
  // Names all that was fitted.
  std::uint64_t fingerprint() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The same explainer with other limits; names, types and number of the features stay.
Explainer with_features(const Bundle& bundle, const std::vector<Feature>& features);

}  // namespace scfe::cli
