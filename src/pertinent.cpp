#include "pertinent.h"

#include <algorithm>
#include <set>

#include "solver/lanes.h"

namespace scfe {
namespace {

constexpr std::size_t beam_width = 12;
constexpr std::size_t lanes = 64;

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
  }
  int decision() const { return decision_; }

  double share(const Set& set, std::vector<std::vector<double>> rows) {
    for (std::vector<double>& row : rows)
      for (const std::size_t f : set) row[f] = values_[f];
    const std::vector<int> found = classes(rows);
    const auto kept = std::count(found.begin(), found.end(), decision_);
    return static_cast<double>(kept) / static_cast<double>(found.size());
  }

 private:
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
  Row row_;
  std::vector<float> point_;
  int decision_ = 0;
};

Set with(const Set& set, std::size_t feature) {
  Set larger = set;
  larger.insert(std::upper_bound(larger.begin(), larger.end(), feature), feature);
  return larger;
}

}  // namespace

Pertinent pertinent_features(const PertinentJob& job, std::span<const double> values) {
  Rating rating(job, values);
  std::vector<Rated> beam = {{{}, rating.share({}, job.chosen_by)}};
  const auto better = [](const Rated& a, const Rated& b) { return a.share > b.share; };
  for (;;) {
    for (const Rated& rated : beam) {
      if (rated.share < job.share) break;
      const double stated = rating.share(rated.set, job.stated_on);
      if (stated >= job.share) return {rating.decision(), rated.set, stated};
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
    // All single features go on, so that every pair is looked at.
    if (next.front().set.size() > 1) next.resize(std::min(next.size(), beam_width));
    beam.swap(next);  // with all features every share is 1
  }
}

}  // namespace scfe
