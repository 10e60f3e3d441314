// RNN, GRU and LSTM, unrolled over a sequence of fixed length: each time step becomes a few plan steps, whose
// operators have the gradients. Shapes: X (seq, batch, in), W (dirs, gates·H, in), R (dirs, gates·H, H),
// B (dirs, 2·gates·H).
//
//     RNN   h = f(Wx + Rh + b)
//     GRU   z, r = f(...),  n = g(Wx + R(r h) + b) or g(Wx + r (Rh + b)),  h = (1 - z) n + z h
//     LSTM  i, o, f = f(... + p c),  c = f c + i g(...),  h = o h(c)

#include "model/ops/activation.h"
#include "model/ops/axes.h"
#include "model/ops/elementwise.h"
#include "model/ops/index.h"
#include "model/ops/lower.h"
#include "model/ops/sparse.h"

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

using namespace kernel;

class Cell {
 public:
  Cell(Site& site, std::size_t gates, std::vector<std::string> functions)
      : site_(site), build_(site.build), where_(label(site.node())), gates_(gates), each_(functions.size()) {
    const std::vector<std::string> given = site.texts("activations");
    if (!given.empty()) functions = given;
    const std::string direction = site.text("direction", "forward");
    directions_ = direction == "bidirectional" ? 2 : 1;
    reversed_ = direction == "reverse";
    while (functions.size() < each_ * directions_) functions.push_back(functions[functions.size() - each_]);
    functions_ = functions;
    if (site.has("clip") || !site.reals("activation_alpha").empty() || site.integer("input_forget", 0) != 0)
      site.fail("no clip, activation_alpha or input_forget", "one of them");
    if (functions_.size() != each_ * directions_) site.fail("an activation for each gate", "others");
    x_ = site.in(0);
    if (x_.shape.size() != 3) site.fail("(seq, batch, in)", to_text(x_.shape));
    batch_first_ = site.integer("layout", 0) != 0;
    if (batch_first_) x_ = transpose(build_, x_, {1, 0, 2});
    seq_ = dim(x_.shape, 0);
    batch_ = x_.shape[1];
    const Shape& r = site.in(2).shape;
    if (r.size() != 3 || dim(r, 0) != directions_ || r[1] != r[2] * static_cast<std::int64_t>(gates))
      site.fail("a recurrence weight (dirs, gates·H, H)", to_text(r));
    hidden_ = r[2];
    const Shape& w = site.in(1).shape;
    if (w != Shape{r[0], r[1], x_.shape[2]}) site.fail("a weight (dirs, gates·H, in)", to_text(w));
    if (seq_ == 0 || hidden_ == 0 || elements({r[0], static_cast<std::int64_t>(seq_), batch_, r[1]}) == 0)
      site.fail("a sequence", to_text(x_.shape));
    if (site.has(4))
      for (const std::int64_t length : site.integers(4))
        if (static_cast<std::size_t>(length) != seq_) site.fail("whole sequences", "sequence_lens");
  }

  // Runs all directions; `step(t, h, c)` replaces h and c by their next values.
  template <class Step>
  void run(Step step) {
    std::vector<Value> outputs(directions_ * seq_), last_h, last_c;
    for (std::size_t d = 0; d < directions_; ++d) {
      direction_ = d;
      prepare();
      Value h = initial(5), c = initial(6);
      for (std::size_t k = 0; k < seq_; ++k) {
        const std::size_t t = (reversed_ || d == 1) ? seq_ - 1 - k : k;
        step(t, h, c);
        outputs[t * directions_ + d] = build_.view(h, {1, 1, batch_, hidden_});
      }
      last_h.push_back(build_.view(h, {1, batch_, hidden_}));
      last_c.push_back(build_.view(c, {1, batch_, hidden_}));
    }
    const auto dirs = static_cast<std::int64_t>(directions_);
    if (site_.wants(0)) {
      Value y = build_.view(joined(outputs), {static_cast<std::int64_t>(seq_), dirs, batch_, hidden_});
      site_.out(0, batch_first_ ? transpose(build_, y, {2, 0, 1, 3}) : y);
    }
    if (site_.wants(1)) site_.out(1, last(last_h));
    if (site_.wants(2)) site_.out(2, last(last_c));
  }

  // Columns [first, last) of the gates of Wx at time t, bias included.
  Value input(std::size_t t, std::size_t first, std::size_t last) {
    return build_.view(gates(take(build_, wx_, 0, {t}), 2, first, last), {batch_, width(first, last)});
  }
  // The same columns of Rh, without bias.
  Value recurrent(const Value& h, std::size_t first, std::size_t last) {
    const Value r = gates(recurrence_, 1, first, last);  // (H, gates)
    return matmul(build_, h, r, where_);
  }
  Value recurrent_bias(std::size_t gate) { return gates(bias_r_, 0, gate, gate + 1); }
  Value gate(const Value& all, std::size_t k) { return gates(all, 1, k, k + 1); }
  Value peephole(std::size_t k) {  // (dirs, 3H)
    const Value p = take(build_, site_.in(7), 0, {direction_});
    return gates(build_.view(p, {3 * hidden_}), 0, k, k + 1);
  }

