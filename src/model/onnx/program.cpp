#include "model/onnx/program.h"

#include <algorithm>
#include <cassert>

#include "kernel/rows_of.h"
#include "model/network/coded_network.h"
#include "model/onnx/additive_of.h"
#include "model/onnx/encoders_of.h"
#include "model/onnx/layers_of.h"
#include "model/onnx/layout.h"
#include "model/onnx/steps.h"
#include "scfe/memory.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {
namespace {

void clear(Mutable rows, std::size_t count, std::size_t lanes) {
  for (std::size_t i = 0; i < count; ++i) std::fill_n(row(rows, i), lanes, Real{0});
}

// Copies between the caller's floats and the plan's numbers.
template <class From, class To>
void copy(From from, To to, std::size_t count, std::size_t lanes) {
  using Number = std::remove_pointer_t<decltype(to.data)>;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t l = 0; l < lanes; ++l)
      to.data[i * to.stride + l] = static_cast<Number>(from.data[i * from.stride + l]);
}

void add(Const from, Mutable to, std::size_t count, std::size_t lanes) {
  for (std::size_t i = 0; i < count; ++i) {
    const Real* source = row(from, i);
    Real* target = row(to, i);
    for (std::size_t l = 0; l < lanes; ++l) target[l] += source[l];
  }
}

Const read_only(Mutable rows) { return {rows.data, rows.stride}; }

constexpr double lanes_of_tape = 32;
constexpr std::size_t size_of_large_file = std::size_t{1} << 25;  // from here on the limit is 1 GB

std::size_t weights_of(const Plan& plan) {
  std::size_t count = 0;
  for (const Step& step : plan.steps) count += step.op->parameters();
  return count;
}

// The part of Block that a tape needs, with doubles.
class DoubleBlock {
 public:
  DoubleBlock() = default;
  DoubleBlock(std::size_t rows, std::size_t lanes)
      : capacity_(lanes), stride_(padded(lanes)), values_(rows * stride_) {}
  std::size_t capacity() const { return capacity_; }
  std::size_t padded_lanes() const { return stride_; }
  std::size_t stride() const { return stride_; }
  double* data() { return values_.data(); }

 private:
  std::size_t capacity_ = 0, stride_ = 0;
  std::vector<double> values_;
};
using Arena = std::conditional_t<is_double, DoubleBlock, Block>;

class Program : public Model, public CodedNetwork, public Stepped, public MaybeAdditive {
 public:
  Program(Plan plan, Output output)
      : plan_(std::move(plan)),
        layout_(lay_out(plan_)),
        layers_(layers_of(plan_)),
        output_(output),
        input_uses_(uses_before_steps(plan_)) {
    // Checked before the first tape is made. A file may be small and its activations large, so that only the
    // limit of large files applies.
    expect_memory(std::max(size_of_large_file, weights_of(plan_) * sizeof(Real)),
                  static_cast<double>(layout_.rows) * lanes_of_tape * sizeof(Real), "onnx graph");
    if (layers_.empty()) encoders_ = encoders_of(plan_);
    if (layers_.empty()) sums_ = sums_of(plan_);
    for (const Step& step : plan_.steps) operands_ = std::max(operands_, step.x.size());
  }

  std::size_t features() const override { return plan_.features; }
  std::size_t scores() const override { return plan_.buffers[id(plan_.scores)].rows; }
  std::span<const Layer> layers() const override { return layers_; }
  const Layer* linear() const override {
    if (!sums_.linear.empty()) return sums_.linear.data();
    return layers_.size() == 1 && layers_[0].activation == "none" ? layers_.data() : nullptr;
  }
  const Additive* additive() const override { return sums_.additive.get(); }
  std::vector<Layer> layers_at(std::span<const double> x, std::span<const char> moves) const override {
    return encoders_.layers_at(x, moves);
  }
  Output output() const override { return output_; }
  std::span<const InputUse> input_uses() const override { return input_uses_; }

  std::unique_ptr<Model::Tape> tape(std::size_t max_lanes) const override {
    auto tape = std::make_unique<Tape>();
    tape->arena = Arena(layout_.rows, max_lanes);
    if (is_double) tape->input_slope = Arena(features(), max_lanes);
    tape->x.resize(operands_);
    tape->dx.resize(operands_);
    for (std::size_t b = 0; b < plan_.buffers.size(); ++b)
      if (const TensorPtr& constant = plan_.buffers[b].constant)
        for (std::size_t i = 0; i < constant->size(); ++i)
          std::fill_n(row(at(*tape, layout_.value[b]), i), tape->arena.padded_lanes(),
                      static_cast<Real>(constant->real(i)));
    return tape;
  }

