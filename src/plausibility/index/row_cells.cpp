#include "plausibility/index/row_cells.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/random.h"

namespace scfe {
namespace {

using kernel::group_size;
constexpr std::size_t cell_rows = 256;
constexpr std::size_t sample_per_centre = 64;
constexpr int rounds = 8;

using Numbers = std::vector<std::uint32_t>;

class Clustering {
 public:
  Clustering(const std::vector<float>& rows, std::size_t features, const kernel::Kernels& kernels)
      : rows_(&rows), features_(features), kernels_(&kernels), random_(0) {}

  // Splits rows into clusters and returns the non-empty ones.
  std::vector<Numbers> split(const Numbers& members, std::size_t clusters) {
    clusters = std::min(clusters, members.size());
    if (clusters < 2) return {members};
    begin(members, clusters);
    const std::size_t sampled = std::min(members.size(), sample_per_centre * clusters);
    for (int round = 0; round < rounds; ++round) {
      std::fill(sums_.begin(), sums_.end(), 0.0);
      std::fill(counts_.begin(), counts_.end(), 0.0);
      for (std::size_t s = 0; s < sampled; ++s)
        add(members[sampled == members.size() ? s : random_.index(members.size())]);
      recentre();
    }
    std::vector<Numbers> parts(clusters);
    for (const std::uint32_t row : members) parts[nearest(row)].push_back(row);
    std::erase_if(parts, [](const Numbers& part) { return part.empty(); });
    return parts;
  }

 private:
  const float* at(std::uint32_t row) const { return rows_->data() + row * features_; }
  float& centre(std::size_t k, std::size_t j) {
    return centres_[(k / group_size * features_ + j) * group_size + k % group_size];
  }

  void begin(const Numbers& members, std::size_t clusters) {
    clusters_ = clusters;
    const std::size_t groups = (clusters + group_size - 1) / group_size;
    centres_.assign(groups * group_size * features_, 0.0F);
    no_weights_.assign(groups * group_size, 0.0F);
    exponents_.resize(groups * group_size);
    sums_.resize(clusters * features_);
    counts_.resize(clusters);
    for (std::size_t k = 0; k < clusters; ++k) {
      const float* row = at(members[random_.index(members.size())]);
      for (std::size_t j = 0; j < features_; ++j) centre(k, j) = row[j];
    }
  }

  std::size_t nearest(std::uint32_t row) {
    const kernel::Packed packed{exponents_.size() / group_size, features_, centres_.data(), nullptr,
                                no_weights_.data()};
    kernels_->packed_exponents(packed, at(row), exponents_.data());
    const auto end = exponents_.begin() + static_cast<std::ptrdiff_t>(clusters_);
    return static_cast<std::size_t>(std::max_element(exponents_.begin(), end) - exponents_.begin());
  }

  void add(std::uint32_t row) {
    const std::size_t k = nearest(row);
    counts_[k] += 1;
    for (std::size_t j = 0; j < features_; ++j) sums_[k * features_ + j] += at(row)[j];
  }

  void recentre() {
    for (std::size_t k = 0; k < clusters_; ++k)
      for (std::size_t j = 0; j < features_ && counts_[k] > 0; ++j)
        centre(k, j) = static_cast<float>(sums_[k * features_ + j] / counts_[k]);
  }

  const std::vector<float>* rows_;
  std::size_t features_, clusters_ = 0;
  const kernel::Kernels* kernels_;
  Random random_;
  std::vector<float> centres_, no_weights_, exponents_;
  std::vector<double> sums_, counts_;
};

std::size_t rounded_share(std::size_t rows, std::size_t size) {
  return std::max<std::size_t>(1, (rows + size / 2) / size);
}

}  // namespace

RowCells sort_into_cells(const std::vector<float>& rows, std::size_t features,
                         const kernel::Kernels& kernels) {
  Numbers all(rows.size() / features);
  std::iota(all.begin(), all.end(), 0U);
  Clustering clustering(rows, features, kernels);
  const auto sections =
      static_cast<std::size_t>(std::sqrt(static_cast<double>(rounded_share(all.size(), cell_rows))));
  RowCells found;
  for (const Numbers& section : clustering.split(all, std::max<std::size_t>(1, sections))) {
    const std::size_t before = found.sizes.size();
    for (const Numbers& cell : clustering.split(section, rounded_share(section.size(), cell_rows))) {
      found.order.insert(found.order.end(), cell.begin(), cell.end());
      for (std::size_t first = 0; first < cell.size(); first += most_cell_rows)
        found.sizes.push_back(static_cast<std::uint32_t>(std::min(most_cell_rows, cell.size() - first)));
    }
    found.sections.push_back(static_cast<std::uint32_t>(found.sizes.size() - before));
  }
  return found;
}

}  // namespace scfe
