#include "plausibility/index/near_index.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "kernel/listed.h"

namespace scfe {
namespace {

using kernel::group_size;
constexpr std::size_t cells_ahead = 2;      // number of cells to prefetch
constexpr std::size_t cells_surveyed = 32;  // cells measured for each cell that is opened
constexpr double no_bound = std::numeric_limits<double>::infinity();

// Writes -|x - row|_1. Sixteen independent sums let the compiler vectorise the loop.
void manhattan(const kernel::Packed& rows, const float* x, float* closeness) {
  const float* values = rows.centres;
  for (std::size_t g = 0; g < rows.groups; ++g, values += rows.features * group_size) {
    float sums[group_size] = {};
    for (std::size_t j = 0; j < rows.features; ++j) {
      const float* row = values + j * group_size;
      for (std::size_t i = 0; i < group_size; ++i) sums[i] += std::abs(x[j] - row[i]);
    }
    for (std::size_t i = 0; i < group_size; ++i)
      closeness[g * group_size + i] = rows.log_weights[g * group_size + i] - sums[i];
  }
}

// The distance from what the kernels return: half the squared distance (l2) or the distance itself.
double distance_of(double raw_distance, Metric metric) {
  return metric == Metric::l2 ? std::sqrt(2 * raw_distance) : raw_distance;
}

struct Nearby {
  float closeness;
  std::uint32_t number;
  bool operator<(const Nearby& other) const {
    return closeness != other.closeness ? closeness > other.closeness : number < other.number;
  }
};

// Sorts the list and keeps its first `count` entries.
void keep_nearest(std::vector<Nearby>& list, std::size_t count) {
  if (count < list.size()) {
    const auto end = list.begin() + static_cast<std::ptrdiff_t>(count);
    std::ranges::nth_element(list, end, std::less<>());
    list.erase(end, list.end());
  }
  std::ranges::sort(list, std::less<>());
}

}  // namespace

// One search. The nearest rows so far are kept in a heap with the farthest of them on top.
class NearIndex::Search {
 public:
  Search(const NearIndex& index, std::span<const double> x, std::size_t count, std::size_t skip)
      : index_(index),
        kernels_(kernel::kernels()),
        count_(count),
        skip_(skip < index.rows() ? index.places_[skip] : index.places_.size()),
        x_(index.width_),
        table_(kernel::coarse_table_bytes(index.features_)) {
    std::ranges::transform(x, x_.begin(), [](double v) { return static_cast<float>(v); });
    found_.reserve(count);
  }

  std::vector<Neighbour> run() {
    const std::size_t all = index_.cells_.sizes.size();
    survey(std::min(index_.cells_opened_, all));
    for (std::size_t opened = 0; !full() || opened < index_.cells_opened_; ++opened) {
      if (opened == cells_.size() && opened < all) survey(all);
      if (opened == all) break;
      const std::size_t ahead = opened + cells_ahead;
      if (ahead < cells_.size()) index_.coarse_.fetch(cells_[ahead].number);
      const double distance = distance_of(-cells_[opened].closeness, index_.metric_),
                   worst = full() ? distance_of(found_.front().raw_distance, index_.metric_) : no_bound;
      if (distance - index_.widest_ > worst) break;
      if (distance - index_.radii_[cells_[opened].number] > worst) continue;
      open(cells_[opened].number);
    }
    measure(waiting_);
    return neighbours();
  }

 private:
  struct Found {
    float raw_distance;
    std::uint32_t place;
  };

  bool full() const { return found_.size() == count_; }
  bool closer(const Found& a, const Found& b) const {
    const auto& order = index_.cells_.order;
    return a.raw_distance != b.raw_distance ? a.raw_distance < b.raw_distance
                                            : order[a.place] < order[b.place];
  }
  auto by_distance() const {
    return [this](const Found& a, const Found& b) { return closer(a, b); };
  }

  void measure_centres(const kernel::Packed& centres, float* closeness) const {
    (index_.metric_ == Metric::l2 ? kernels_.packed_exponents : manhattan)(centres, x_.data(), closeness);
  }

  // Sorts the `count` nearest cells. Only cells of the nearest sections are measured.
  void survey(std::size_t count) {
    const Centres &of_sections = index_.of_sections_, &of_cells = index_.of_cells_;
    closeness_.resize(std::max(of_sections.places(), of_cells.places()));
    measure_centres(of_sections.packed(0, of_sections.groups()), closeness_.data());
    std::vector<Nearby> sections;
    for (std::uint32_t s = 0; s < index_.cells_.sections.size(); ++s) sections.push_back({closeness_[s], s});
    keep_nearest(sections, sections.size());
    cells_.clear();
    std::size_t seen = 0;
    for (const auto [closeness, s] : sections) {
      const std::size_t first = index_.section_groups_[s], groups = index_.section_groups_[s + 1] - first;
      const auto begin = static_cast<std::uint32_t>(index_.coarse_.section_cell(s));
      const std::uint32_t size = index_.cells_.sections[s];
      measure_centres(of_cells.packed(first, groups), closeness_.data());
      for (std::uint32_t c = 0; c < size; ++c) cells_.push_back({closeness_[c], begin + c});
      seen += size;
      if (seen >= cells_surveyed * count) break;
    }
    keep_nearest(cells_, count);
  }

