// CEM for tables (Dhurandhar et al. 2018). b is a row without information: each number is the median over the
// training rows (Alibi's choice), each category its most frequent level.
//
//     cem-pn, pertinent negatives   what is absent and would change the class if it were added:
//         x_f + d gets the target class, each d_j pointing away from b_j
//     cem-pp, pertinent positives   what is present and is enough for the class on its own:
//         b + d keeps the predicted class, each b_j + d_j between b_j and the row's own value
//
// Pertinent negatives keep the limits on changes. Pertinent positives do not: removing information is not an
// action. tau weighs the autoencoder (Explainer::with_autoencoder). The constants are Alibi's: beta 0.1,
// kappa 0, c from 10, nine times 1000 iterations, initial step 0.01.
#include <algorithm>
#include <atomic>
#include <map>

#include "method/autoencoder.h"
#include "method/cem.h"
#include "method/methods.h"
#include "objective/objective.h"
#include "plausibility/none.h"
#include "scfe/error.h"
#include "solver/written/row_check.h"
#include "solver/written/write_rows.h"

namespace scfe {
namespace {

constexpr std::size_t block_rows = 64;

double middle(std::vector<double> values) {
  const std::size_t half = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(half), values.end());
  return values[half];
}

double most_frequent(const std::vector<double>& values) {
  std::map<double, std::size_t> count;
  for (const double value : values) ++count[value];
  const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
  return std::max_element(count.begin(), count.end(), fewer)->first;
}

// The row b.
std::vector<double> no_information(const Fitted& fitted) {
  std::vector<std::vector<double>> columns(fitted.space.features());
  for (const Matrix& rows : fitted.class_rows)
    for (std::size_t i = 0; i < rows.rows; ++i) {
      const std::vector<double> values = fitted.space.values_of_short(rows[i]);
      for (std::size_t f = 0; f < values.size(); ++f) columns[f].push_back(values[f]);
    }
  std::vector<double> b;
  for (std::size_t f = 0; f < columns.size(); ++f)
    b.push_back(fitted.space.is_category(f) ? most_frequent(columns[f])
                                            : fitted.writing.nearest(f, middle(columns[f])));
  return b;
}

// Lets each number move only away from b.
void move_away(const Space& space, std::span<const double> b, Row& row) {
  for (std::size_t f = 0; f < space.features(); ++f) {
    if (space.is_category(f)) continue;
    const std::size_t j = space.first(f);
    if (row.values[f] > b[f]) row.lo[j] = 0;
    if (row.values[f] < b[f]) row.hi[j] = 0;
  }
}

// A row that starts at b and may move towards the given row's own values.
Row grown_from(const Space& space, std::span<const double> b, const Row& row) {
  Row grown;
  grown.values.assign(b.begin(), b.end());
  grown.factual.resize(space.columns());
  space.to_columns(grown.values, grown.factual);
  grown.anchor = row.anchor;
  grown.required = row.required;
  grown.levels.resize(space.features());
  for (std::size_t j = 0; j < space.columns(); ++j) {
    const double way = row.factual[j] - grown.factual[j];
    grown.lo.push_back(std::min(0.0, way));
    grown.hi.push_back(std::max(0.0, way));
  }
  for (std::size_t f = 0; f < space.features(); ++f) {
    if (!space.is_category(f)) continue;
    grown.levels[f] = {static_cast<int>(b[f])};
    if (row.values[f] != b[f]) grown.levels[f].push_back(static_cast<int>(row.values[f]));
  }
  return grown;
}

struct Worker {
  Terms terms;
  Objective objective;
  Cem cem;
  Box box;
  std::vector<float> factual;

  Worker(const Query& query, const Weights& weights, const CemOptions& options)
      : terms(query, block_rows),
        objective(terms, weights),
        cem(query.fitted.space.columns(), block_rows, options),
        box{Block(query.fitted.space.columns(), block_rows),
            Block(query.fitted.space.columns(), block_rows)} {}

  void load(std::span<const Row> rows) {
    objective.set_lanes(rows.size());
    box.lo.set_lanes(rows.size());
    box.hi.set_lanes(rows.size());
    for (std::size_t lane = 0; lane < rows.size(); ++lane) {
      factual.assign(rows[lane].factual.begin(), rows[lane].factual.end());
      objective.set_factual(lane, factual);
      objective.set_required(lane, rows[lane].required);
      for (std::size_t j = 0; j < factual.size(); ++j) {
        box.lo[j][lane] = static_cast<float>(rows[lane].lo[j]);
        box.hi[j][lane] = static_cast<float>(rows[lane].hi[j]);
      }
    }
  }

