#include "model/ops/sweeps.h"

#include <algorithm>
#include <map>

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

Shape ones(std::size_t axes) { return Shape(axes, 1); }

// Offsets in floats of the pixels of `shape`, if one step along axis i is scale[i] pixels of `outer`.
std::vector<std::int32_t> offsets(const Shape& shape, const Shape& outer, const Shape& scale,
                                  std::size_t channels) {
  const Index strides = strides_of(outer);
  std::vector<std::int32_t> result;
  for_each_index(shape, [&](const Index& index) {
    std::size_t flat = 0;
    for (std::size_t i = 0; i < index.size(); ++i)
      flat += index[i] * static_cast<std::size_t>(scale[i]) * strides[i];
    result.push_back(static_cast<std::int32_t>(flat * channels));
  });
  return result;
}

std::vector<float> padded_bias(std::vector<float> bias, std::size_t out) {
  if (!bias.empty()) bias.resize(kernel::panels_of(out) * kernel::panel_width, 0.0F);
  return bias;
}

// The taps of a phase along one axis of the adjoint, in the order of their sources.
struct PhaseTaps {
  std::vector<std::size_t> tap;
  std::vector<std::int64_t> back;  // how far each source lies before the base, descending
};
PhaseTaps phase_taps(const Window& window, std::size_t axis, std::int64_t phase) {
  PhaseTaps taps;
  for (std::int64_t t = window.kernel[axis]; t-- > 0;) {
    const std::int64_t reach = t * window.dilation[axis] - phase;
    if (reach % window.stride[axis] != 0) continue;
    taps.tap.push_back(static_cast<std::size_t>(t));
    taps.back.push_back(reach / window.stride[axis]);
  }
  return taps;
}

Frame adjoint_frame(const ConvWeights& weights, const Window& w) {
  Frame frame{w.out, w.out, ones(w.out.size()), weights.out};
  for (std::size_t i = 0; i < w.out.size(); ++i) {
    std::int64_t lowest = 0, highest = w.out[i] - 1;
    for (std::int64_t q = 0; q < w.in[i]; ++q) {
      const PhaseTaps taps = phase_taps(w, i, (q + w.before[i]) % w.stride[i]);
      if (taps.back.empty()) continue;
      const std::int64_t base = (q + w.before[i]) / w.stride[i];
      lowest = std::min(lowest, base - taps.back.front());
      highest = std::max(highest, base - taps.back.back());
    }
    frame.before[i] = -lowest;
    frame.outer[i] = highest - lowest + 1;
  }
  return frame;
}

std::vector<std::int32_t> terms_of(const std::vector<std::int32_t>& runs, std::size_t length) {
  std::vector<std::int32_t> at;
  for (const std::int32_t run : runs)
    for (std::size_t i = 0; i < length; ++i) at.push_back(run + static_cast<std::int32_t>(i));
  return at;
}

using PhaseAxes = std::vector<PhaseTaps>;

// Runs and weights of one phase.
OwnedSweep phase_sweep(const ConvWeights& weights, const Window& w, const Frame& frame,
                       const PhaseAxes& axes) {
  OwnedSweep sweep;
  sweep.out = weights.in;
  const PhaseTaps& last = axes.back();
  bool joined = !last.back.empty();
  for (std::size_t k = 1; k < last.back.size(); ++k) joined = joined && last.back[k - 1] - last.back[k] == 1;
  sweep.length = joined ? last.tap.size() * weights.out : weights.out;
  Shape counts;
  for (const PhaseTaps& taps : axes) counts.push_back(static_cast<std::int64_t>(taps.tap.size()));
  const Index strides = strides_of(frame.outer), kernel = strides_of(w.kernel);
  std::vector<float> rows;
  for_each_index(counts, [&](const Index& index) {
    std::int64_t at = 0;
    std::size_t tap = 0;
    for (std::size_t i = 0; i < index.size(); ++i) {
      at += (axes[i].back.front() - axes[i].back[index[i]]) * static_cast<std::int64_t>(strides[i]);
      tap += axes[i].tap[index[i]] * kernel[i];
    }
    if (!joined || index.back() == 0)
      sweep.run.push_back(static_cast<std::int32_t>(at * static_cast<std::int64_t>(weights.out)));
    for (std::size_t o = 0; o < weights.out; ++o)
      for (std::size_t c = 0; c < weights.in; ++c)
        rows.push_back(weights.values[(o * weights.in + c) * weights.taps + tap]);
  });
  sweep.at = terms_of(sweep.run, sweep.length);
  sweep.weight = in_panels(rows, sweep.at.size(), weights.in);
  return sweep;
}

}  // namespace

std::int32_t Frame::offset(const Index& pixel) const {
  const Index strides = strides_of(outer);
  std::size_t flat = 0;
  for (std::size_t i = 0; i < pixel.size(); ++i)
    flat += (pixel[i] + static_cast<std::size_t>(before[i])) * strides[i];
  return static_cast<std::int32_t>(flat * channels);
}

