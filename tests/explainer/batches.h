// Batches in which some rows are special, and the comparison of all bits of their answers: asked alone and
// among others, in several orders, on one thread and on three.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "scfe/diagnostics.h"
#include "scfe/explainer.h"
#include "tests/helper/clouds.h"

namespace scfe::test {

// What was compared, so that a test cannot pass without comparing anything.
struct Tally {
  int rows = 0, answers = 0, hints = 0, proofs = 0, stable = 0, not_finite = 0;
  std::set<Hint::Kind> kinds;  // of hints
};

struct Batch {
  Explainer explainer;
  Matrix rows;
  std::vector<Target> targets;  // empty: that of the options
  std::vector<RowLimits> limits;
  bool has_broken_row = false;  // the model is not finite at the last row
};

namespace place {
constexpr std::size_t ordinary = 8, far = 8, own_floor = 9, own_limit = 10, already = 11, broken = 12,
                      all = 13;
}

inline float score_of(const Model& model, std::span<const double> row, std::size_t k) {
  const auto tape = model.tape(1);
  Block x(model.features(), 1), scores(model.scores(), 1);
  for (std::size_t j = 0; j < row.size(); ++j) x[j][0] = static_cast<float>(row[j]);
  model.forward(x, scores, *tape);
  return scores[k][0];
}

inline bool is_finite_at(const Model& model, std::span<const double> row) {
  for (std::size_t k = 0; k < model.scores(); ++k)
    if (!std::isfinite(score_of(model, row, k))) return false;
  return true;
}

// Ordinary rows; then one far outside of the training range, one with a floor of its own, one with limits of
// its own, one that has its target class, and one at which the model is not finite, unless it always is.
// `numbers`: inputs that are numbers, which may take any value.
inline Batch make_batch(const Explainer& explainer, const Model& model, const Training& training,
                        std::vector<std::size_t> numbers = {}) {
  if (numbers.empty()) {
    numbers.resize(model.features());
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  }
  Batch batch{explainer, first_rows(training.rows, place::all), {}, {}};
  batch.rows[place::far][numbers[0]] = 1e4;
  for (const std::size_t j : numbers) {
    batch.rows[place::broken][j] = 3e38;
    batch.has_broken_row = !is_finite_at(model, batch.rows[place::broken]);
    if (batch.has_broken_row) break;
  }
  const int classes = static_cast<int>(explainer.classes());
  for (const int predicted : explainer.predict(batch.rows))
    batch.targets.push_back((predicted + 1) % classes);
  batch.targets[place::already] = explainer.predict(batch.rows)[place::already];
  batch.limits.resize(batch.rows.rows);
  if (explainer.options().density != DensityKind::none)
    batch.limits[place::own_floor].log_density =
        Diagnostics(explainer).floor(batch.targets[place::own_floor].number(), 0.3);
  batch.limits[place::own_limit].features.push_back({.feature = 1, .min = {}, .max = {}, .fixed = true});
  return batch;
}

inline std::vector<std::vector<Explanation>> ask(const Batch& batch, const Options& options,
                                                 const std::vector<std::size_t>& order) {
  Matrix rows(order.size(), batch.rows.cols);
  std::vector<Target> targets;
  std::vector<RowLimits> limits;
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::ranges::copy(batch.rows[order[i]], rows[i].begin());
    if (!batch.targets.empty()) targets.push_back(batch.targets[order[i]]);
    if (!batch.limits.empty()) limits.push_back(batch.limits[order[i]]);
  }
  return batch.explainer.explain_all(rows, options, targets, limits);
}

