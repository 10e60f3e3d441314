#include "plausibility/index/coarse_rows.h"

#include <algorithm>
#include <numeric>

namespace scfe {
namespace {

// Places the levels for a small mean squared error of the sorted values (Lloyd's algorithm).
void place_levels(std::span<const float> values, std::span<float> levels) {
  constexpr int rounds = 12;
  const std::size_t count = levels.size();
  for (std::size_t k = 0; k < count; ++k) levels[k] = values[(2 * k + 1) * values.size() / (2 * count)];
  for (int round = 0; round < rounds; ++round) {
    auto from = values.begin();
    for (std::size_t k = 0; k < count; ++k) {
      const auto to = k + 1 < count ? std::upper_bound(from, values.end(), (levels[k] + levels[k + 1]) / 2)
                                    : values.end();
      if (to > from) levels[k] = std::accumulate(from, to, 0.0F) / static_cast<float>(to - from);
      from = to;
    }
  }
}

std::size_t nearest_level(std::span<const float> levels, float value) {
  std::size_t level = 0;
  for (std::size_t k = 1; k < levels.size(); ++k) level += value > (levels[k - 1] + levels[k]) / 2 ? 1 : 0;
  return level;
}

}  // namespace

CoarseRows::CoarseRows(std::size_t features, std::span<const std::uint32_t> sizes,
                       std::span<const std::uint32_t> sections)
    : features_(features),
      first_rows_{0},
      first_blocks_{0},
      section_cells_{0},
      levels_(sections.size() * features * kernel::coarse_levels),
      roughness_(sections.size()) {
  for (const std::uint32_t size : sizes) {
    first_rows_.push_back(first_rows_.back() + size);
    first_blocks_.push_back(first_blocks_.back() + (size + kernel::coarse_rows - 1) / kernel::coarse_rows);
  }
  for (const std::uint32_t size : sections) section_cells_.push_back(section_cells_.back() + size);
  codes_.resize(first_blocks_.back() * kernel::coarse_bytes(features));
}

void CoarseRows::set(std::size_t section, std::size_t feature, std::span<const float> values) {
  constexpr std::size_t most_sampled = 2000;
  const std::size_t first = section_row(section), every = 1 + values.size() / most_sampled;
  std::vector<float> sample;
  for (std::size_t i = 0; i < values.size(); ++i)
    if ((first + i) % every == 0) sample.push_back(values[i]);
  if (sample.empty()) sample.push_back(values[0]);
  std::ranges::sort(sample);
  const std::span<float> levels(levels_.data() + (section * features_ + feature) * kernel::coarse_levels,
                                kernel::coarse_levels);
  place_levels(sample, levels);
  float lost = 0;
  for (const float at : sample) {
    const float off = at - levels[nearest_level(levels, at)];
    lost += off * off;
  }
  roughness_[section] += lost / static_cast<float>(sample.size());
  const int shift = feature % 2 == 0 ? 0 : 4;
  for (std::size_t c = section_cells_[section]; c < section_cells_[section + 1]; ++c) {
    std::uint8_t* codes = codes_.data() + first_blocks_[c] * kernel::coarse_bytes(features_) +
                          feature / 2 * kernel::coarse_rows;
    for (std::size_t row = first_rows_[c]; row < first_rows_[c + 1]; ++row) {
      const std::size_t i = row - first_rows_[c];
      codes[i / kernel::coarse_rows * kernel::coarse_bytes(features_) + i % kernel::coarse_rows] |=
          static_cast<std::uint8_t>(nearest_level(levels, values[row - first]) << shift);
    }
  }
}

kernel::Coarse CoarseRows::cell(std::size_t cell) const {
  const std::size_t first = first_blocks_[cell];
  return {first_blocks_[cell + 1] - first, features_,
          codes_.data() + first * kernel::coarse_bytes(features_)};
}

void CoarseRows::fetch(std::size_t cell) const {
  const kernel::Coarse rows = this->cell(cell);
  fetch_lines(rows.codes, rows.blocks * kernel::coarse_bytes(features_));
}

}  // namespace scfe