  void unload(bool finished, std::span<ApgFound> found) const {
    for (std::size_t lane = 0; lane < found.size(); ++lane) {
      found[lane].valid = found[lane].meets_floor = cem.best()[lane].valid;
      found[lane].timed_out = !finished;
      found[lane].gradients = static_cast<std::size_t>(cem.gradients());
      found[lane].w.assign(box.lo.features(), 0.0);
      for (std::size_t j = 0; found[lane].valid && j < box.lo.features(); ++j)
        found[lane].w[j] = cem.best().w()[j][lane];
    }
  }
};

std::vector<ApgFound> run(const Query& query, std::span<const Row> rows) {
  const Options& o = query.options;
  const Fitted& fitted = query.fitted;
  FittedDensity term = {std::make_shared<NoDensity>(fitted.space.columns()), {}, {}};
  if (fitted.autoencoder != nullptr)
    term.density = std::make_shared<Autoencoder>(*fitted.autoencoder, fitted.space);
  const Fitted reconstructed = fitted.with(term);
  const Query asked = query.with(reconstructed);
  Weights weights;
  weights.proximity = SquaredL2({fitted.space.weight().begin(), fitted.space.weight().end()});
  weights.tau = fitted.autoencoder != nullptr ? o.tau : 0;
  const Options usual;
  const CemOptions options{.iterations = chosen_or(o.iterations, usual.iterations, 1000),
                           .sections = chosen_or(o.sections, usual.sections, 9),
                           .step = chosen_or(o.step, usual.step, 0.01)};
  const std::unique_ptr<Prox> prox =
      make_prox(SparsityKind::l1, {.beta = o.beta, .max_changes = 0, .group = {}});
  const std::function<bool()> late = [&] { return is_past(query.deadline); };

  std::vector<ApgFound> points(rows.size());
  const std::size_t pieces = (rows.size() + block_rows - 1) / block_rows;
  std::atomic<std::size_t> next = 0;
  query.pool.run([&](std::size_t) {
    std::unique_ptr<Worker> worker;
    for (std::size_t piece = next++; piece < pieces; piece = next++) {
      if (!worker) worker = std::make_unique<Worker>(asked, weights, options);
      const std::size_t first = piece * block_rows, count = std::min(block_rows, rows.size() - first);
      worker->load(rows.subspan(first, count));
      const bool finished = worker->cem.solve(worker->objective, *prox, worker->box, late);
      worker->unload(finished, std::span(points).subspan(first, count));
    }
  });
  return points;
}

}  // namespace

void check_cem(const MethodQuestion& question) {
  if (question.autoencoder != nullptr && question.space.has_categories())
    throw Error("autoencoder", "a table of numbers (between levels there is nothing to reconstruct)",
                "categories");
  if (!question.options.reach.empty())
    throw Error("method", "a classifier for " + std::string(name_of(question.options.method)),
                "a regression model (reach)");
  if (question.options.method == Method::cem_pp && question.targeted)
    throw Error("method", "no target, or target any, for cem-pp: what is there keeps the present class",
                "a target");
  if (question.options.method == Method::cem_pn && question.model.classes() > 2 && question.targeted)
    throw Error("method",
                "two classes, or target any, for cem-pn: a pertinent negative leads to whichever other "
                "class is nearest, it cannot be sent to one of several",
                "a target among " + std::to_string(question.model.classes()) + " classes");
}

void solve_cem_negative(const Query& query, std::span<const Row> rows, std::span<Found> found) {
  const std::vector<double> b = no_information(query.fitted);
  std::vector<Row> away = without_floor(rows);
  for (Row& row : away) move_away(query.fitted.space, b, row);
  write_answers(query, rows, run(query, away), found);
}

void solve_cem_positive(const Query& query, std::span<const Row> rows, std::span<Found> found) {
  const Fitted& fitted = query.fitted;
  const std::vector<double> b = no_information(fitted);
  std::vector<Row> grown;
  for (const Row& row : rows) grown.push_back(grown_from(fitted.space, b, row));
  const std::vector<ApgFound> points = run(query, grown);
  write_rows(query, 0, grown, points, found);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].status == Status::already) found[i].status = Status::valid;  // b has the class
    if (found[i].status != Status::valid) {
      found[i].values = rows[i].values;
      if (points[i].timed_out) found[i].status = Status::time_limit;
      const Row* whole = &rows[i];
      if (found[i].status != Status::not_found) continue;
      const Checked checked = RowCheck(query, 1)({&whole, 1}, {whole->values})[0];
      if (!(checked.margin >= rows[i].required)) continue;
      found[i].status = Status::valid;
      found[i].margin = checked.margin;
      found[i].log_density = checked.log_density;
      found[i].note = "kept: everything, no part of the row was found that has this class by itself";
      continue;
    }
    for (std::size_t f = 0; f < b.size(); ++f)
      if (found[i].values[f] != b[f])
        found[i].note += (found[i].note.empty() ? "kept: " : ", ") + fitted.features[f].name;
    if (found[i].note.empty()) found[i].note = "kept: nothing, the row without information has this class";
  }
}

}  // namespace scfe
