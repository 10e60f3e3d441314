// A model with one score that is a sum of functions of single inputs: a linear score, alone or behind
// encoders.
//
//     z = constant + sum_i term_i(x_i)
//
// Models of this form may implement this interface in addition to Model.
#pragma once

#include <memory>
#include <optional>

#include "scfe/model.h"

namespace scfe {

class Additive {
 public:
  virtual ~Additive() = default;
  virtual double term(std::size_t input, double x) const = 0;
  // The slope a, if the term is a x + b for all numbers.
  virtual std::optional<double> slope(std::size_t input) const = 0;
  // |z - the model's own score| <= roundings() · (sum of the sizes of all terms): a size is the sum of the
  // absolute values that are added up for a term. The constant has a size of its own.
  virtual double size(std::size_t input, double x) const = 0;
  virtual double constant_size() const = 0;
  virtual double roundings() const = 0;
};

// Implemented by models that may turn out to be additive.
class MaybeAdditive {
 public:
  virtual ~MaybeAdditive() = default;
  virtual const Additive* additive() const = 0;  // null if the model has another form
};

// The score as a sum; null if the model has another form. The model must outlive it.
std::shared_ptr<const Additive> additive(const Model& model);
// True if it has this form.
bool is_additive(const Model& model);

}  // namespace scfe
