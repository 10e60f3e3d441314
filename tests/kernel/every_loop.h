// Calls every loop of a kernel set with the same random numbers and keeps what they write, by the loop's
// name.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kernel/activation.h"
#include "kernel/coarse.h"
#include "kernel/listed.h"
#include "tests/kernel/random.h"

namespace scfe::test {

class EveryLoop {
 public:
  explicit EveryLoop(const kernel::Kernels& set) : set_(set) {
    for (const std::size_t features : {1, 2, 7, 13, 40})
      for (const std::size_t lanes : {8, 24, 64, 88}) {
        maps(features, lanes);
        mixtures(features, lanes);
        steps(features, lanes);
        rows(features, lanes);
      }
    for (const std::size_t features : {1, 3, 8, 20, 33}) packed(features), listed(features), coarse(features);
    activations();
    for (const std::size_t channels : {8, 24, 40, 104})
      images(channels), sparse(channels), winograd(channels);
  }
  const std::map<std::string, std::vector<float>>& found() const { return found_; }

 private:
  using Floats = std::vector<float>;
  Floats some(std::size_t count, double from = -2, double to = 2) { return random_.floats(count, from, to); }
  template <class Numbers>
  void keep(const std::string& loop, const Numbers& numbers) {
    for (const auto x : numbers) found_[loop].push_back(static_cast<float>(x));
  }
  static kernel::Const in(const Floats& rows, std::size_t lanes) { return {rows.data(), lanes}; }
  static kernel::Mutable out(Floats& rows, std::size_t lanes) { return {rows.data(), lanes}; }

  void maps(std::size_t features, std::size_t lanes) {
    for (const std::size_t outputs : {1, 3, 8, 20}) {
      const Floats weight = some(outputs * features), bias = some(outputs), x = some(features * lanes),
                   gate = some(outputs * lanes);
      Floats y(outputs * lanes);
      set_.dense(outputs, features, weight.data(), bias.data(), in(x, lanes), out(y, lanes), lanes);
      keep("dense", y);
      for (const int kind : {kernel::activation_none, kernel::activation_relu, kernel::activation_tanh}) {
        kernel::Linear map{outputs, features, weight.data(), bias.data(), nullptr, kind, 0};
        if (kind == kernel::activation_none) map.gate = in(gate, lanes);
        set_.linear(map, in(x, lanes), out(y, lanes), lanes);
        keep("linear", y);
      }
    }
  }

  void mixtures(std::size_t features, std::size_t lanes) {
    for (const std::size_t components : {1, 5, 17})
      for (const int kind : {0, 1, 2}) {  // a spread for each component, a shared one, the expanded square
        const Floats centres = some(components * features), middle = some(features),
                     scales = some(components * features, 0.3, 3), weights = some(components, -3, 0),
                     slopes = some(components * features), x = some(features * lanes, -4, 4);
        kernel::Mixture mixture{components,    features, centres.data(),
                                scales.data(), kind > 0, weights.data()};
        if (kind == 2) mixture.expanded = {slopes.data(), weights.data(), middle.data()};
        Floats value(lanes), gradient(features * lanes), shares(components * lanes),
            scratch(components * kernel::mixture_lanes);
        set_.mixture(mixture, in(x, lanes), value.data(), out(gradient, lanes), out(shares, lanes),
                     scratch.data(), lanes);
        keep("mixture value", value), keep("mixture gradient", gradient), keep("mixture shares", shares);
      }
  }

  void steps(std::size_t features, std::size_t lanes) {
    const Floats z = some(features * lanes), gradient = some(features * lanes), step = some(lanes, 0, 1),
                 value = some(lanes), lo = some(features * lanes, -1, 0), hi = some(features * lanes, 0, 1);
    Floats doubt(lanes), to(features * lanes);
    const kernel::Descent descent{features,    in(z, lanes), in(gradient, lanes),
                                  step.data(), value.data(), doubt.data()};
    set_.descend(descent, out(to, lanes), lanes);
    keep("descend", to), keep("descend doubt", doubt);
    for (std::size_t most = 1; most <= features; most += 3) {
      const kernel::Largest task{features, most, in(lo, lanes), in(hi, lanes)};
      set_.largest(task, in(z, lanes), out(to, lanes), lanes);
      keep("largest", to);
      if (most > kernel::few_changes) continue;
      set_.descend_to_largest(descent, task, out(to, lanes), lanes);
      keep("descend_to_largest", to), keep("descend_to_largest doubt", doubt);
    }
    const Floats alpha = some(lanes, 0, 1), taken = some(lanes, -1, 1), next = some(features * lanes);
    Floats w = some(features * lanes), ahead = some(features * lanes), moved(lanes);
    set_.extrapolate({features, alpha.data(), taken.data(), moved.data()}, in(next, lanes), out(w, lanes),
                     out(ahead, lanes), lanes);
    keep("extrapolate", w), keep("extrapolate", ahead), keep("extrapolate", moved);
  }

