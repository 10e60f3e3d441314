// bench_german [rows] [most changes]: compares answers for German Credit (built-in network, with and without
// a 10 % floor) with an exhaustive enumeration of supports, levels and a grid for numbers with many values.
// Also asks for three answers with disjoint features wherever the enumeration finds three such supports (at
// most two changes, none redundant).
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <set>

#include "actionability/limits.h"
#include "plausibility/catalogue.h"
#include "scfe/bundle.h"
#include "scfe/diagnostics.h"
#include "solver/lanes.h"
#include "solver/search/axis.h"
#include "support/parallel.h"
#include "tests/helper/parts.h"

namespace scfe {
namespace {

constexpr int target_class = 1;
constexpr double grid_values = 300;

struct Credit {
  Encoder encoder;
  Encoded rows;
  std::shared_ptr<const Model> model;
  Explainer explainer;
  Space space;
  Writing writing;
  FittedDensity density;

  explicit Credit(const std::string& data)
      : encoder(read_schema(data + "german_credit.schema.json")),
        rows(encoder.encode_labelled(read_csv(data + "german_credit.csv"))),
        model(open_model(read_model_file(data + "models/german_credit.onnx"))),
        explainer(model, {rows.inputs, rows.labels, encoder.features()}),
        space(explainer.features(), min_max_scaling(rows.inputs),
              std::vector<double>(rows.inputs.cols, 1.0)) {
    for (const Feature& feature : explainer.features()) writing.step.push_back(*feature.step);
    DensityOptions options;
    options.group = space.groups();
    density = fit_density(DensityKind::mixture, Diagnostics(explainer).class_rows(target_class), options);
  }
};

struct Choice {
  double value, cost;
};

// The cheapest feasible row for every support of exactly `size` features, by exhaustive enumeration.
class Enumeration {
 public:
  Enumeration(const Credit& table, std::optional<double> floor)
      : table_(table),
        validity_(table.model->scores(), {.target = target_class, .margin = 1e-4, .probability = {}}),
        parts_(*table.model, table.space, validity_, *table.density.density),
        terms_(parts_.query, lanes),
        floor_(floor),
        row_(table.space),
        u_(table.space.columns(), lanes),
        x_(table.space.inputs(), lanes),
        anchors_(table.space.columns(), lanes) {}

  // Counts up to `enough` supports of at most two features with a feasible row that needs all its changes.
  std::size_t supports(std::span<const double> inputs, std::size_t enough) {
    enough_ = enough;
    supports_.clear();
    alone_.clear();
    begin(inputs);
    enumerate(0, 1, 0);
    flush();
    for (const auto& [f, value] : alone_)
      std::erase_if(choices_[f], [v = value](const Choice& choice) { return choice.value == v; });
    enumerate(0, 2, 0);
    flush();
    return supports_.size();
  }

  double cheapest(std::span<const double> inputs, std::size_t most) {
    begin(inputs);
    enumerate(0, most, 0);
    flush();
    refine();
    return std::sqrt(best_);
  }

 private:
  static constexpr std::size_t lanes = 64;

  void begin(std::span<const double> inputs) {
    Row asked;
    asked.values = table_.space.to_values(inputs);
    asked.factual.resize(table_.space.columns());
    table_.space.to_columns(asked.values, asked.factual);
    set_limits(table_.explainer.features(), table_.space, asked);
    list_choices(asked);
    best_ = INFINITY;
    values_ = asked.values;
  }

  void list_choices(const Row& asked) {
    const std::vector<Axis> axes = make_axes(table_.space, table_.writing, asked);
    factual_ = asked.values;
    axes_ = axes;
    choices_.assign(axes.size(), {});
    for (std::size_t f = 0; f < axes.size(); ++f) {
      std::vector<double> values = axes[f].values;
      if (axes[f].fine) {
        const double step = std::max(1.0, std::round((axes[f].hi - axes[f].lo) / grid_values));
        for (double v = axes[f].lo; v <= axes[f].hi; v += step)
          if (v != factual_[f]) values.push_back(v);
      }
      for (const double v : values) choices_[f].push_back({v, table_.space.cost(f, factual_[f], v)});
      std::stable_sort(choices_[f].begin(), choices_[f].end(),
                       [](const Choice& a, const Choice& b) { return a.cost < b.cost; });
    }
  }

