#include "plausibility/index/row_tree.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace scfe {
namespace {

using kernel::group_size;
constexpr float lowest = -1e30F, taken = -2e30F, unknown = -3e30F;  // taken: opened, or empty
constexpr std::size_t tree_cells_ahead = 1;
constexpr std::size_t most_blocks = most_cell_rows / kernel::coarse_rows;
constexpr std::size_t list_size = 256;  // rows collected for a point before they are summed
constexpr float closed_reach = 1.5F;  // closed cells this far below the threshold (in log share) are ignored
constexpr float row_reach = 0.7F;     // rows this far below the threshold are ignored
constexpr float least_reach = 1;      // but rows with 1/2 |y - row|² below this never are
// Points whose log sum is this far below the usual one count as outlying. There the Gaussians are inaccurate:
// the row that matters may lie at the edge of a cell with a small expected share.
constexpr float outlying = 8;
constexpr std::size_t fewest_opened = 8;
constexpr float most_reach = 2;  // an outlying point may extend its reach by at most this factor
constexpr float shortfall = 2;   // a log sum this far below the expected one triggers another pass
// A section's Gaussian is less accurate than a cell's, so sections are opened at a smaller share.
constexpr float section_caution = 0.03F;

float log_of(const kernel::PackedSum& sum) {
  float total = 0;
  for (std::size_t i = 0; i < group_size; ++i) total += sum.total[i];
  return total > 0 ? sum.peak + std::log(total) : taken;
}

}  // namespace

// The scratch memory of one point, divided into its parts.
struct RowTree::Scratch {
  float *sections = nullptr, *cells = nullptr, *closed_total = nullptr, *closed_moment = nullptr,
        *open_moment = nullptr, *padded = nullptr;
  std::uint8_t* table = nullptr;
  kernel::Listed* list = nullptr;

  static std::size_t table_size(const RowTree& tree) {
    return kernel::coarse_table_bytes(tree.features_) / sizeof(float);
  }
  static std::size_t size(const RowTree& tree) {
    return tree.of_sections_.log_weights.size() + tree.of_cells_.log_weights.size() +
           group_size * (tree.features_ + 1) + 2 * tree.width_ + table_size(tree) + 2 * list_size;
  }
  Scratch() = default;
  Scratch(const RowTree& tree, float* scratch) {
    const auto next = [&](std::size_t size) {
      float* part = scratch;
      scratch += size;
      return part;
    };
    sections = next(tree.of_sections_.log_weights.size());
    cells = next(tree.of_cells_.log_weights.size());
    closed_total = next(group_size);
    closed_moment = next(group_size * tree.features_);
    open_moment = next(tree.width_);
    padded = next(tree.width_);
    table = reinterpret_cast<std::uint8_t*>(next(table_size(tree)));
    list = reinterpret_cast<kernel::Listed*>(next(2 * list_size));
  }
};

struct RowTree::Lane {
  Query* query = nullptr;
  Scratch at = {};
  float expected = unknown;  // log of the expected sum; unknown: use the Gaussians' estimate
  float section_threshold = 0, threshold = 0;  // least exponents at which sections and cells are opened
  float reach = 0;                             // rows with 1/2 |y - row|² above this are left out
  kernel::ListedSum open = {};
  kernel::PackedSum closed = {};
  std::size_t listed = 0;
};

float RowTree::Effort::log_share(float log_sum) const {
  constexpr float most_less = -20, most_more = 1.5F;
  return std::log(share) + std::clamp(tilt * (log_sum - level), most_less, most_more);
}

std::size_t RowTree::scratch(std::size_t queries) const {
  return std::min(queries, most_queries) * Scratch::size(*this) + largest_section_ + list_size + group_size;
}

// Scratch memory shared by all points.
struct RowTree::Shared {
  std::uint32_t* opened_by;  // for each cell of a section: bit l for the point in lane l
  float* weights;            // of the rows in a list
};

