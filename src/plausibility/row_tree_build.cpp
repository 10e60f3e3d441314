// Packing the rows of a tree and the Gaussians of its cells and sections.
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "plausibility/row_tree.h"

namespace scfe {
namespace {

constexpr std::size_t together = 16, words_together = together / 2;
constexpr float no_weight = -1e30F;

std::size_t groups_of(std::size_t rows) { return (rows + together - 1) / together; }

// The upper half of the nearest float that has no other.
std::uint32_t to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
}

struct Steps {
  float number, square;
};

// As kernel/coarse.h has it: row number `place` of those that begin at `to`.
void put_coarse(std::span<const float> row, Steps steps, std::size_t place, std::uint8_t* to) {
  to += place / together * kernel::coarse_group_bytes(row.size()) + place % together * 2;
  float square = 0;
  for (std::size_t j = 0; j < row.size(); ++j) {
    square += 0.5F * row[j] * row[j];
    const float whole = steps.number > 0 ? std::round(row[j] / steps.number) : 0;
    to[j / 2 * 2 * together + j % 2] = static_cast<std::uint8_t>(64 + static_cast<int>(whole));
  }
  const float whole = steps.square > 0 ? std::min(127.0F, std::round(square / steps.square)) : 0;
  to[(row.size() + 1) / 2 * 2 * together] = static_cast<std::uint8_t>(whole);
}

}  // namespace

RowTree::RowTree(const std::vector<float>& rows, std::size_t features, const kernel::Kernels& kernels)
    : RowTree(features, kernels) {
  RowCells cells = sort_into_cells(rows, features, kernels);
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
  const std::size_t origin = origins_.size(), first = words_.size();
  for (std::size_t j = 0; j < features_; ++j) {
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += rows[numbers[i] * features_ + j];
    origins_.push_back(static_cast<float>(sum / static_cast<double>(size)));
  }
  words_.resize(first + groups_of(size) * words_together * features_);
  for (std::size_t i = 0; i < size; ++i) {
    std::uint32_t* to =
        words_.data() + first + i / together * words_together * features_ + i % words_together;
    const int shift = i % together < words_together ? 0 : 16;
    for (std::size_t j = 0; j < features_; ++j)
      to[j * words_together] |= to_half(rows[numbers[i] * features_ + j] - origins_[origin + j]) << shift;
  }
}

float RowTree::coordinate(std::size_t cell, std::size_t place, std::size_t feature) const {
  const std::size_t group = first_groups_[cell] + place / together;
  const std::uint32_t both = words_[(group * features_ + feature) * words_together + place % words_together];
  return std::bit_cast<float>(place % together < words_together ? both << 16 : both & 0xffff0000U);
}

void RowTree::weigh_cell(std::size_t cell) {
  for (std::size_t i = 0; i < groups_of(sizes_[cell]) * together; ++i) {
    double squared = 0;
    for (std::size_t j = 0; j < features_; ++j) squared += std::pow(coordinate(cell, i, j), 2);
    log_weights_.push_back(i < sizes_[cell] ? static_cast<float>(-0.5 * squared) : no_weight);
  }
}

// As fine as the largest number allows, and coarse enough for the sum of products to stay within sixteen bits
// (by Cauchy and Schwarz; the root is what rounding adds to the lengths), with 127² for the square.
void RowTree::coarsen_cell(std::size_t cell) {
  const float root = 0.5F * std::sqrt(static_cast<float>(features_));
  const float longest = std::max(4.0F, (32767 - 127 * 127) / (127 + root) - root - 1);
  float most = 0, square = 0;  // of |row|² / 2
  for (std::size_t i = 0; i < sizes_[cell]; ++i) {
    for (std::size_t j = 0; j < features_; ++j) most = std::max(most, std::abs(coordinate(cell, i, j)));
    square = std::max(square, -log_weights_[first_groups_[cell] * together + i]);
  }
  const float radius = std::sqrt(2 * square), step = std::max(most / 63, radius / longest);
  steps_.push_back(step);
  square_steps_.push_back(square / 127);
  margins_.push_back(0.3F * (step + radius / 127));  // one standard deviation
  const std::size_t size = kernel::coarse_group_bytes(features_);
  std::vector<float> row(features_);
  for (std::size_t place = 0; place < groups_of(sizes_[cell]) * together; ++place) {
    const std::size_t from = std::min<std::size_t>(place, sizes_[cell] - 1);  // what fills up is no nearer
    for (std::size_t j = 0; j < features_; ++j) row[j] = coordinate(cell, from, j);
    put_coarse(row, {step, square / 127}, place, bytes_.data() + first_groups_[cell] * size);
  }
}

