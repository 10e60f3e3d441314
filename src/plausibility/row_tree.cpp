#include "plausibility/row_tree.h"

#include <algorithm>
#include <cmath>

namespace scfe {
namespace {

constexpr std::size_t together = 16, none = static_cast<std::size_t>(-1);
constexpr float lowest = -1e30F, taken = -2e30F;
// A section's Gaussian is a coarser likeness than a cell's: it is asked for a smaller share.
constexpr float section_caution = 0.03F;

float log_of(const kernel::PackedSum& sum) {
  float total = 0;
  for (std::size_t i = 0; i < together; ++i) total += sum.total[i];
  return total > 0 ? sum.peak + std::log(total) : taken;
}

}  // namespace

// Parts of the scratch.
struct RowTree::Scratch {
  float *sections, *cells, *point, *open_total, *closed_total, *open_moment, *closed_moment;

  Scratch(const RowTree& tree, float* scratch) {
    const auto next = [&](std::size_t size) {
      float* part = scratch;
      scratch += size;
      return part;
    };
    sections = next(tree.of_sections_.log_weights.size());
    cells = next(tree.of_cells_.log_weights.size());
    point = next(tree.features_);
    open_total = next(together);
    closed_total = next(together);
    open_moment = next(together * tree.features_);
    closed_moment = next(together * tree.features_);
  }
};

std::size_t RowTree::scratch() const {
  return of_sections_.log_weights.size() + of_cells_.log_weights.size() + features_ +
         2 * together * (features_ + 1);
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
          log_weights_.data() + first * together};
}

float RowTree::survey(const float* y, float share, const Scratch& to) const {
  const kernel::Packed sections = of_sections_.packed(features_, 0, of_sections_.groups());
  kernels_->packed_exponents(sections, y, to.sections);
  std::fill_n(to.open_total, together, 0.0F);
  kernel::PackedSum coarse{lowest, to.open_total, nullptr};
  kernels_->packed_sum(sections, y, to.sections, coarse);
  const float worth_a_look = log_of(coarse) + std::log(share * section_caution);

  std::fill_n(to.open_total, together, 0.0F);
  kernel::PackedSum fine{lowest, to.open_total, nullptr};
  for (std::size_t s = 0; s + 1 < section_cells_.size(); ++s) {
    if (!(to.sections[s] > worth_a_look)) continue;
    to.sections[s] = taken;
    const std::size_t first = section_groups_[s];
    const kernel::Packed cells = of_cells_.packed(features_, first, section_groups_[s + 1] - first);
    kernels_->packed_exponents(cells, y, to.cells + first * together);
    kernels_->packed_sum(cells, y, to.cells + first * together, fine);
  }
  kernels_->packed_sum(sections, y, to.sections, fine);
  return log_of(fine);
}

// Cells lie far apart: the next one is on its way from memory while one is summed.
void RowTree::fetch(std::size_t at) const {
  constexpr std::size_t line = 64;
  const auto* from = reinterpret_cast<const char*>(cell(at).words);
  const std::size_t size = cell(at).groups * together * features_ * 2;
  for (std::size_t i = 0; i < size; i += line) __builtin_prefetch(from + i);
}

void RowTree::add_rows(std::size_t at, const float* y, float* point, kernel::PackedSum& sum) const {
  const float* origin = origins_.data() + at * features_;
  float squared = 0;
  for (std::size_t j = 0; j < features_; ++j) {
    point[j] = y[j] - origin[j];
    squared += point[j] * point[j];
  }
  kernels_->halved_sum(cell(at), point, -0.5F * squared, sum);
}

RowTree::Sum RowTree::sum(const float* y, Effort effort, float* gradient, float* scratch) const {
  const Scratch at(*this, scratch);
  const float threshold = survey(y, effort.share, at) + std::log(effort.share);
  std::fill_n(at.open_total, 2 * together * (features_ + 1), 0.0F);  // totals and moments lie side by side
  kernel::PackedSum open{lowest, at.open_total, gradient ? at.open_moment : nullptr};
  kernel::PackedSum closed{lowest, at.closed_total, gradient ? at.closed_moment : nullptr};
  Sum found;
  for (std::size_t s = 0; s + 1 < section_cells_.size(); ++s) {
    if (at.sections[s] != taken) continue;
    const std::size_t first = section_groups_[s], count = section_cells_[s + 1] - section_cells_[s];
    float* exponents = at.cells + first * together;
    found.looked_at += count;
    std::size_t before = none;
    for (std::size_t c = 0; c < count; ++c) {
      if (!(exponents[c] > threshold)) continue;
      exponents[c] = taken;
      found.looked_at += sizes_[section_cells_[s] + c];
      fetch(section_cells_[s] + c);
      if (before != none) add_rows(before, y, at.point, open);
      before = section_cells_[s] + c;
    }
    if (before != none) add_rows(before, y, at.point, open);
    kernels_->packed_sum(of_cells_.packed(features_, first, section_groups_[s + 1] - first), y, exponents,
                         closed);
  }
  kernels_->packed_sum(of_sections_.packed(features_, 0, of_sections_.groups()), y, at.sections, closed);

  found.log_open = log_of(open);
  const float log_closed = effort.closed > 0 ? log_of(closed) + std::log(effort.closed) : taken;
  const float peak = std::max(found.log_open, log_closed);
  found.log_total = peak + std::log(std::exp(found.log_open - peak) + std::exp(log_closed - peak));
  if (!gradient) return found;
  // Each part's own peak is taken out of its total: what is left are the shares of the two parts.
  const float by_open = std::exp(open.peak - found.log_total);
  const float by_closed = effort.closed * std::exp(closed.peak - found.log_total);
  for (std::size_t j = 0; j < features_; ++j) {
    float sum_open = 0, sum_closed = 0;
    for (std::size_t i = 0; i < together; ++i) sum_open += at.open_moment[j * together + i];
    for (std::size_t i = 0; i < together; ++i) sum_closed += at.closed_moment[j * together + i];
    gradient[j] = by_open * sum_open + by_closed * sum_closed;
  }
  return found;
}

}  // namespace scfe