kernel::Packed RowTree::Gaussians::packed(std::size_t features, std::size_t first_group,
                                          std::size_t groups) const {
  const std::size_t offset = first_group * group_size * features;
  return {groups, features, centres.data() + offset, inverse_stds.data() + offset,
          log_weights.data() + first_group * group_size};
}

void RowTree::survey(std::span<Lane> lanes, Effort effort) const {
  const kernel::Packed sections = of_sections_.packed(features_, 0, of_sections_.groups());
  for (Lane& lane : lanes) {
    kernels_->packed_exponents(sections, lane.query->y, lane.at.sections);
    std::fill_n(lane.at.closed_total, group_size, 0.0F);
    lane.closed = {lowest, lane.at.closed_total, nullptr};
    kernels_->packed_sum(sections, lane.query->y, lane.at.sections, lane.closed);
    const float expected = lane.expected == unknown ? log_of(lane.closed) : lane.expected;
    lane.section_threshold = expected + effort.log_share(expected) + std::log(section_caution);
    std::fill_n(lane.at.closed_total, group_size, 0.0F);
    lane.closed.peak = lowest;
  }
  for (std::size_t s = 0; s + 1 < section_cells_.size(); ++s) {
    const std::size_t first = section_groups_[s];
    const kernel::Packed cells = of_cells_.packed(features_, first, section_groups_[s + 1] - first);
    for (Lane& lane : lanes) {
      if (!(lane.at.sections[s] > lane.section_threshold)) continue;
      lane.at.sections[s] = taken;
      kernels_->packed_exponents(cells, lane.query->y, lane.at.cells + first * group_size);
      kernels_->packed_sum(cells, lane.query->y, lane.at.cells + first * group_size, lane.closed);
    }
  }
  for (Lane& lane : lanes) {
    kernels_->packed_sum(sections, lane.query->y, lane.at.sections, lane.closed);
    const float estimate = lane.query->found.log_estimate = log_of(lane.closed),
                expected = lane.expected == unknown ? estimate : lane.expected;
    lane.threshold = expected + effort.log_share(expected);
    lane.reach = row_reach - lane.threshold;
    const bool slope = lane.query->gradient != nullptr;
    std::fill_n(lane.at.closed_total, group_size * (features_ + 1) + width_, 0.0F);  // with moments
    lane.open = {lowest, 0, slope ? lane.at.open_moment : nullptr};
    lane.closed = {lowest, lane.at.closed_total, slope ? lane.at.closed_moment : nullptr,
                   lane.threshold - closed_reach};
    if (!(expected < effort.level - outlying)) continue;
    lane.threshold = std::min(lane.threshold, outlying_threshold(lane));
    lane.reach = std::min(most_reach * lane.reach, row_reach - lane.threshold);
  }
}

// The threshold at which `fewest_opened` cells are opened; the lane's own if it opens that many already.
float RowTree::outlying_threshold(const Lane& lane) const {
  std::array<float, fewest_opened + 1> nearest;
  nearest.fill(lowest);
  std::size_t above = 0;
  for (std::size_t s = 0; s + 1 < section_cells_.size(); ++s) {
    if (lane.at.sections[s] != taken) continue;
    const float* exponents = lane.at.cells + section_groups_[s] * group_size;
    for (std::size_t c = 0; c < section_cells_[s + 1] - section_cells_[s]; ++c) {
      if (!(exponents[c] > nearest.back())) continue;
      above += exponents[c] > lane.threshold ? 1 : 0;
      if (above == fewest_opened) return lane.threshold;
      nearest.back() = exponents[c];
      for (std::size_t i = fewest_opened; i > 0 && nearest[i] > nearest[i - 1]; --i)
        std::swap(nearest[i], nearest[i - 1]);
    }
  }
  return nearest.back();
}

// Starts loading a cell while another one is processed, because cells are far apart in memory.
void RowTree::fetch(std::size_t cell) const {
  coarse_.fetch(cell);
  fetch_lines(origins_.data() + cell * width_, width_ * sizeof(float));
}