  Value add(const Value& a, const Value& b) { return binary(build_, "Add", a, b, where_); }
  Value mul(const Value& a, const Value& b) { return binary(build_, "Mul", a, b, where_); }
  Value sub(const Value& a, const Value& b) { return binary(build_, "Sub", a, b, where_); }
  Value apply(std::size_t k, const Value& x) {
    const std::string& name = functions_[direction_ * each_ + k];
    if (name == "Sigmoid") return activate(build_, x, activation_sigmoid);
    if (name == "Tanh") return activate(build_, x, activation_tanh);
    if (name == "Relu") return activate(build_, x, activation_relu);
    if (name == "Softsign") return activate(build_, x, activation_softsign);
    if (name == "Softplus") return activate(build_, x, activation_softplus);
    if (name == "HardSigmoid") return activate(build_, x, activation_hard_sigmoid, 0.2F);
    site_.fail("a known activation", name);
  }
  // Leaves the recurrent bias out of Wx (for GRU with linear_before_reset).
  void keep_recurrent_bias_apart() { apart_ = true; }

 private:
  std::int64_t width(std::size_t first, std::size_t last) const {
    return static_cast<std::int64_t>(last - first) * hidden_;
  }
  Value gates(const Value& x, std::size_t axis, std::size_t first, std::size_t last) {
    const auto h = static_cast<std::size_t>(hidden_);
    std::vector<std::size_t> positions;
    for (std::size_t i = first * h; i < last * h; ++i) positions.push_back(i);
    return take(build_, x, axis, positions);
  }
  Value part(std::size_t input, const std::vector<std::size_t>& permutation, const Shape& shape) {
    return transpose(build_, build_.view(take(build_, site_.in(input), 0, {direction_}), shape), permutation);
  }
  void prepare() {
    const std::int64_t wide = static_cast<std::int64_t>(gates_) * hidden_;
    wx_ = matmul(build_, x_, part(1, {1, 0}, {wide, x_.shape[2]}), where_);
    recurrence_ = part(2, {1, 0}, {wide, hidden_});
    Value bias =
        build_.constant(real_tensor({2 * wide}, std::vector<Real>(static_cast<std::size_t>(2 * wide), 0.0F)));
    if (site_.has(3)) bias = build_.view(take(build_, site_.in(3), 0, {direction_}), {2 * wide});
    bias_r_ = gates(bias, 0, gates_, 2 * gates_);
    wx_ = add(wx_, gates(bias, 0, 0, gates_));
    if (!apart_) wx_ = add(wx_, bias_r_);
  }
  Value initial(std::size_t input) {
    const Shape shape = {batch_, hidden_};
    if (!site_.has(input))
      return build_.constant(real_tensor(shape, std::vector<Real>(elements(shape), 0.0F)));
    Value given = site_.in(input);
    if (batch_first_) given = transpose(build_, given, {1, 0, 2});
    return build_.view(take(build_, given, 0, {direction_}), shape);
  }
  Value joined(const std::vector<Value>& parts) {
    return parts.size() == 1 ? parts[0] : concat(build_, parts, 0);
  }
  Value last(const std::vector<Value>& parts) {
    const Value all = joined(parts);
    return batch_first_ ? transpose(build_, all, {1, 0, 2}) : all;
  }

  Site& site_;
  Builder& build_;
  std::string where_;
  std::size_t gates_, each_, directions_ = 1, direction_ = 0, seq_ = 0;
  std::int64_t batch_ = 0, hidden_ = 0;
  bool reversed_ = false, batch_first_ = false, apart_ = false;
  std::vector<std::string> functions_;
  Value x_, wx_, recurrence_, bias_r_;
};

}  // namespace

void lower_rnn(Site& site) {
  Cell cell(site, 1, {"Tanh"});
  cell.run([&](std::size_t t, Value& h, Value&) {
    h = cell.apply(0, cell.add(cell.input(t, 0, 1), cell.recurrent(h, 0, 1)));
  });
}

void lower_gru(Site& site) {
  Cell cell(site, 3, {"Sigmoid", "Tanh"});
  const bool before = site.integer("linear_before_reset", 0) != 0;
  if (before) cell.keep_recurrent_bias_apart();
  cell.run([&](std::size_t t, Value& h, Value&) {
    const auto opened = [&](std::size_t k) {
      Value sum = cell.add(cell.input(t, k, k + 1), cell.recurrent(h, k, k + 1));
      if (before) sum = cell.add(sum, cell.recurrent_bias(k));
      return cell.apply(0, sum);
    };
    const Value z = opened(0), r = opened(1);
    const Value past = before ? cell.mul(r, cell.add(cell.recurrent(h, 2, 3), cell.recurrent_bias(2)))
                              : cell.recurrent(cell.mul(r, h), 2, 3);
    const Value n = cell.apply(1, cell.add(cell.input(t, 2, 3), past));
    h = cell.add(n, cell.mul(z, cell.sub(h, n)));
  });
}

void lower_lstm(Site& site) {
  Cell cell(site, 4, {"Sigmoid", "Tanh", "Tanh"});
  const bool peepholes = site.has(7);
  cell.run([&](std::size_t t, Value& h, Value& c) {
    const Value all = cell.add(cell.input(t, 0, 4), cell.recurrent(h, 0, 4));
    const auto opened = [&](std::size_t k, std::size_t peephole, const Value& state) {
      const Value sum = cell.gate(all, k);
      return cell.apply(0, peepholes ? cell.add(sum, cell.mul(cell.peephole(peephole), state)) : sum);
    };
    const Value in = opened(0, 0, c), forget = opened(2, 2, c);
    c = cell.add(cell.mul(forget, c), cell.mul(in, cell.apply(1, cell.gate(all, 3))));
    h = cell.mul(opened(1, 1, c), cell.apply(2, c));
  });
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