  // Rows are measured after the next cell was filtered: their prefetch needs the time.
  void open(std::uint32_t cell) {
    if (full()) {
      list_near(cell, near_);
      measure(waiting_);
      std::swap(near_, waiting_);
    } else {
      for (std::uint32_t place = index_.first_places_[cell]; place < index_.first_places_[cell + 1]; ++place)
        near_.push_back(place);
      measure(near_);
    }
  }

  void list_near(std::uint32_t cell, std::vector<std::uint32_t>& near) {
    look_for(index_.section_of_[cell]);
    const kernel::Coarse rows = index_.coarse_.cell(cell);
    std::array<std::uint32_t, most_cell_rows / kernel::coarse_rows> blocks;
    const std::uint8_t* table = table_.data();
    kernels_.coarse_near(rows, &table, 1, blocks.data());
    const std::uint32_t first = index_.first_places_[cell], end = index_.first_places_[cell + 1];
    for (std::size_t b = 0; b < rows.blocks; ++b) {
      for (std::uint32_t bits = blocks[b]; bits != 0; bits &= bits - 1) {
        const std::size_t place =
            first + b * kernel::coarse_rows + static_cast<std::size_t>(std::countr_zero(bits));
        if (place >= end) break;
        near.push_back(static_cast<std::uint32_t>(place));
        fetch_lines(index_.values_.data() + place * index_.width_, index_.width_ * sizeof(float));
      }
    }
  }

  // Prepares the filter table for rows of this section that may be nearer than the farthest row found so far.
  void look_for(std::uint32_t section) {
    constexpr float much_nearer = 0.98F;
    const float raw_distance = found_.front().raw_distance;
    if (section == section_ && raw_distance > much_nearer * reach_) return;
    section_ = section;
    reach_ = raw_distance;
    const bool euclidean = index_.metric_ == Metric::l2;
    kernels_.coarse_table(index_.features_, index_.coarse_.levels(section), x_.data(),
                          euclidean ? kernel::Distance::half_square : kernel::Distance::absolute,
                          index_.coarse_reach(section, raw_distance), table_.data());
  }

  void measure(std::vector<std::uint32_t>& list) {
    raw_distances_.resize(list.size());
    kernels_.listed_distances(index_.plain(), list.data(), list.size(), x_.data(), raw_distances_.data());
    for (std::size_t i = 0; i < list.size(); ++i) offer({raw_distances_[i], list[i]});
    list.clear();
  }

  void offer(Found candidate) {
    if (candidate.place == skip_ || (full() && !closer(candidate, found_.front()))) return;
    if (full()) {
      std::ranges::pop_heap(found_, by_distance());
      found_.pop_back();
    }
    found_.push_back(candidate);
    std::ranges::push_heap(found_, by_distance());
  }

  std::vector<Neighbour> neighbours() {
    std::ranges::sort(found_, by_distance());
    std::vector<Neighbour> sorted;
    for (const Found& f : found_)
      sorted.push_back({distance_of(f.raw_distance, index_.metric_), index_.cells_.order[f.place]});
    return sorted;
  }

  const NearIndex& index_;
  const kernel::Kernels& kernels_;
  std::size_t count_, skip_;  // skip_ is a place in the order of the cells
  std::vector<float> x_, raw_distances_, closeness_;
  std::vector<Nearby> cells_;  // nearest first
  std::vector<std::uint8_t> table_;
  std::uint32_t section_ = std::numeric_limits<std::uint32_t>::max();  // for which table_ was made
  float reach_ = 0;                                                    // distance for which table_ was made
  std::vector<std::uint32_t> near_, waiting_;                          // places of candidate rows
  std::vector<Found> found_;
};

kernel::Packed NearIndex::Centres::packed(std::size_t first, std::size_t count) const {
  return {count, features, values.data() + first * group_size * features, nullptr,
          no_weights.data() + first * group_size};
}

kernel::PlainRows NearIndex::plain() const {
  return {width_, values_.data(),
          metric_ == Metric::l2 ? kernel::Distance::half_square : kernel::Distance::absolute};
}

// The distance up to which the filter must let rounded rows pass: `raw_distance` plus two standard deviations
// of the four-bit rounding and of the filter's own arithmetic, and at least the rounding error itself.
float NearIndex::coarse_reach(std::size_t section, float raw_distance) const {
  constexpr float least = 1e-30F, deviations = 2, part = 1.0F / 255;
  const float lost = coarse_.roughness(section), count = static_cast<float>(features_);
  const float doubt = metric_ == Metric::l2
                          ? lost / 2 + deviations * std::sqrt(2 * lost / count * raw_distance)
                          : deviations * std::sqrt(lost);
  const float least_seen = metric_ == Metric::l2 ? lost : std::sqrt(count * lost);
  const float rounding = 1 + deviations * part * std::sqrt(count / 12);
  return rounding * std::max({least, least_seen, raw_distance + doubt});
}

float NearIndex::coordinate(std::size_t row, std::size_t feature) const {
  return values_[places_[row] * width_ + feature];
}

std::vector<Neighbour> NearIndex::nearest(std::span<const double> x, std::size_t count,
                                          std::size_t skip) const {
  count = std::min(count, rows() - (skip < rows() ? 1 : 0));
  if (count == 0) return {};
  return Search(*this, x, count, skip).run();
}

}  // namespace scfe