void RowTree::sum_section(std::size_t section, std::span<Lane> lanes, Shared shared) const {
  const std::size_t first = section_groups_[section],
                    count = section_cells_[section + 1] - section_cells_[section];
  const kernel::Packed cells = of_cells_.packed(features_, first, section_groups_[section + 1] - first);
  bool looked = false;
  for (std::size_t l = 0; l < lanes.size(); ++l) {
    Lane& lane = lanes[l];
    if (lane.at.sections[section] != taken) continue;
    if (!looked) std::fill_n(shared.opened_by, count, 0U);
    looked = true;
    lane.query->found.looked_at += count;
    float* exponents = lane.at.cells + first * group_size;
    for (std::size_t c = 0; c < count; ++c) {
      const bool open = exponents[c] > lane.threshold;
      shared.opened_by[c] |= std::uint32_t{open} << l;
      exponents[c] = open ? taken : exponents[c];
    }
    kernels_->packed_sum(cells, lane.query->y, exponents, lane.closed);
  }
  if (looked) sum_cells(section, lanes, shared);
}

void RowTree::sum_cells(std::size_t section, std::span<Lane> lanes, Shared shared) const {
  const std::size_t begin = section_cells_[section], count = section_cells_[section + 1] - begin;
  std::uint32_t opening = 0;
  for (std::size_t c = 0; c < count; ++c) opening |= shared.opened_by[c];
  // Distances are computed to rounded rows. On average they are too small by the rounding error; the reach is
  // corrected by that and extended by one standard deviation.
  const float lost = coarse_.roughness(section), doubt = 2 * lost / static_cast<float>(features_);
  for (; opening != 0; opening &= opening - 1) {
    const Lane& lane = lanes[static_cast<std::size_t>(std::countr_zero(opening))];
    const float reach = std::max(lane.reach, least_reach);
    kernels_->coarse_table(features_, coarse_.levels(section), lane.query->y, kernel::Distance::half_square,
                           std::max(least_reach, reach + std::sqrt(doubt * reach) - lost / 2), lane.at.table);
  }
  for (std::size_t c = 0, ahead = 0, fetched = 0, done = 0; c < count; ++c) {
    if (shared.opened_by[c] == 0) continue;
    for (; ahead < count && fetched <= done + tree_cells_ahead; ++ahead)
      if (shared.opened_by[ahead] != 0) fetch(begin + ahead), ++fetched;
    ++done;
    filter_cell(begin + c, shared.opened_by[c], lanes, shared);
  }
}

void RowTree::filter_cell(std::size_t cell, std::uint32_t opened_by, std::span<Lane> lanes,
                          Shared shared) const {
  std::array<const std::uint8_t*, most_queries> tables;
  std::array<Lane*, most_queries> openers;
  std::array<std::uint32_t, most_queries * most_blocks> near;
  std::size_t count = 0;
  for (; opened_by != 0; opened_by &= opened_by - 1) {
    openers[count] = &lanes[static_cast<std::size_t>(std::countr_zero(opened_by))];
    tables[count] = openers[count]->at.table;
    ++count;
  }
  const kernel::Coarse rows = coarse_.cell(cell);
  kernels_->coarse_near(rows, tables.data(), count, near.data());
  for (std::size_t i = 0; i < count; ++i)
    list_rows(cell, {near.data() + i * rows.blocks, rows.blocks}, *openers[i], shared);
}

// Adds the near rows of a cell to the list and starts loading them; they are summed when the list is full.
void RowTree::list_rows(std::size_t cell, std::span<const std::uint32_t> near, Lane& lane,
                        Shared shared) const {
  const std::size_t size = sizes_[cell];
  lane.query->found.looked_at += size;
  std::array<std::uint8_t, most_blocks> some;
  std::size_t count = 0;
  for (std::size_t b = 0; b < near.size(); ++b) {  // branch-free, since most blocks are empty
    some[count] = static_cast<std::uint8_t>(b);
    count += near[b] != 0 ? 1 : 0;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t first = some[i] * kernel::coarse_rows;
    for (std::uint32_t rows = near[some[i]]; rows != 0; rows &= rows - 1) {
      const std::size_t place = first + static_cast<std::size_t>(std::countr_zero(rows));
      if (place >= size) break;
      if (lane.listed == list_size) sum_listed(lane, shared);
      const std::size_t row = first_rows_[cell] + place;
      lane.at.list[lane.listed++] = {static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(cell)};
      fetch_lines(halves_.data() + row * width_, width_ * sizeof(std::uint16_t));
    }
  }
}

