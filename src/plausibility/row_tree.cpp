#include "plausibility/row_tree.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace scfe {
namespace {

constexpr std::size_t together = 16;
constexpr float lowest = -1e30F, taken = -2e30F;
constexpr std::size_t cells_ahead = 2;
constexpr std::size_t fetched_bytes = 1 << 20;
constexpr float open_reach =
    9.2F;                          // log 1e4: rows this far below the nearest are left out, if their group is
constexpr float closed_reach = 3;  // closed cells this far below the share of open ones are left out
constexpr float row_reach = 0.7F;  // rows this far below that share are left out
constexpr float surprise = 2;      // a sum this far below what the Gaussians said
// A section's Gaussian is a coarser likeness than a cell's: it is asked for a smaller share.
constexpr float section_caution = 0.03F;

float log_of(const kernel::PackedSum& sum) {
  float total = 0;
  for (std::size_t i = 0; i < together; ++i) total += sum.total[i];
  return total > 0 ? sum.peak + std::log(total) : taken;
}

void fetch_all(const void* from, std::size_t size) {
  constexpr std::size_t line = 64;
  for (std::size_t i = 0; i < size; i += line) __builtin_prefetch(static_cast<const char*>(from) + i);
}

}  // namespace

// Parts of the scratch of one point.
struct RowTree::Scratch {
  float *sections = nullptr, *cells = nullptr, *open_total = nullptr, *closed_total = nullptr,
        *open_moment = nullptr, *closed_moment = nullptr, *padded = nullptr;

  static std::size_t size(const RowTree& tree) {
    return tree.of_sections_.log_weights.size() + tree.of_cells_.log_weights.size() +
           2 * together * (tree.features_ + 1) + kernel::coarse_padded(tree.features_);
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
    open_total = next(together);
    closed_total = next(together);
    open_moment = next(together * tree.features_);
    closed_moment = next(together * tree.features_);
    padded = next(kernel::coarse_padded(tree.features_));
  }
};

struct RowTree::Lane {
  Query* query = nullptr;
  Scratch at = {};
  float worth_a_look = 0, threshold = 0;  // of sections and of cells
  kernel::PackedSum open = {}, closed = {};
};

float RowTree::Effort::log_share(float log_sum) const {
  constexpr float most_less = -6, most_more = 1.5F;
  return std::log(share) + std::clamp(tilt * (log_sum - level), most_less, most_more);
}

std::size_t RowTree::scratch(std::size_t queries) const {
  return std::min(queries, most_queries) * Scratch::size(*this) + largest_section_ +
         kernel::coarse_scratch(features_);
}

// Of all points together.
struct RowTree::Shared {
  std::uint32_t* opened_by;  // for each cell of a section: bit l for the point in lane l
  std::int16_t* rounded;     // of the kernel
};

kernel::Packed RowTree::Gaussians::packed(std::size_t features, std::size_t first_group,
                                          std::size_t groups) const {
  const std::size_t offset = first_group * together * features;
  return {groups, features, centres.data() + offset, inverse_stds.data() + offset,
          log_weights.data() + first_group * together};
}

kernel::Halved RowTree::cell(std::size_t cell, std::uint32_t groups) const {
  const std::size_t first = first_groups_[cell];
  return {groups, features_, words_.data() + first * together / 2 * features_,
          log_weights_.data() + first * together, origins_.data() + cell * features_};
}

kernel::Coarse RowTree::coarse_cell(std::size_t cell) const {
  const std::size_t first = first_groups_[cell];
  return {first_groups_[cell + 1] - first,
          features_,
          bytes_.data() + first * kernel::coarse_group_bytes(features_),
          padded_origins_.data() + cell * kernel::coarse_padded(features_),
          steps_[cell],
          square_steps_[cell],
          margins_[cell]};
}