  void rows(std::size_t features, std::size_t lanes) {
    const Floats x = some(features * lanes), w = some(features * lanes), offset = some(features),
                 scale = some(features), density = some(features * lanes), margin = some(features * lanes);
    Floats y(features * lanes), inputs(features * lanes), value(lanes), pull = some(lanes);
    pull[0] = pull[lanes - 1] = 0;
    set_.displace(features, in(x, lanes), in(w, lanes), out(y, lanes),
                  {offset.data(), scale.data(), out(inputs, lanes)}, lanes);
    keep("displace", y), keep("displace", inputs);
    for (const bool weighted : {false, true})
      for (const bool dense : {false, true})
        for (const bool pulled : {false, true}) {
          const kernel::Slope terms{features,
                                    weighted ? scale.data() : nullptr,
                                    0.3F,
                                    dense ? in(density, lanes) : kernel::Const{},
                                    {pulled ? in(margin, lanes) : kernel::Const{}, offset.data()},
                                    pull.data()};
          set_.slope(terms, in(w, lanes), out(y, lanes), lanes);
          keep("slope", y);
        }
    set_.affine(features, offset.data(), scale.data(), in(x, lanes), out(y, lanes), lanes);
    keep("affine", y);
    for (const float* weight : {static_cast<const float*>(nullptr), scale.data()}) {
      set_.squares(features, weight, in(x, lanes), value.data(), lanes);
      keep("squares", value);
    }
    set_.attract(features, scale.data(), in(x, lanes), in(w, lanes), value.data(), out(y, lanes), lanes);
    keep("attract", value), keep("attract", y);
    set_.transpose(features, lanes, in(x, lanes), out(y, features));
    keep("transpose", y);
  }

