// Packs the rows of a tree and computes the Gaussians of its cells and sections.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "plausibility/index/row_tree.h"

namespace scfe {
namespace {

using kernel::group_size;
constexpr float no_weight = -1e30F;
// Share of a cell's variance that its Gaussian uses. Cells end where others begin, so a Gaussian with the
// full variance overestimates the sum at points outside the cell by a factor of two to three.
constexpr double cell_spread = 0.7;

std::size_t groups_of(std::size_t rows) { return (rows + group_size - 1) / group_size; }

// Rounds to the nearest bfloat16: the upper 16 bits of a float.
std::uint16_t to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return static_cast<std::uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

}  // namespace

RowTree::RowTree(const std::vector<float>& rows, std::size_t features, const kernel::Kernels& kernels)
    : RowTree(features, kernels) {
  RowCells cells = sort_into_cells(rows, features, kernels);
  halves_.reserve(cells.order.size() * width_);
  const std::uint32_t* numbers = cells.order.data();
  for (const std::uint32_t size : cells.sizes) {
    pack_cell(rows, numbers, size);
    numbers += size;
  }
  sizes_ = std::move(cells.sizes);
  sections_ = std::move(cells.sections);
  complete();
}

void RowTree::pack_cell(const std::vector<float>& rows, const std::uint32_t* numbers, std::size_t size) {
  const std::size_t origin = origins_.size(), first = halves_.size();
  origins_.resize(origin + width_);
  halves_.resize(first + size * width_);
  for (std::size_t j = 0; j < features_; ++j) {
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += rows[numbers[i] * features_ + j];
    const float mean = origins_[origin + j] = static_cast<float>(sum / static_cast<double>(size));
    for (std::size_t i = 0; i < size; ++i)
      halves_[first + i * width_ + j] = to_half(rows[numbers[i] * features_ + j] - mean);
  }
}

float RowTree::coordinate(std::size_t row, std::size_t feature) const {
  return std::bit_cast<float>(std::uint32_t{halves_[row * width_ + feature]} << 16);
}

void RowTree::coarsen_section(std::size_t section) {
  std::vector<float> values;
  for (std::size_t j = 0; j < features_; ++j) {
    values.clear();
    for (std::size_t c = section_cells_[section]; c < section_cells_[section + 1]; ++c)
      for (std::size_t i = first_rows_[c]; i < first_rows_[c + 1]; ++i)
        values.push_back(origins_[c * width_ + j] + coordinate(i, j));
    coarse_.set(section, j, values);
  }
}

void RowTree::complete() {
  first_rows_ = section_cells_ = section_groups_ = {0};
  for (const std::uint32_t size : sizes_) first_rows_.push_back(rows_ += size);
  coarse_ = CoarseRows(features_, sizes_, sections_);
  const auto pad = [](Gaussians& list) {
    list.log_weights.resize(groups_of(list.log_weights.size()) * group_size, no_weight);
  };
  std::size_t cell = 0;
  for (const std::uint32_t size : sections_) {
    largest_section_ = std::max<std::size_t>(largest_section_, size);
    add_gaussian(cell, cell + size, of_sections_);
    for (const std::size_t end = cell + size; cell < end; ++cell) add_gaussian(cell, cell + 1, of_cells_);
    pad(of_cells_);
    section_cells_.push_back(cell);
    section_groups_.push_back(of_cells_.groups());
    coarsen_section(section_cells_.size() - 2);
  }
  pad(of_sections_);
}

void RowTree::add_gaussian(std::size_t first_cell, std::size_t last_cell, Gaussians& to) const {
  const std::size_t number = to.log_weights.size(), group = number / group_size, place = number % group_size;
  if (place == 0) {
    to.centres.resize((group + 1) * group_size * features_);
    to.inverse_stds.resize(to.centres.size());
  }
  const bool alone = last_cell - first_cell == 1;
  double count = 0;
  for (std::size_t c = first_cell; c < last_cell; ++c) count += sizes_[c];
  double log_weight = std::log(count);
  for (std::size_t j = 0; j < features_; ++j) {
    const double about = origins_[first_cell * width_ + j];
    double sum = 0, square = 0;
    for (std::size_t c = first_cell; c < last_cell; ++c) {
      for (std::size_t i = first_rows_[c]; i < first_rows_[c + 1]; ++i) {
        const double at = double{origins_[c * width_ + j]} + coordinate(i, j) - about;
        sum += at;
        square += at * at;
      }
    }
    const double mean = sum / count, spread = std::max(0.0, square / count - mean * mean),
                 variance = 1 + (alone ? cell_spread : 1) * spread;
    const std::size_t at = (group * features_ + j) * group_size + place;
    to.centres[at] = static_cast<float>(about + mean);
    to.inverse_stds[at] = static_cast<float>(1 / std::sqrt(variance));
    log_weight -= 0.5 * std::log(variance);
  }
  to.log_weights.push_back(static_cast<float>(log_weight));
}

void RowTree::save(ByteWriter& out) const {
  out.put(std::uint64_t{features_});
  for (const auto* list : {&sizes_, &sections_}) out.put_list(*list);
  out.put_list(std::vector<std::uint16_t>(halves_.begin(), halves_.end()));
  out.put_list(std::vector<float>(origins_.begin(), origins_.end()));
}

RowTree RowTree::load(ByteReader& in, const kernel::Kernels& kernels) {
  const auto features = in.get<std::uint64_t>();
  in.require(features > 0 && features < std::numeric_limits<std::uint32_t>::max(), "features of rows",
             features);
  RowTree tree(static_cast<std::size_t>(features), kernels);
  for (auto* list : {&tree.sizes_, &tree.sections_}) *list = in.get_list<std::uint32_t>();
  const auto halves = in.get_list<std::uint16_t>();
  tree.halves_.assign(halves.begin(), halves.end());
  const auto origins = in.get_list<float>();
  tree.origins_.assign(origins.begin(), origins.end());
  std::uint64_t rows = 0;
  for (const std::uint32_t size : tree.sizes_) {
    in.require(size > 0 && size <= most_cell_rows, "rows in each cell", size);
    rows += size;
  }
  // Compares by division because a product of damaged numbers could overflow to a matching value.
  const auto fits = [&](std::size_t size, std::size_t count) {
    return count > 0 && size % count == 0 && size / count == tree.width_;
  };
  in.require(fits(tree.origins_.size(), tree.sizes_.size()) && fits(tree.halves_.size(), rows),
             "rows with features for each cell", tree.halves_.size());
  const auto cells = std::accumulate(tree.sections_.begin(), tree.sections_.end(), std::uint64_t{0});
  in.require(std::ranges::find(tree.sections_, 0U) == tree.sections_.end() && cells == tree.sizes_.size(),
             "sections that hold the cells", cells);
  tree.complete();
  return tree;
}

}  // namespace scfe