void RowTree::survey(std::span<Lane> lanes, Effort effort) const {
  const kernel::Packed sections = of_sections_.packed(features_, 0, of_sections_.groups());
  for (Lane& lane : lanes) {
    kernels_->packed_exponents(sections, lane.query->y, lane.at.sections);
    std::fill_n(lane.at.open_total, 2 * together, 0.0F);  // and closed_total
    kernel::PackedSum coarse{lowest, lane.at.closed_total, nullptr};
    kernels_->packed_sum(sections, lane.query->y, lane.at.sections, coarse);
    lane.worth_a_look = log_of(coarse) + effort.log_share(log_of(coarse)) + std::log(section_caution);
    lane.open = {lowest, lane.at.open_total, nullptr};
  }
  for (std::size_t s = 0; s + 1 < section_cells_.size(); ++s) {
    const std::size_t first = section_groups_[s];
    const kernel::Packed cells = of_cells_.packed(features_, first, section_groups_[s + 1] - first);
    for (Lane& lane : lanes) {
      if (!(lane.at.sections[s] > lane.worth_a_look)) continue;
      lane.at.sections[s] = taken;
      kernels_->packed_exponents(cells, lane.query->y, lane.at.cells + first * together);
      kernels_->packed_sum(cells, lane.query->y, lane.at.cells + first * together, lane.open);
    }
  }
  for (Lane& lane : lanes) {
    kernels_->packed_sum(sections, lane.query->y, lane.at.sections, lane.open);
    const float promised = lane.query->found.log_promised = log_of(lane.open);
    lane.threshold = promised + effort.log_share(promised);
    std::fill_n(lane.at.open_total, 2 * together * (features_ + 1), 0.0F);  // totals and moments side by side
    const bool slope = lane.query->gradient != nullptr;
    lane.open = {lowest, lane.at.open_total, slope ? lane.at.open_moment : nullptr,
                 lane.threshold - row_reach, open_reach};
    lane.closed = {lowest, lane.at.closed_total, slope ? lane.at.closed_moment : nullptr,
                   lane.threshold - closed_reach};
  }
}

// Cells lie far apart: some are on their way from memory while one is summed.
void RowTree::fetch(std::size_t at) const {
  const kernel::Coarse rows = coarse_cell(at);
  fetch_all(rows.bytes, std::min(fetched_bytes, rows.groups * kernel::coarse_group_bytes(features_)));
  fetch_all(rows.origin, features_ * sizeof(float));
}

void RowTree::fetch_groups(std::size_t at, std::uint32_t groups) const {
  const kernel::Halved rows = cell(at, groups);
  const std::size_t size = together / 2 * features_;
  for (; groups != 0; groups &= groups - 1)
    fetch_all(rows.words + static_cast<std::size_t>(std::countr_zero(groups)) * size,
              size * sizeof(std::uint32_t));
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
    float* exponents = lane.at.cells + first * together;
    for (std::size_t c = 0; c < count; ++c) {
      const bool open = exponents[c] > lane.threshold;
      shared.opened_by[c] |= std::uint32_t{open} << l;
      exponents[c] = open ? taken : exponents[c];
    }
    kernels_->packed_sum(cells, lane.query->y, exponents, lane.closed);
  }
  if (looked) sum_cells(section, lanes, shared);
}

// The groups worth a sum are known one cell ahead of it, and are on their way meanwhile.
void RowTree::sum_cells(std::size_t section, std::span<Lane> lanes, Shared shared) const {
  const std::size_t begin = section_cells_[section], count = section_cells_[section + 1] - begin;
  std::array<std::uint32_t, most_queries> last{}, next{};
  std::size_t ahead = 0, fetched = 0, before = begin;
  const auto sum_last = [&] {
    for (std::size_t l = 0; l < lanes.size(); ++l)
      if (last[l] != 0) kernels_->halved_sum(cell(before, last[l]), lanes[l].query->y, lanes[l].open);
  };
  for (std::size_t c = 0, done = 0; c < count; ++c) {
    if (shared.opened_by[c] == 0) continue;
    for (; ahead < count && fetched <= done + cells_ahead; ++ahead)
      if (shared.opened_by[ahead] != 0) fetch(begin + ahead), ++fetched;
    ++done;
    const kernel::Coarse coarse = coarse_cell(begin + c);
    std::uint32_t near = 0;
    for (std::size_t l = 0; l < lanes.size(); ++l) {
      next[l] = 0;
      if ((shared.opened_by[c] >> l & 1U) == 0) continue;
      Lane& lane = lanes[l];
      lane.query->found.looked_at += sizes_[begin + c];
      near |= next[l] = kernels_->coarse_groups(coarse, lane.at.padded, lane.open.floor, shared.rounded);
    }
    fetch_groups(begin + c, near);
    sum_last();
    std::swap(last, next);
    before = begin + c;
  }
  sum_last();
}