  void activations() {
    for (int kind = 0; kind < kernel::activation_count; ++kind) {
      const Floats x = some(20'003, -12, 12), dy = some(x.size());
      Floats y(x.size());
      const std::string name = std::to_string(kind);
      set_.activate(kind, 0.7F, x.data(), y.data(), x.size());
      keep("activate " + name, y);
      set_.activate_gradient(kind, 0.7F, x.data(), dy.data(), y.data(), x.size());
      keep("activate_gradient " + name, y);
    }
  }

  void packed(std::size_t features) {
    constexpr std::size_t groups = 5, together = kernel::group_size;
    for (const bool scaled : {false, true}) {
      const Floats centres = some(groups * features * together), scales = some(centres.size(), 0.3, 1.5),
                   weights = some(groups * together, -3, 0), x = some(features);
      const kernel::Packed rows{groups, features, centres.data(), scaled ? scales.data() : nullptr,
                                weights.data()};
      Floats e(groups * together), total(together), moment(features * together);
      set_.packed_exponents(rows, x.data(), e.data());
      kernel::PackedSum sum{-1e30F, total.data(), moment.data()};
      set_.packed_sum(rows, x.data(), e.data(), sum);
      keep("packed_exponents", e), keep("packed_sum", total), keep("packed_sum", moment);
    }
  }

  void listed(std::size_t features) {
    constexpr std::uint32_t count = 21, cells = 3;
    const std::size_t width = kernel::listed_width(features);
    std::vector<std::uint16_t> halves(count * width);
    for (auto& half : halves) half = static_cast<std::uint16_t>(0x3c00 + random_.below(0x400));
    const Floats origins = some(cells * width), x = some(width), values = some(count * width);
    std::vector<kernel::Listed> list;
    std::vector<std::uint32_t> places;
    for (std::uint32_t i = 0; i < count; ++i) list.push_back({i, i % cells}), places.push_back(i);
    Floats moment(width), scratch(count + 8), distances(count);
    kernel::ListedSum sum{-1e30F, 0, moment.data()};
    const kernel::ListedRows rows{width, halves.data(), origins.data()};
    set_.listed_sum(rows, list.data(), count - 2, x.data(), sum, scratch.data());
    set_.listed_sum(rows, list.data() + 1, count - 1, x.data(), sum, scratch.data());
    keep("listed_sum", moment), keep("listed_sum", Floats{sum.total, sum.peak});
    for (const auto distance : {kernel::Distance::half_square, kernel::Distance::absolute}) {
      set_.listed_distances({width, values.data(), distance}, places.data(), count, x.data(),
                            distances.data());
      keep("listed_distances", distances);
    }
  }

  void coarse(std::size_t features) {
    constexpr std::size_t blocks = 3, points = 3;
    const Floats levels = some(features * kernel::coarse_levels), x = some(features);
    std::vector<std::uint8_t> table(kernel::coarse_table_bytes(features)),
        codes(blocks * kernel::coarse_bytes(features));
    for (auto& code : codes) code = static_cast<std::uint8_t>(random_.below(256));
    for (const auto distance : {kernel::Distance::half_square, kernel::Distance::absolute}) {
      set_.coarse_table(features, levels.data(), x.data(), distance, static_cast<float>(2 * features),
                        table.data());
      keep("coarse_table", table);
      const std::uint8_t* tables[points] = {table.data(), table.data(), table.data()};
      std::vector<std::uint32_t> near(points * blocks);
      set_.coarse_near({blocks, features, codes.data()}, tables, points, near.data());
      for (const std::uint32_t mask : near)
        for (int bit = 0; bit < 32; ++bit)
          found_["coarse_near"].push_back(static_cast<float>(mask >> bit & 1U));
    }
  }

  std::vector<std::int32_t> places(std::size_t count, std::size_t below) {
    std::vector<std::int32_t> list(count);
    for (auto& place : list) place = static_cast<std::int32_t>(random_.below(below));
    return list;
  }

  void images(std::size_t channels) {
    constexpr std::size_t terms = 11, pixels = 20, room = 200;
    const std::size_t panels = kernel::panels_of(channels);
    const Floats weight = some(panels * terms * kernel::panel_width), x = some(room),
                 bias = some(panels * kernel::panel_width);
    const auto at = places(terms, 50), source = places(pixels, 150);
    std::vector<std::int32_t> target(pixels);
    for (std::size_t p = 0; p < pixels; ++p) target[p] = static_cast<std::int32_t>(p * channels);
    const kernel::Sweep sweep{channels, terms,         at.data(),     weight.data(), bias.data(),
                              pixels,   source.data(), target.data(), true};
    Floats y(pixels * channels), pooled(pixels / kernel::pooled_taps * channels);
    std::vector<std::uint8_t> code(pooled.size());
    set_.sweep(sweep, {x.data(), y.data(), 0, 0, 1});
    keep("sweep", y);
    set_.pooled_sweep(sweep, x.data(), pooled.data(), code.data());
    keep("pooled_sweep", pooled), keep("pooled_sweep", code);
    std::vector<std::int32_t> windows = target;
    windows.resize(pixels / 4 * 4);
    Floats largest(windows.size() / 4 * channels);
    std::vector<std::uint8_t> first(largest.size());
    set_.max_pool({channels, windows.size() / 4, 4, windows.data(), true}, y.data(), largest.data(),
                  first.data());
    keep("max_pool", largest), keep("max_pool", first);
  }

  void sparse(std::size_t length) {
    constexpr std::size_t entries = 7, listed = 20;
    const Floats weight = some(listed * length);
    std::vector<kernel::Entry> list(entries);
    for (auto& entry : list) entry = {some(1)[0], static_cast<std::int32_t>(random_.below(listed) * length)};
    const kernel::GatherTarget target{list.data(), entries, 0};
    Floats y = some(length);
    set_.gather({length, weight.data(), 1, &target}, y.data());
    keep("gather", y);
    constexpr std::size_t channels = 6, windows = 3, lines = 5, line = 9, row = 48, taps = 4;
    const Floats patches = some((taps + 1) * channels * row), dy = some(windows * channels);
    const auto under = places(windows, 20), line_at = places(lines, 30);
    std::vector<std::uint8_t> code(windows * channels);
    for (auto& tap : code) tap = static_cast<std::uint8_t>(random_.below(taps + 1));
    Floats dx = some(100);
    set_.gather_patches(
        {channels, windows, row, patches.data(), under.data(), 1, lines, line, line_at.data()}, dy.data(),
        code.data(), dx.data());
    keep("gather_patches", dx);
  }

  void winograd(std::size_t channels) {
    for (const std::size_t side : {2, 4}) {
      const std::size_t wide = side + 2, products = kernel::winograd_products(side), tiles = 7,
                        plane = tiles * channels;
      const Floats x = some((wide + tiles) * wide * channels), bias = some(channels);
      std::vector<std::int32_t> at(tiles), to(tiles);
      for (std::size_t t = 0; t < tiles; ++t) {
        at[t] = static_cast<std::int32_t>(t * channels);
        to[t] = static_cast<std::int32_t>(t * side * side * channels);
      }
      Floats v(products * plane), m(products * plane), y(tiles * side * side * channels);
      set_.winograd_in({side, channels, tiles, plane, at.data(), wide * channels, nullptr, nullptr}, x.data(),
                       v.data());
      keep("winograd_in", v);
      const Floats weight =
          some(products * kernel::panels_of(channels) * channels * kernel::panel_width, -1, 1);
      set_.winograd_multiply({side, channels, channels, tiles, weight.data(), plane, plane}, v.data(),
                             m.data());
      keep("winograd_multiply", m);
      set_.winograd_out({side, channels, tiles, plane, to.data(), side * channels, nullptr, nullptr},
                        m.data(), {bias.data(), true}, y.data());
      keep("winograd_out", y);
    }
  }

  const kernel::Kernels& set_;
  Random random_{23};
  std::map<std::string, std::vector<float>> found_;
};

}  // namespace scfe::test