std::vector<std::int32_t> Frame::lines() const {
  Shape lines = inner;
  lines.back() = 1;
  std::vector<std::int32_t> result;
  for_each_index(lines, [&](const Index& index) { result.push_back(offset(index)); });
  return result;
}

void Frame::put(const std::vector<std::int32_t>& lines, const float* image, float* framed) const {
  for (const std::int32_t at : lines) {
    std::copy_n(image, line(), framed + at);
    image += line();
  }
}

void Frame::take(const std::vector<std::int32_t>& lines, const float* framed, float* image) const {
  for (const std::int32_t at : lines) {
    std::copy_n(framed + at, line(), image);
    image += line();
  }
}

kernel::Sweep OwnedSweep::view(bool relu) const {
  return {out,           at.size(),     at.data(),     weight.data(), bias.empty() ? nullptr : bias.data(),
          source.size(), source.data(), target.data(), relu};
}

std::size_t Sweeps::weights() const {
  std::size_t count = 0;
  for (const OwnedSweep& part : parts) count += part.weight.size();
  return count;
}

std::vector<float> in_panels(const std::vector<float>& weight, std::size_t rows, std::size_t columns) {
  const std::size_t panels = kernel::panels_of(columns), width = kernel::panel_width;
  std::vector<float> result(panels * rows * width, 0.0F);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c)
      result[(c / width * rows + r) * width + c % width] = weight[r * columns + c];
  return result;
}

Sweeps direct_sweeps(const ConvWeights& weights, const Window& w) {
  Sweeps sweeps;
  Frame& frame = sweeps.frame;
  frame = {w.in, w.in, w.before, weights.in};
  for (std::size_t i = 0; i < w.in.size(); ++i)
    frame.outer[i] =
        std::max(w.before[i] + w.in[i], (w.out[i] - 1) * w.stride[i] + (w.kernel[i] - 1) * w.dilation[i] + 1);
  OwnedSweep sweep;
  sweep.out = weights.out;
  sweep.bias = padded_bias(weights.bias, weights.out);
  const bool joined = w.dilation.back() == 1;
  Shape runs = w.kernel;
  if (joined) runs.back() = 1;
  sweep.length = weights.in * (joined ? static_cast<std::size_t>(w.kernel.back()) : 1);
  sweep.run = offsets(runs, frame.outer, w.dilation, weights.in);
  sweep.source = offsets(w.out, frame.outer, w.stride, weights.in);
  sweep.target = offsets(w.out, w.out, ones(w.out.size()), weights.out);
  std::vector<float> rows;
  for (std::size_t t = 0; t < weights.taps; ++t)
    for (std::size_t c = 0; c < weights.in; ++c)
      for (std::size_t o = 0; o < weights.out; ++o)
        rows.push_back(weights.values[(o * weights.in + c) * weights.taps + t]);
  sweep.at = terms_of(sweep.run, sweep.length);
  sweep.weight = in_panels(rows, sweep.at.size(), weights.out);
  sweeps.parts.push_back(std::move(sweep));
  return sweeps;
}

Sweeps adjoint_sweeps(const ConvWeights& weights, const Window& w) {
  Sweeps sweeps;
  sweeps.frame = adjoint_frame(weights, w);
  const Frame& frame = sweeps.frame;
  const Index strides = strides_of(frame.outer), pixels = strides_of(w.in);
  std::map<Index, std::size_t> phases;
  std::vector<PhaseAxes> axes;
  for_each_index(w.in, [&](const Index& pixel) {
    Index phase = pixel;
    for (std::size_t i = 0; i < phase.size(); ++i)
      phase[i] = (pixel[i] + static_cast<std::size_t>(w.before[i])) % static_cast<std::size_t>(w.stride[i]);
    const auto [known, added] = phases.emplace(phase, sweeps.parts.size());
    if (added) {
      PhaseAxes found;
      for (std::size_t i = 0; i < phase.size(); ++i)
        found.push_back(phase_taps(w, i, static_cast<std::int64_t>(phase[i])));
      const bool blind =
          std::any_of(found.begin(), found.end(), [](const PhaseTaps& t) { return t.tap.empty(); });
      sweeps.parts.push_back(blind ? OwnedSweep{weights.in, 0, {}, {}, {}, {}, {}, {}}
                                   : phase_sweep(weights, w, frame, found));
      axes.push_back(std::move(found));
    }
    OwnedSweep& sweep = sweeps.parts[known->second];
    std::int64_t source = 0;
    std::size_t target = 0;
    for (std::size_t i = 0; i < pixel.size(); ++i) {
      const PhaseTaps& taps = axes[known->second][i];
      const std::int64_t base = (static_cast<std::int64_t>(pixel[i]) + w.before[i]) / w.stride[i];
      if (!sweep.run.empty())
        source += (base - taps.back.front() + frame.before[i]) * static_cast<std::int64_t>(strides[i]);
      target += pixel[i] * pixels[i];
    }
    sweep.source.push_back(static_cast<std::int32_t>(source * static_cast<std::int64_t>(weights.out)));
    sweep.target.push_back(static_cast<std::int32_t>(target * weights.in));
  });
  return sweeps;
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
