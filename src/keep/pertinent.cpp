#include "keep/pertinent.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "solver/lanes.h"

namespace scfe {
namespace {

constexpr std::size_t beam_width = 12;
constexpr std::size_t lanes = 64;
constexpr std::size_t lanes_at_once = 32;                // small, because most sets fail on the first rows
constexpr std::size_t most_rows = std::size_t{1} << 20;  // evaluations that a proof may take

using Set = std::vector<std::size_t>;  // features, ascending

struct Rated {
  Set set;
  double share;
};

class Rating {
 public:
  Rating(const PertinentJob& job, std::span<const double> values)
      : job_(job),
        values_(values),
        x_(job.space.inputs(), lanes),
        scores_(job.model.scores(), lanes),
        tape_(job.model.tape(lanes)),
        row_(job.space),
        point_(job.model.scores()) {
    decision_ = classes({std::vector<double>(values.begin(), values.end())}).front();
    order_.resize(job.chosen_by.size());
    std::iota(order_.begin(), order_.end(), 0);
  }
  int decision() const { return decision_; }

  double share(const Set& set, std::vector<std::vector<double>> rows) {
    for (std::vector<double>& row : rows) take_over(set, row);
    const std::vector<int> found = classes(rows);
    const auto kept = std::count(found.begin(), found.end(), decision_);
    return static_cast<double>(kept) / static_cast<double>(found.size());
  }

  // True if share(set) on the rows of job.chosen_by is large enough. Rows on which the last sets failed come
  // first, because this set will probably fail on them too.
  bool holds(const Set& set) {
    const double rows = static_cast<double>(order_.size());
    std::vector<char> missed(order_.size());
    std::size_t misses = 0, first = 0;
    const auto enough = [&] { return (rows - static_cast<double>(misses)) / rows >= job_.share; };
    while (first < order_.size() && enough()) {
      std::vector<std::vector<double>> some;
      const std::size_t last = std::min(first + lanes_at_once, order_.size());
      for (std::size_t i = first; i < last; ++i) take_over(set, some.emplace_back(job_.chosen_by[order_[i]]));
      for (const int found : classes(some)) misses += missed[order_[first++]] = found != decision_ ? 1 : 0;
    }
    evaluated_ += first;
    std::stable_partition(order_.begin(), order_.end(), [&](std::size_t row) { return missed[row] != 0; });
    return enough();
  }
  std::size_t evaluated() const { return evaluated_; }

 private:
  void take_over(const Set& set, std::vector<double>& row) const {
    for (const std::size_t f : set) row[f] = values_[f];
  }

  std::vector<int> classes(const std::vector<std::vector<double>>& rows) {
    std::vector<int> found;
    for (std::size_t first = 0; first < rows.size(); first += lanes) {
      const std::size_t count = std::min(lanes, rows.size() - first);
      x_.set_lanes(count);
      scores_.set_lanes(count);
      for (std::size_t lane = 0; lane < count; ++lane) {
        row_.set(job_.space, rows[first + lane]);
        for (std::size_t i = 0; i < row_.inputs.size(); ++i) x_[i][lane] = row_.inputs[i];
      }
      job_.model.forward(x_, scores_, *tape_);
      for (std::size_t lane = 0; lane < count; ++lane) {
        for (std::size_t k = 0; k < point_.size(); ++k) point_[k] = scores_[k][lane];
        found.push_back(job_.decide(point_));
      }
    }
    return found;
  }

  const PertinentJob& job_;
  std::span<const double> values_;
  Block x_, scores_;
  std::unique_ptr<Model::Tape> tape_;
  RowForms row_;
  std::vector<float> point_;
  int decision_ = 0;
  std::vector<std::size_t> order_;  // in which holds() tries the rows of job.chosen_by
  std::size_t evaluated_ = 0;       // rows, by holds()
};

Set with(const Set& set, std::size_t feature) {
  Set larger = set;
  larger.insert(std::upper_bound(larger.begin(), larger.end(), feature), feature);
  return larger;
}

// The next set of the same size in lexical order; false after the last.
bool next_set(Set& set, std::size_t features) {
  for (std::size_t i = set.size(); i-- > 0;) {
    if (set[i] == features - set.size() + i) continue;
    std::iota(set.begin() + static_cast<std::ptrdiff_t>(i), set.end(), set[i] + 1);
    return true;
  }
  return false;
}

double count_of_sets(std::size_t features, std::size_t size) {
  double count = 1;
  for (std::size_t i = 0; i < size; ++i)
    count *= static_cast<double>(features - i) / static_cast<double>(i + 1);
  return count;
}

struct Exhausted {
  bool all = true;            // every set was tried
  std::optional<Rated> best;  // the set with the largest share on job.stated_on
};

Exhausted sets_of_size(const PertinentJob& job, Rating& rating, std::size_t size) {
  const std::size_t features = job.space.features();
  const auto too_many = [&](double sets) {
    return static_cast<double>(rating.evaluated()) + sets * lanes_at_once > static_cast<double>(most_rows);
  };
  if (too_many(count_of_sets(features, size))) return {false, std::nullopt};
  Exhausted found;
  Set set(size);
  std::iota(set.begin(), set.end(), 0);
  do {
    if (too_many(1)) return {false, found.best};
    if (!rating.holds(set)) continue;
    const double stated = rating.share(set, job.stated_on);
    if (stated >= std::max(job.share, found.best ? found.best->share + 1e-12 : 0)) found.best = {set, stated};
  } while (next_set(set, features));
  return found;
}

Rated small_set(const PertinentJob& job, Rating& rating) {
  std::vector<Rated> beam = {{{}, rating.share({}, job.chosen_by)}};
  const auto better = [](const Rated& a, const Rated& b) { return a.share > b.share; };
  for (;;) {
    for (const Rated& rated : beam) {
      if (rated.share < job.share) break;
      const double stated = rating.share(rated.set, job.stated_on);
      if (stated >= job.share) return {rated.set, stated};
    }
    std::set<Set> seen;
    std::vector<Rated> next;
    for (const Rated& from : beam)
      for (std::size_t f = 0; f < job.space.features(); ++f) {
        if (std::binary_search(from.set.begin(), from.set.end(), f)) continue;
        Set larger = with(from.set, f);
        if (seen.insert(larger).second) next.push_back({larger, rating.share(larger, job.chosen_by)});
      }
    std::stable_sort(next.begin(), next.end(), better);
    // All single features stay in the beam, so that every pair is tried.
    if (next.front().set.size() > 1) next.resize(std::min(next.size(), beam_width));
    beam.swap(next);  // ends at the latest with all features, whose share is 1
  }
}

// Drops features that the share on job.stated_on does not need, although job.chosen_by needed them.
void drop_spare(const PertinentJob& job, Rating& rating, Rated& found) {
  for (std::size_t i = found.set.size(); i-- > 0;) {
    Set fewer = found.set;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    const double stated = rating.share(fewer, job.stated_on);
    if (stated >= job.share) found = {std::move(fewer), stated};
  }
}

}  // namespace

Pertinent pertinent_features(const PertinentJob& job, std::span<const double> values) {
  Rating rating(job, values);
  Rated found = small_set(job, rating);
  bool smallest = true;
  for (std::size_t size = 2; smallest && size < found.set.size(); ++size) {
    Exhausted smaller = sets_of_size(job, rating, size);
    smallest = smaller.all;
    if (smaller.best) found = std::move(*smaller.best);
  }
  drop_spare(job, rating, found);
  return {rating.decision(), found.set, found.share, smallest};
}

}  // namespace scfe