  void enumerate(std::size_t first, std::size_t left, double cost) {
    for (std::size_t f = first; left > 0 && f < choices_.size(); ++f) {
      for (const Choice& choice : choices_[f]) {
        if (enough_ > 0 ? supports_.size() >= enough_ && left == 2 : cost + choice.cost >= best_) break;
        values_[f] = choice.value;
        add(cost + choice.cost);
        enumerate(f + 1, left - 1, cost + choice.cost);
      }
      values_[f] = factual_[f];
    }
  }

  void add(double cost) {
    row_.set(table_.space, values_);
    const std::size_t lane = costs_.size();
    u_.set_lanes(lanes);
    x_.set_lanes(lanes);
    anchors_.set_lanes(lanes);
    for (std::size_t j = 0; j < row_.columns.size(); ++j) u_[j][lane] = row_.columns[j];
    for (std::size_t j = 0; j < row_.inputs.size(); ++j) x_[j][lane] = row_.inputs[j];
    costs_.push_back(cost);
    rows_.push_back(values_);
    if (costs_.size() == lanes) flush();
  }

  void flush() {
    if (costs_.empty()) return;
    terms_.evaluate(u_, x_, anchors_, {0, floor_.has_value(), false});
    for (std::size_t lane = 0; lane < costs_.size(); ++lane) {
      const bool feasible =
          terms_.margins()[0][lane] >= 1e-4F && (!floor_ || terms_.log_density()[lane] >= *floor_);
      if (feasible && enough_ > 0) {
        const std::vector<std::size_t> support = support_of(rows_[lane]);
        supports_.insert(support);
        if (support.size() == 1) alone_.emplace_back(support[0], rows_[lane][support[0]]);
      }
      if (!feasible || costs_[lane] >= best_) continue;
      best_ = costs_[lane];
      best_row_ = rows_[lane];
    }
    costs_.clear();
    rows_.clear();
  }

  std::vector<std::size_t> support_of(const std::vector<double>& row) const {
    std::vector<std::size_t> support;
    for (std::size_t f = 0; f < row.size(); ++f)
      if (row[f] != factual_[f]) support.push_back(f);
    return support;
  }

  // Refines the many-valued numbers of the best row around its grid point.
  void refine() {
    for (int round = 0; round < 3 && std::isfinite(best_); ++round) {
      const std::vector<double> from = best_row_;
      for (std::size_t f = 0; f < from.size(); ++f) {
        if (!axes_[f].fine || from[f] == factual_[f]) continue;
        const double around = std::max(1.0, std::round((axes_[f].hi - axes_[f].lo) / grid_values));
        values_ = from;
        double rest = 0;
        for (std::size_t g = 0; g < from.size(); ++g)
          if (g != f) rest += table_.space.cost(g, factual_[g], from[g]);
        for (double v = from[f] - around; v <= from[f] + around; v += 1) {
          if (v < axes_[f].lo || v > axes_[f].hi || v == factual_[f]) continue;
          values_[f] = v;
          add(rest + table_.space.cost(f, factual_[f], v));
        }
        flush();
      }
    }
  }