// Where the Gaussians promised more than the rows hold, rows were left out that count: once more over the
// open cells, with a floor below what was found.
void RowTree::look_again(Lane& lane, Effort effort, Shared shared) const {
  std::fill_n(lane.at.open_total, together, 0.0F);
  std::fill_n(lane.at.open_moment, together * features_, 0.0F);
  lane.open = {lowest, lane.open.total, lane.open.moment,
               lane.query->found.log_total + effort.log_share(lane.query->found.log_total) - row_reach,
               open_reach};
  for (std::size_t s = 0; s + 1 < section_cells_.size(); ++s) {
    if (lane.at.sections[s] != taken) continue;
    const std::size_t begin = section_cells_[s], count = section_cells_[s + 1] - begin;
    for (std::size_t c = 0; c < count; ++c)
      shared.opened_by[c] = lane.at.cells[section_groups_[s] * together + c] == taken ? 1 : 0;
    sum_cells(s, {&lane, 1}, shared);
  }
  finish(lane, effort);
}

void RowTree::finish(Lane& lane, Effort effort) const {
  Sum& found = lane.query->found;
  found.log_open = log_of(lane.open);
  const float log_closed = effort.closed > 0 ? log_of(lane.closed) + std::log(effort.closed) : taken;
  const float peak = std::max(found.log_open, log_closed);
  found.log_total = peak + std::log(std::exp(found.log_open - peak) + std::exp(log_closed - peak));
  if (!lane.query->gradient) return;
  // Each part's own peak is taken out of its total: what is left are the shares of the two parts.
  const float by_open = std::exp(lane.open.peak - found.log_total);
  const float by_closed = effort.closed * std::exp(lane.closed.peak - found.log_total);
  for (std::size_t j = 0; j < features_; ++j) {
    float sum_open = 0, sum_closed = 0;
    for (std::size_t i = 0; i < together; ++i) sum_open += lane.at.open_moment[j * together + i];
    for (std::size_t i = 0; i < together; ++i) sum_closed += lane.at.closed_moment[j * together + i];
    lane.query->gradient[j] = by_open * sum_open + by_closed * sum_closed;
  }
}

void RowTree::sums(std::span<Query> queries, Effort effort, float* scratch) const {
  std::array<Lane, most_queries> lanes;
  const Shared shared{reinterpret_cast<std::uint32_t*>(scratch),
                      reinterpret_cast<std::int16_t*>(scratch + largest_section_)};
  scratch += largest_section_ + kernel::coarse_scratch(features_);
  for (std::size_t l = 0; l < queries.size(); ++l) {
    queries[l].found = {};
    lanes[l].query = &queries[l];
    lanes[l].at = Scratch(*this, scratch + l * Scratch::size(*this));
    std::fill_n(std::copy_n(queries[l].y, features_, lanes[l].at.padded),
                kernel::coarse_padded(features_) - features_, 0.0F);
  }
  const std::span<Lane> used(lanes.data(), queries.size());
  survey(used, effort);
  const kernel::Packed sections = of_sections_.packed(features_, 0, of_sections_.groups());
  for (std::size_t s = 0; s + 1 < section_cells_.size(); ++s) sum_section(s, used, shared);
  for (Lane& lane : used) {
    kernels_->packed_sum(sections, lane.query->y, lane.at.sections, lane.closed);
    finish(lane, effort);
    const Sum& found = lane.query->found;
    if (found.log_promised - found.log_total > surprise) look_again(lane, effort, shared);
  }
}

}  // namespace scfe
