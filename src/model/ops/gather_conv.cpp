#include "model/ops/gather_conv.h"

#include <map>

#include "model/ops/loops.h"

namespace scfe::onnx::inline SCFE_PRECISION {

GatherConv GatherConv::direct(const ConvWeights& weights, const Window& window) {
  GatherConv conv(weights, weights.out, weights.in, elements(window.in), elements(window.out));
  Phase all;
  all.taps = weights.taps;
  all.sources = conv.rows_under(window.table(), all.taps);
  all.weight = weights.values;
  for (std::size_t p = 0; p < conv.targets_; ++p) all.targets.push_back(static_cast<std::uint32_t>(p));
  conv.phases_.push_back(std::move(all));
  return conv;
}

GatherConv GatherConv::adjoint(const ConvWeights& weights, const Window& window) {
  GatherConv conv(weights, weights.in, weights.out, elements(window.out), elements(window.in));
  const std::vector<std::int32_t> table = window.table();
  const std::size_t taps = weights.taps;
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> seen_by(conv.targets_);  // (tap, pixel)
  for (std::size_t p = 0; p < conv.sources_; ++p)
    for (std::size_t t = 0; t < taps; ++t)
      if (const std::int32_t q = table[p * taps + t]; q >= 0)
        seen_by[static_cast<std::size_t>(q)].emplace_back(t, p);

  std::map<Index, std::vector<std::size_t>> by_phase;
  std::size_t q = 0;
  for_each_index(window.in, [&](const Index& pixel) {
    Index key = pixel;
    for (std::size_t i = 0; i < key.size(); ++i) key[i] %= static_cast<std::size_t>(window.stride[i]);
    by_phase[key].push_back(q++);
  });
  for (const auto& [key, targets] : by_phase) {
    std::vector<std::size_t> slot(taps, taps), used;
    for (const std::size_t target : targets)
      for (const auto& [tap, pixel] : seen_by[target]) slot[tap] = 0;
    for (std::size_t t = 0; t < taps; ++t)
      if (slot[t] == 0) slot[t] = used.size(), used.push_back(t);
    Phase phase;
    phase.taps = used.size();
    std::vector<std::int32_t> pixels(targets.size() * used.size(), -1);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      phase.targets.push_back(static_cast<std::uint32_t>(targets[i]));
      for (const auto& [tap, pixel] : seen_by[targets[i]])
        pixels[i * used.size() + slot[tap]] = static_cast<std::int32_t>(pixel);
    }
    phase.sources = conv.rows_under(pixels, phase.taps);
    for (std::size_t g = 0; g < conv.groups_; ++g)
      for (std::size_t c = 0; c < conv.out_; ++c)
        for (std::size_t o = 0; o < conv.in_; ++o)
          for (const std::size_t t : used)
            phase.weight.push_back(weights.values[((g * conv.in_ + o) * conv.out_ + c) * taps + t]);
    conv.phases_.push_back(std::move(phase));
  }
  return conv;
}

double GatherConv::flops() const {
  double count = 0;
  for (const Phase& phase : phases_)
    count += 2.0 * static_cast<double>(phase.weight.size()) * static_cast<double>(phase.targets.size());
  return count;
}

// The rows of every input channel under the taps, from the pixels under the taps.
std::vector<std::int32_t> GatherConv::rows_under(const std::vector<std::int32_t>& pixels,
                                                 std::size_t taps) const {
  std::vector<std::int32_t> rows;
  rows.reserve(pixels.size() * in_);
  for (std::size_t first = 0; first < pixels.size(); first += taps)
    for (std::size_t c = 0; c < in_; ++c)
      for (std::size_t t = 0; t < taps; ++t) {
        const std::int32_t pixel = pixels[first + t];
        rows.push_back(pixel < 0 ? -1 : static_cast<std::int32_t>(c * sources_) + pixel);
      }
  return rows;
}

void GatherConv::run(Const x, Mutable y, std::size_t lanes, Epilogue epilogue) const {
  for (const Phase& phase : phases_) {
    const std::size_t in = in_ * phase.taps;
    for (std::size_t g = 0; g < groups_; ++g)
      for (std::size_t i = 0; i < phase.targets.size(); ++i)
        multiply({out_, in, phase.weight.data() + g * out_ * in,
                  bias_.empty() ? nullptr : bias_.data() + g * out_, phase.sources.data() + i * in, epilogue},
                 {row(x, g * in_ * sources_), x.stride},
                 {row(y, g * out_ * targets_ + phase.targets[i]), y.stride * targets_}, lanes);
  }
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