void RowTree::sum_listed(Lane& lane, Shared shared) const {
  kernels_->listed_sum({width_, halves_.data(), origins_.data()}, lane.at.list, lane.listed, lane.at.padded,
                       lane.open, shared.weights);
  lane.query->found.summed += lane.listed;
  lane.listed = 0;
}

void RowTree::sum_sections(std::span<Lane> lanes, Effort effort, Shared shared) const {
  const kernel::Packed sections = of_sections_.packed(features_, 0, of_sections_.groups());
  for (std::size_t s = 0; s + 1 < section_cells_.size(); ++s) sum_section(s, lanes, shared);
  for (Lane& lane : lanes) {
    kernels_->packed_sum(sections, lane.query->y, lane.at.sections, lane.closed);
    sum_listed(lane, shared);
    finish(lane, effort);
  }
}

// A sum below the expected one means that relevant rows were left out: repeat with a lower expectation. It is
// lowered in steps because the first pass may have found nothing.
void RowTree::repeat_if_short(Lane& lane, Effort effort, Shared shared) const {
  constexpr float least_step = 16, step = 0.5F;
  const float& found = lane.query->found.log_total;
  float expected = lane.query->found.log_estimate;
  while (found < expected - shortfall) {
    expected = std::max(found, expected - std::max(least_step, step * std::abs(expected)));
    lane.expected = expected;
    survey({&lane, 1}, effort);
    sum_sections({&lane, 1}, effort, shared);
  }
}

void RowTree::finish(Lane& lane, Effort effort) const {
  Sum& found = lane.query->found;
  found.log_open = lane.open.total > 0 ? lane.open.peak + std::log(lane.open.total) : taken;
  const float log_closed = effort.closed > 0 ? log_of(lane.closed) + std::log(effort.closed) : taken;
  const float peak = std::max(found.log_open, log_closed);
  found.log_total = peak + std::log(std::exp(found.log_open - peak) + std::exp(log_closed - peak));
  if (!lane.query->gradient) return;
  // Both parts are stored relative to their own peaks; these factors turn them into shares of the total.
  const float by_open = std::exp(lane.open.peak - found.log_total);
  const float by_closed = effort.closed * std::exp(lane.closed.peak - found.log_total);
  for (std::size_t j = 0; j < features_; ++j) {
    float sum_closed = 0;
    for (std::size_t i = 0; i < group_size; ++i) sum_closed += lane.at.closed_moment[j * group_size + i];
    lane.query->gradient[j] = by_open * lane.at.open_moment[j] + by_closed * sum_closed;
  }
}

void RowTree::sums(std::span<Query> queries, Effort effort, float* scratch) const {
  std::array<Lane, most_queries> lanes;
  const Shared shared{reinterpret_cast<std::uint32_t*>(scratch), scratch + largest_section_};
  scratch += largest_section_ + list_size + group_size;
  for (std::size_t l = 0; l < queries.size(); ++l) {
    queries[l].found = {};
    lanes[l].query = &queries[l];
    lanes[l].at = Scratch(*this, scratch + l * Scratch::size(*this));
    std::fill_n(std::copy_n(queries[l].y, features_, lanes[l].at.padded), width_ - features_, 0.0F);
  }
  const std::span<Lane> used(lanes.data(), queries.size());
  survey(used, effort);
  sum_sections(used, effort, shared);
  for (Lane& lane : used) repeat_if_short(lane, effort, shared);
}

}  // namespace scfe
