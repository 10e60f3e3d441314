// The non-smooth part of the equation: sparsity(w) over the box, w = x - x_f.
//
// The prox is taken of sparsity and box together: thresholding followed by clamping is not the prox of their
// sum. The box always contains 0.
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

// The nearest point of [lo, hi]. std::clamp could trap on the undefined bounds of padding lanes.
template <class Number>
constexpr Number bounded(Number v, Number lo, Number hi) {
  return v < lo ? lo : hi < v ? hi : v;
}

class Prox {
 public:
  virtual ~Prox() = default;
  // w[.][lane] = argmin over the box of |w - v|² / (2 step[lane]) + sparsity(w); exact.
  virtual void prox(const Block& v, const float* step, const Box& box, Block& w) const = 0;
  // The same at v = z - step gradient (a forward-backward step). `shifted` is scratch space for v. Returns
  // true if the value or gradient of a lane is not finite.
  virtual bool descend(const kernel::Descent& step, const Box& box, Block& shifted, Block& w) const;
  // value[lane] = sparsity(w); for top_m 0, or infinity beyond the limit.
  virtual void value(const Block& w, float* value) const = 0;
};

// The parameters of an operator.
struct Sparsity {
  double beta = 0;         // weight of a penalty
  int max_changes = 0;     // the limit m of top_m
  std::vector<int> group;  // of each column, for counting changes (l0, top_m): a one-hot group is one
                           // change. Empty: each column is its own group
  bool one_hot = false;    // columns of a group are shares of one whole (one_hot.h) and pay once
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
