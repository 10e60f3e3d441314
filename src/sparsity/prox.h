// The non-smooth part of the equation: sparsity(w) over the box, w = x - x_f.
//
// Sparsity and actionability are proxed together: thresholding and then clamping is not the prox of
// their sum. The box always contains 0.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/kernels.h"
#include "scfe/block.h"
#include "scfe/choices.h"

namespace scfe {

// lo <= w <= hi for each lane, with lo <= 0 <= hi.
struct Box {
  Block lo, hi;
};

// Nearest point of [lo, hi]. Not std::clamp, which may trap on the arbitrary bounds of padding lanes.
template <class Number>
constexpr Number bounded(Number v, Number lo, Number hi) {
  return v < lo ? lo : hi < v ? hi : v;
}

class Prox {
 public:
  virtual ~Prox() = default;
  // w[.][lane] = argmin over the box of |w - v|² / (2 step[lane]) + sparsity(w); exact.
  virtual void prox(const Block& v, const float* step, const Box& box, Block& w) const = 0;
  // The same at v = z - step gradient, a forward-backward step; `shifted` may be used for v. True if a lane
  // is in doubt: its value or gradient is not finite.
  virtual bool descend(const kernel::Descent& step, const Box& box, Block& shifted, Block& w) const;
  // value[lane] = sparsity(w) (0 inside an exact limit).
  virtual void value(const Block& w, float* value) const = 0;
};

// What a row of the catalogue is made from.
struct Sparsity {
  double beta = 0;         // weight of the penalised forms
  int max_changes = 0;     // the exact limit m
  std::vector<int> group;  // of each column, where changes are counted (l0, top_m): a one-hot group is one
                           // change. Empty: each its own
  bool one_hot = false;    // columns of a group are shares of one whole (one_hot.h), and pay as one
};

struct ProxRow {
  SparsityKind kind;
  std::string_view formula;
  std::unique_ptr<Prox> (*make)(const Sparsity&);
  std::string_view name = name_of(kind);
};
std::span<const ProxRow> prox_catalogue();
std::unique_ptr<Prox> make_prox(SparsityKind kind, const Sparsity& sparsity);

}  // namespace scfe