  void forward(const Block& x, Block& scores, Model::Tape& tape) const override {
    Tape& t = static_cast<Tape&>(tape);
    assert(x.features() == features() && x.lanes() <= t.arena.capacity());
    t.lanes = x.padded_lanes();
    t.used = x.lanes();
    copy(kernel::rows_of(x), at(t, layout_.value[0]), features(), t.lanes);
    run(t);
    copy(value(t, plan_.scores), kernel::rows_of(scores), this->scores(), t.lanes);
  }

  void backward(const Block& seed, Block& gradient, Model::Tape& tape) const override {
    Tape& t = static_cast<Tape&>(tape);
    t.output = own_or_given(t, kernel::rows_of(gradient));
    run_back(t, kernel::rows_of(seed));
    if (is_double) copy(t.output, kernel::rows_of(gradient), features(), t.lanes);
  }

  bool in_double() const override { return is_double; }

  void forward_one(std::span<const double> x, std::span<double> scores, Model::Tape& tape) const override {
    if (!is_double) return Model::forward_one(x, scores, tape);
    Tape& t = static_cast<Tape&>(tape);
    t.lanes = t.used = 1;
    copy(column(x), at(t, layout_.value[0]), features(), 1);
    run(t);
    copy(value(t, plan_.scores), column(scores), this->scores(), 1);
  }

  void backward_one(std::span<const double> seed, std::span<double> gradient,
                    Model::Tape& tape) const override {
    if (!is_double) return Model::backward_one(seed, gradient, tape);
    Tape& t = static_cast<Tape&>(tape);
    t.output = own_or_given(t, column(gradient));
    run_back(t, column(seed));
  }

 private:
  struct Tape : Model::Tape {
    Arena arena, input_slope;
    Mutable output{};
    std::size_t lanes = 0, used = 0;
    std::vector<Const> x;
    std::vector<Mutable> dx;
  };

  // The buffer for the input's gradient: the caller's rows if they have the plan's number type.
  template <class Rows>
  static Mutable own_or_given(Tape& t, Rows given) {
    if constexpr (std::is_same_v<Rows, Mutable>)
      return given;
    else
      return {t.input_slope.data(), t.input_slope.stride()};
  }

  template <class Number>
  static RowsOf<Number> column(std::span<Number> values) {
    return {values.data(), 1};
  }

  void run(Tape& t) const {
    for (const Step& step : plan_.steps) {
      for (std::size_t i = 0; i < step.x.size(); ++i) t.x[i] = value(t, step.x[i]);
      step.op->forward({{t.x.data(), step.x.size()},
                        at(t, layout_.value[id(step.y)]),
                        at(t, layout_.scratch),
                        t.lanes,
                        t.used});
    }
  }

  template <class Seed>
  void run_back(Tape& t, Seed seed) const {
    if (!layout_.flows[0]) return clear(t.output, features(), t.lanes);
    copy(seed, slope(t, plan_.scores), scores(), t.lanes);
    for (std::size_t s = plan_.steps.size(); s-- > 0;)
      if (layout_.flows[id(plan_.steps[s].y)] && plan_.steps[s].op->differentiable()) step_back(t, s);
  }

  static Mutable at(Tape& t, std::size_t offset) {
    return {t.arena.data() + offset * t.arena.stride(), t.arena.stride()};
  }
  Const value(Tape& t, int b) const { return read_only(at(t, layout_.value[id(b)])); }
  Mutable slope(Tape& t, int b) const { return b == 0 ? t.output : at(t, layout_.gradient[id(b)]); }

  void step_back(Tape& t, std::size_t s) const {
    const Step& step = plan_.steps[s];
    const bool spare = step.op->overwrites() && !layout_.fresh[s][0];
    for (std::size_t i = 0; i < step.x.size(); ++i) {
      const int b = step.x[i];
      t.x[i] = value(t, b);
      t.dx[i] = layout_.flows[id(b)] ? slope(t, b) : Mutable{nullptr, 0};
      if (layout_.fresh[s][i] && !step.op->overwrites()) clear(t.dx[i], plan_.buffers[id(b)].rows, t.lanes);
    }
    const Mutable target = t.dx[0];
    if (spare) t.dx[0] = at(t, layout_.spare);
    step.op->backward({{t.x.data(), step.x.size()},
                       value(t, step.y),
                       read_only(slope(t, step.y)),
                       {t.dx.data(), step.x.size()},
                       at(t, layout_.scratch),
                       t.lanes,
                       t.used});
    if (spare) add(read_only(t.dx[0]), target, plan_.buffers[id(step.x[0])].rows, t.lanes);
  }

  Plan plan_;
  Layout layout_;
  std::vector<Layer> layers_;
  Encoders encoders_;  // empty unless the model is a network behind encoders
  Sums sums_;          // empty unless it is a linear score behind encoders
  Output output_;
  std::vector<InputUse> input_uses_;
  std::size_t operands_ = 1;
};

}  // namespace

std::shared_ptr<const Model> make_program(Plan plan, Model::Output output) {
  return std::make_shared<Program>(std::move(plan), output);
}

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