// Every member of an explanation as text. Numbers are written as their bits, so that NaN is itself and -0 is
// not 0.
class Bits {
 public:
  explicit Bits(const Explanation& e) {
    out_ << status_name(e.status) << " '" << e.reason() << "' " << e.predicted << " to " << e.target
         << "\nrow";
    for (const double value : e.counterfactual) add("", value);
    out_ << "\nchanges";
    for (const FeatureChange& change : e.changes) {
      out_ << ' ' << change.feature;
      add(":", change.from);
      add("to", change.to);
      add("room", change.room);
    }
    out_ << '\n';
    add("probability", e.probability);
    add("margin", e.margin);
    add("output", e.output);
    add("l2", e.l2);
    add("l1", e.l1);
    out_ << " metric " << static_cast<int>(e.metric);
    add("distance", e.distance);
    add("log_density", e.log_density);
    add("quantile", e.quantile);
    add("lower_bound", e.lower_bound);
    add("stable_margin", e.stable_margin);
    out_ << "\ngradients " << e.gradients << " timed out " << e.timed_out << " proof "
         << static_cast<int>(e.proof) << " '" << e.certificate << "' stability "
         << stability_name(e.stability) << " allowed " << e.allowed_changes << " knee " << e.knee;
    for (const NumberRoom& room : e.rooms) {
      out_ << " room of " << room.feature;
      add("", room.room);
    }
    for (const Hint& hint : e.hints) {
      out_ << "\nhint " << static_cast<int>(hint.kind) << " '" << hint.text << "'";
      add("value", hint.value);
      add("l2", hint.l2);
      add("distance", hint.distance);
      add("reached", hint.reached);
    }
  }
  std::string text() const { return out_.str(); }

 private:
  void add(const char* name, double value) {
    out_ << ' ' << name << ' ' << value << '#' << std::hex << std::bit_cast<std::uint64_t>(value) << std::dec;
  }
  std::ostringstream out_;
};

inline std::string bits_of(const std::vector<Explanation>& list) {
  std::string all;
  for (const Explanation& e : list) all += Bits(e).text() + "\n";
  return all;
}

// All rows; backwards; shuffled; and only some of them.
inline std::vector<std::vector<std::size_t>> orders_of(std::size_t rows, std::uint64_t seed) {
  std::vector<std::size_t> all(rows);
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<std::vector<std::size_t>> orders = {all, {all.rbegin(), all.rend()}, all, all};
  Uniform random(seed);
  for (std::size_t k = 2; k < orders.size(); ++k)
    for (std::size_t i = rows - 1; i > 0; --i)
      std::swap(orders[k][i], orders[k][static_cast<std::size_t>(random.integer(0, static_cast<int>(i)))]);
  orders[3].resize(rows - rows / 4);
  return orders;
}

inline void count(const std::vector<Explanation>& list, Tally& tally) {
  ++tally.rows;
  for (const Explanation& e : list) {
    tally.answers += e.status == Status::valid || e.status == Status::below_floor;
    tally.hints += static_cast<int>(e.hints.size());
    tally.proofs += e.proof != Proof::none;
    tally.stable += e.stability != StabilityProof::none;
    tally.not_finite += e.status == Status::not_finite;
    for (const Hint& hint : e.hints) tally.kinds.insert(hint.kind);
  }
}

// Returns the answers of the rows asked alone.
inline std::vector<std::vector<Explanation>> expect_same_bits(const Batch& batch, Options options,
                                                              const std::string& what, Tally& tally) {
  options.threads = 1;
  std::vector<std::vector<Explanation>> alone;
  for (std::size_t i = 0; i < batch.rows.rows; ++i) alone.push_back(ask(batch, options, {i})[0]);
  for (const auto& order : orders_of(batch.rows.rows, batch.rows.rows + what.size()))
    for (const int threads : {1, 3}) {
      options.threads = threads;
      const auto together = ask(batch, options, order);
      for (std::size_t i = 0; i < order.size(); ++i) {
        EXPECT_EQ(bits_of(alone[order[i]]), bits_of(together[i]))
            << what << ", row " << order[i] << " of " << order.size() << " on " << threads << " threads";
        count(together[i], tally);
      }
    }
  return alone;
}

}  // namespace scfe::test