void RowTree::complete() {
  first_groups_ = section_cells_ = section_groups_ = {0};
  for (const std::uint32_t size : sizes_) {
    rows_ += size;
    first_groups_.push_back(first_groups_.back() + groups_of(size));
  }
  for (std::size_t c = 0; c < sizes_.size(); ++c) weigh_cell(c);
  bytes_.resize(first_groups_.back() * kernel::coarse_group_bytes(features_));
  for (std::size_t c = 0; c < sizes_.size(); ++c) coarsen_cell(c);
  const std::size_t width = kernel::coarse_padded(features_);
  padded_origins_.resize(sizes_.size() * width);
  for (std::size_t i = 0; i < origins_.size(); ++i)
    padded_origins_[i / features_ * width + i % features_] = origins_[i];
  std::size_t cell = 0;
  const auto pad = [](Gaussians& list) {
    list.log_weights.resize(groups_of(list.log_weights.size()) * together, no_weight);
  };
  for (const std::uint32_t size : sections_) {
    largest_section_ = std::max<std::size_t>(largest_section_, size);
    add_gaussian(cell, cell + size, of_sections_);
    for (const std::size_t end = cell + size; cell < end; ++cell) add_gaussian(cell, cell + 1, of_cells_);
    pad(of_cells_);
    section_cells_.push_back(cell);
    section_groups_.push_back(of_cells_.groups());
  }
  pad(of_sections_);
}

void RowTree::add_gaussian(std::size_t first_cell, std::size_t last_cell, Gaussians& to) const {
  const std::size_t number = to.log_weights.size(), group = number / together, place = number % together;
  if (place == 0) {
    to.centres.resize((group + 1) * together * features_);
    to.inverse_stds.resize(to.centres.size());
  }
  double count = 0;
  for (std::size_t c = first_cell; c < last_cell; ++c) count += sizes_[c];
  double log_weight = std::log(count);
  for (std::size_t j = 0; j < features_; ++j) {
    const double about = origins_[first_cell * features_ + j];
    double sum = 0, square = 0;
    for (std::size_t c = first_cell; c < last_cell; ++c) {
      for (std::size_t i = 0; i < sizes_[c]; ++i) {
        const double at = double{origins_[c * features_ + j]} + coordinate(c, i, j) - about;
        sum += at;
        square += at * at;
      }
    }
    const double mean = sum / count, variance = 1 + std::max(0.0, square / count - mean * mean);
    const std::size_t at = (group * features_ + j) * together + place;
    to.centres[at] = static_cast<float>(about + mean);
    to.inverse_stds[at] = static_cast<float>(1 / std::sqrt(variance));
    log_weight -= 0.5 * std::log(variance);
  }
  to.log_weights.push_back(static_cast<float>(log_weight));
}

void RowTree::save(ByteWriter& out) const {
  out.put(std::uint64_t{features_});
  for (const auto* list : {&sizes_, &sections_}) out.put_list(*list);
  out.put_list(std::vector<std::uint32_t>(words_.begin(), words_.end()));
  out.put_list(origins_);
}

RowTree RowTree::load(ByteReader& in, const kernel::Kernels& kernels) {
  RowTree tree(static_cast<std::size_t>(in.get<std::uint64_t>()), kernels);
  for (auto* list : {&tree.sizes_, &tree.sections_}) *list = in.get_list<std::uint32_t>();
  const std::vector<std::uint32_t> words = in.get_list<std::uint32_t>();
  tree.words_.assign(words.begin(), words.end());
  tree.origins_ = in.get_list<float>();
  std::size_t groups = 0;
  for (const std::uint32_t size : tree.sizes_) {
    in.require(size > 0 && size <= tree.words_.size() * 2, "rows in each cell", size);
    groups += groups_of(size);
  }
  // By division: damaged numbers must not wrap around to ones that fit.
  const auto fits = [&](std::size_t size, std::size_t count) {
    return count > 0 && size % count == 0 && size / count == tree.features_;
  };
  in.require(tree.features_ > 0 && fits(tree.origins_.size(), tree.sizes_.size()) &&
                 fits(tree.words_.size() / words_together, groups) &&
                 tree.words_.size() % words_together == 0,
             "rows with features for each cell", tree.words_.size());
  const auto cells = std::accumulate(tree.sections_.begin(), tree.sections_.end(), std::uint64_t{0});
  in.require(std::ranges::find(tree.sections_, 0U) == tree.sections_.end() && cells == tree.sizes_.size(),
             "sections that hold the cells", cells);
  tree.complete();
  return tree;
}

}  // namespace scfe