  const Credit& table_;
  Validity validity_;
  test::Parts parts_;
  Terms terms_;
  std::optional<double> floor_;
  RowForms row_;
  Block u_, x_, anchors_;
  std::vector<Axis> axes_;
  std::vector<std::vector<Choice>> choices_;
  std::vector<double> factual_, values_, costs_, best_row_;
  std::vector<std::vector<double>> rows_;
  double best_ = INFINITY;
  std::size_t enough_ = 0;
  std::set<std::vector<std::size_t>> supports_;
  std::vector<std::pair<std::size_t, double>> alone_;  // single changes that suffice
};

bool compare_answers(const Credit& table, const Matrix& factuals) {
  constexpr std::size_t wanted = 3;
  Options options = table.explainer.options();
  options.target = target_class;
  options.max_changes = 2;
  options.answers = wanted;
  options.hints = false;
  const auto lists = table.explainer.explain_all(factuals, options);
  std::vector<std::size_t> known(factuals.rows);
  Pool pool(0);
  pool.each(factuals.rows, [&](std::size_t i) {
    known[i] = Enumeration(table, Diagnostics(table.explainer).floor(target_class, 0.10))
                   .supports(factuals[i], wanted);
  });
  std::size_t have = 0, reached = 0;
  for (std::size_t i = 0; i < factuals.rows; ++i) {
    const auto valid =
        std::ranges::count_if(lists[i], [](const Explanation& e) { return e.status == Status::valid; });
    have += known[i] >= wanted;
    reached += known[i] >= wanted && valid == wanted;
  }
  std::printf("10 %%  m=2  three supports exist for %zu rows, three answers found for %zu of them\n", have,
              reached);
  return reached == have;
}

bool compare(const Credit& table, const Matrix& factuals, bool with_floor, int m) {
  Options options = table.explainer.options();
  options.target = target_class;
  options.max_changes = m;
  options.fewest_first = false;
  options.threads = 1;
  options.plausible = with_floor ? 0.10 : 0;
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Explanation> answers = table.explainer.explain(factuals, options);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::vector<double> limits(factuals.rows);
  Pool pool(0);
  pool.each(factuals.rows, [&](std::size_t i) {
    Enumeration enumeration(
        table, with_floor ? std::optional<double>(Diagnostics(table.explainer).floor(target_class, 0.10))
                          : std::nullopt);
    limits[i] = enumeration.cheapest(factuals[i], static_cast<std::size_t>(m));
  });
  double feasible = 0, found = 0, close = 0, better = 0, gradients = 0;
  for (std::size_t i = 0; i < factuals.rows; ++i) {
    gradients += static_cast<double>(answers[i].gradients) / static_cast<double>(factuals.rows);
    if (!std::isfinite(limits[i])) continue;
    ++feasible;
    const bool valid = answers[i].status == Status::valid;
    found += valid;
    close += valid && answers[i].l2 <= 1.01 * limits[i] + 1e-9;
    better += valid && answers[i].l2 < 0.999 * limits[i];
    if (std::getenv("SCFE_MISSES") != nullptr && !(valid && answers[i].l2 <= 1.01 * limits[i] + 1e-9))
      std::printf("   row %zu: limit %.4f, got %.4f\n", i, limits[i], valid ? answers[i].l2 : -1.0);
  }
  std::printf(
      "%-5s m=%d  feasible %3.0f  found %5.1f %%  within 1 %% %5.1f %%  closer than the grid %3.0f  "
      "gradients %4.0f  ms a row %.2f\n",
      with_floor ? "10 %" : "none", m, feasible, 100 * found / feasible, 100 * close / feasible, better,
      gradients, 1e3 * seconds / static_cast<double>(factuals.rows));
  std::fflush(stdout);
  return found >= 0.99 * feasible && close >= 0.97 * feasible;
}

}  // namespace
}  // namespace scfe

int main(int count, char** arguments) {
  using namespace scfe;
  const std::size_t rows = count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 100;
  const int most = count > 2 ? std::atoi(arguments[2]) : 2;
  const Credit table(SCFE_SOURCE_DIR "/data/");
  const std::vector<int> predicted = table.explainer.predict(table.rows.inputs);
  Matrix factuals(0, table.rows.inputs.cols);
  for (std::size_t i = 0; i < predicted.size() && factuals.rows < rows; ++i) {
    if (predicted[i] == target_class) continue;
    factuals.values.insert(factuals.values.end(), table.rows.inputs[i].begin(), table.rows.inputs[i].end());
    ++factuals.rows;
  }
  std::printf("German Credit, %zu rows that the network calls bad; %s\n", factuals.rows,
              Diagnostics(table.explainer).density_summary(target_class).c_str());
  bool reached = true;
  for (const bool with_floor : {false, true})
    for (int m = 1; m <= most; ++m) reached = compare(table, factuals, with_floor, m) && reached;
  reached = compare_answers(table, factuals) && reached;
  return reached ? 0 : 1;
}
