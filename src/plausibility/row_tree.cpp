#include "plausibility/row_tree.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace scfe {
namespace {

constexpr std::size_t together = 16;
constexpr float lowest = -1e30F, taken = -2e30F;
constexpr std::size_t cells_ahead = 2;
constexpr float open_reach =
    9.2F;                          // log 1e4: rows this far below the nearest are left out, if their group is
constexpr float closed_reach = 3;  // closed cells this far below the share of open ones are left out
// A section's Gaussian is a coarser likeness than a cell's: it is asked for a smaller share.
constexpr float section_caution = 0.03F;

float log_of(const kernel::PackedSum& sum) {
  float total = 0;
  for (std::size_t i = 0; i < together; ++i) total += sum.total[i];
  return total > 0 ? sum.peak + std::log(total) : taken;
}

}  // namespace

// Parts of the scratch of one point.
struct RowTree::Scratch {
  float *sections = nullptr, *cells = nullptr, *open_total = nullptr, *closed_total = nullptr,
        *open_moment = nullptr, *closed_moment = nullptr;

  static std::size_t size(const RowTree& tree) {
    return tree.of_sections_.log_weights.size() + tree.of_cells_.log_weights.size() +
           2 * together * (tree.features_ + 1);
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
  }
};

struct RowTree::Lane {
  Query* query = nullptr;
  Scratch at = {};
  float worth_a_look = 0, threshold = 0;  // of sections and of cells
  kernel::PackedSum open = {}, closed = {};
};

std::size_t RowTree::scratch(std::size_t queries) const {
  return std::min(queries, most_queries) * Scratch::size(*this) + largest_section_;
}

kernel::Packed RowTree::Gaussians::packed(std::size_t features, std::size_t first_group,
                                          std::size_t groups) const {
  const std::size_t offset = first_group * together * features;
  return {groups, features, centres.data() + offset, inverse_stds.data() + offset,
          log_weights.data() + first_group * together};
}

kernel::Halved RowTree::cell(std::size_t cell) const {
  const std::size_t first = first_groups_[cell];
  return {first_groups_[cell + 1] - first, features_, words_.data() + first * together / 2 * features_,
          log_weights_.data() + first * together, origins_.data() + cell * features_};
}

void RowTree::survey(std::span<Lane> lanes, float share) const {
  const kernel::Packed sections = of_sections_.packed(features_, 0, of_sections_.groups());
  for (Lane& lane : lanes) {
    kernels_->packed_exponents(sections, lane.query->y, lane.at.sections);
    std::fill_n(lane.at.open_total, 2 * together, 0.0F);  // and closed_total
    kernel::PackedSum coarse{lowest, lane.at.closed_total, nullptr};
    kernels_->packed_sum(sections, lane.query->y, lane.at.sections, coarse);
    lane.worth_a_look = log_of(coarse) + std::log(share * section_caution);
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
    lane.threshold = log_of(lane.open) + std::log(share);
    std::fill_n(lane.at.open_total, 2 * together * (features_ + 1), 0.0F);  // totals and moments side by side
    const bool slope = lane.query->gradient != nullptr;
    lane.open = {lowest, lane.at.open_total, slope ? lane.at.open_moment : nullptr, lowest, open_reach};
    lane.closed = {lowest, lane.at.closed_total, slope ? lane.at.closed_moment : nullptr,
                   lane.threshold - closed_reach};
  }
}

// Cells lie far apart: some are on their way from memory while one is summed.
void RowTree::fetch(std::size_t at) const {
  constexpr std::size_t line = 64;
  const auto fetch_all = [](const void* from, std::size_t size) {
    for (std::size_t i = 0; i < size; i += line) __builtin_prefetch(static_cast<const char*>(from) + i);
  };
  const kernel::Halved rows = cell(at);
  fetch_all(rows.words, rows.groups * together * features_ * 2);
  fetch_all(rows.log_weights, rows.groups * together * sizeof(float));
  fetch_all(rows.origin, features_ * sizeof(float));
}

void RowTree::sum_section(std::size_t section, std::span<Lane> lanes, std::uint32_t* opened_by) const {
  const std::size_t first = section_groups_[section], begin = section_cells_[section],
                    count = section_cells_[section + 1] - begin;
  const kernel::Packed cells = of_cells_.packed(features_, first, section_groups_[section + 1] - first);
  bool looked = false;
  for (std::size_t l = 0; l < lanes.size(); ++l) {
    Lane& lane = lanes[l];
    if (lane.at.sections[section] != taken) continue;
    if (!looked) std::fill_n(opened_by, count, 0U);
    looked = true;
    lane.query->found.looked_at += count;
    float* exponents = lane.at.cells + first * together;
    for (std::size_t c = 0; c < count; ++c) {
      const bool open = exponents[c] > lane.threshold;
      opened_by[c] |= std::uint32_t{open} << l;
      exponents[c] = open ? taken : exponents[c];
    }
    kernels_->packed_sum(cells, lane.query->y, exponents, lane.closed);
  }
  if (!looked) return;
  std::size_t ahead = 0, fetched = 0;
  for (std::size_t c = 0, done = 0; c < count; ++c) {
    if (opened_by[c] == 0) continue;
    for (; ahead < count && fetched <= done + cells_ahead; ++ahead)
      if (opened_by[ahead] != 0) fetch(begin + ahead), ++fetched;
    ++done;
    const kernel::Halved rows = cell(begin + c);
    for (std::size_t l = 0; l < lanes.size(); ++l) {
      if ((opened_by[c] >> l & 1U) == 0) continue;
      kernels_->halved_sum(rows, lanes[l].query->y, lanes[l].open);
      lanes[l].query->found.looked_at += sizes_[begin + c];
    }
  }
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
  auto* opened_by = reinterpret_cast<std::uint32_t*>(scratch);
  scratch += largest_section_;
  for (std::size_t l = 0; l < queries.size(); ++l) {
    queries[l].found = {};
    lanes[l].query = &queries[l];
    lanes[l].at = Scratch(*this, scratch + l * Scratch::size(*this));
  }
  const std::span<Lane> used(lanes.data(), queries.size());
  survey(used, effort.share);
  const kernel::Packed sections = of_sections_.packed(features_, 0, of_sections_.groups());
  for (std::size_t s = 0; s + 1 < section_cells_.size(); ++s) sum_section(s, used, opened_by);
  for (Lane& lane : used) {
    kernels_->packed_sum(sections, lane.query->y, lane.at.sections, lane.closed);
    finish(lane, effort);
  }
}

}  // namespace scfe
