// What the parts of bench_quality share: a reference model with its data, and the search on it.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "solver/search/search.h"
#include "support/parallel.h"
#include "tests/helper/parts.h"
#include "tests/helper/reference.h"

namespace scfe::bench {

using test::Reference;

struct Bench {
  Reference reference;
  std::string set, kind;
  Writing writing;
  std::vector<double> weight;
  Pool pool{0};
  double margin = 1e-4;

  Bench(const std::string& set_, const std::string& kind_)
      : reference(test::load_reference(set_, kind_)), set(set_), kind(kind_) {
    writing.step.assign(reference.train.cols, 0.0);
    weight.assign(reference.train.cols, 1.0);
  }

  Row asked(const std::vector<double>& z, const Density& density, std::optional<double> floor) const {
    Row asked;
    asked.values = z;
    asked.floor = floor;
    std::vector<float> factual;
    for (std::size_t j = 0; j < z.size(); ++j) {
      const double u = reference.scaling.to_work(j, z[j]);
      asked.factual.push_back(u);
      asked.lo.push_back(std::min(0.0, -u));
      asked.hi.push_back(std::max(0.0, 1 - u));
      factual.push_back(static_cast<float>(u));
    }
    asked.anchor.resize(z.size());
    density.anchor(factual, asked.anchor);
    return asked;
  }

  double l2(const std::vector<double>& x, const std::vector<double>& from) const {
    double sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j)
      sum += weight[j] * std::pow((x[j] - from[j]) / reference.scaling.range[j], 2);
    return std::sqrt(sum);
  }

  std::vector<Found> search(const std::vector<Row>& asked_rows, int target, const Density& density, int m) {
    const Validity validity(reference.model->scores(),
                            {.target = target, .margin = margin, .probability = {}});
    const std::vector<Feature> numbers(weight.size());
    const Space space(numbers, reference.scaling, weight);
    test::Parts parts(*reference.model, space, validity, density, pool.threads());
    parts.writing = writing;
    parts.query.options.density = density.features() > 0 ? DensityKind::kde : DensityKind::none;
    SearchOptions options;
    options.max_changes = m;
    options.fewest_first = false;
    std::vector<Row> rows = asked_rows;
    for (Row& row : rows) row.required = validity.required();
    std::vector<Found> found(rows.size());
    search_rows(parts.query, {.effort = options}, rows, found);
    return found;
  }
};

// Each prints its table and says whether the bars held.
bool limits();
bool against_public();
bool wdbc();
bool mnist(std::size_t most_images);

}  // namespace scfe::bench
