// Target::any(): the answer is that of asking all classes one by one, for a fraction of the work.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <string>

#include "answer/describe.h"
#include "scfe/explainer.h"
#include "tests/helper/clouds.h"

namespace scfe {
namespace {

// A cloud of rows for each class; the class of a point is that of the nearest centre. The last four inputs
// are a category of four levels, if asked for.
struct Clouds {
  std::shared_ptr<const Model> model;
  Training training;
  std::shared_ptr<std::atomic<std::size_t>> calls = std::make_shared<std::atomic<std::size_t>>(0);
};

Clouds clouds(std::size_t classes, bool mixed) {
  constexpr std::size_t numbers = 5, levels = 4, rows = 20;
  constexpr double spread = 0.06;
  const std::size_t d = numbers + (mixed ? levels : 0);
  test::Uniform random(mixed ? 3 : 2);
  Matrix centres(classes, d);
  for (std::size_t c = 0; c < classes; ++c) {
    for (std::size_t j = 0; j < numbers; ++j) centres[c][j] = random.unit();
    if (mixed) centres[c][numbers + c % levels] = 0.3;
  }
  Clouds made;
  made.training.rows = Matrix(classes * rows, d);
  for (std::size_t i = 0; i < classes * rows; ++i) {
    const std::size_t c = i % classes;
    for (std::size_t j = 0; j < numbers; ++j)
      made.training.rows[i][j] = centres[c][j] + spread * test::normal(random);
    const auto other = static_cast<std::size_t>(random(0, 3.999));
    if (mixed) made.training.rows[i][numbers + (random.unit() < 0.7 ? c % levels : other)] = 1;
    made.training.labels.push_back(static_cast<int>(c));
  }
  if (mixed) {
    made.training.features.resize(numbers + 1);
    made.training.features.back().kind = Kind::categorical;
    made.training.features.back().levels = {"a", "b", "c", "d"};
  }
  Callback callback;
  callback.features = d;
  callback.scores = classes;
  callback.value = [centres, calls = made.calls](std::span<const float> x, std::span<float> scores) {
    ++*calls;
    for (std::size_t c = 0; c < centres.rows; ++c) {
      float score = 0;
      for (std::size_t j = 0; j < x.size(); ++j) {
        const auto centre = static_cast<float>(centres[c][j]);
        score += 10 * centre * (x[j] - centre / 2);
      }
      scores[c] = score;
    }
  };
  callback.gradient = [centres](std::span<const float> x, std::span<const float> seed, std::span<float> to) {
    for (std::size_t j = 0; j < x.size(); ++j) {
      to[j] = 0;
      for (std::size_t c = 0; c < centres.rows; ++c)
        to[j] += 10 * static_cast<float>(centres[c][j]) * seed[c];
    }
  };
  made.model = callback_model(callback);
  return made;
}

// Asks for each class in turn, and merges the lists in the order of the classes.
std::vector<Explanation> one_by_one(const Explainer& explainer, const Matrix& row, Options options,
                                    int predicted, int classes) {
  const bool single = options.answers == 1 || options.path;
  std::vector<Explanation> best;
  for (int target = 0; target < classes; ++target) {
    if (target == predicted) continue;
    options.target = target;
    std::vector<Explanation> more = explainer.explain_all(row, options)[0];
    if (best.empty() || (single && closer(more.back(), best.back(), options.fewest_first)))
      best = std::move(more);
    else if (!single)
      best.insert(best.end(), more.begin(), more.end());
  }
  if (single) return best;
  std::ranges::stable_sort(best, [](const auto& a, const auto& b) { return closer(a, b, false); });
  drop_below_floor(best);
  if (best.front().found()) std::erase_if(best, [](const Explanation& e) { return !e.found(); });
  best.resize(std::min(best.size(), static_cast<std::size_t>(options.answers)));
  return best;
}

struct Wish {
  std::string name;
  void (*set)(Options& options);
};

TEST(ClosestClass, answers_as_if_all_classes_had_been_asked) {
  const std::vector<Wish> wishes = {
      {"fewest", [](Options&) {}},
      {"closest", [](Options& o) { o.fewest_first = false; }},
      {"several", [](Options& o) { o.answers = 3; }},
      {"path", [](Options& o) { o.path = true; }},
      {"one change, typical", [](Options& o) { o.max_changes = 1, o.plausible = 0.5; }},
      {"no floor", [](Options& o) { o.plausible = 0; }},
      {"l1", [](Options& o) { o.distance = Distance::l1; }},
  };
  constexpr int classes = 10;
  std::map<Status, int> statuses;
  int compared = 0;
  for (const bool mixed : {false, true})
    for (const DensityKind density : {DensityKind::automatic, DensityKind::kde, DensityKind::mixture,
                                      DensityKind::knn, DensityKind::gmm, DensityKind::gmm_full})
      for (const Wish& wish : wishes) {
        if (mixed && (density == DensityKind::gmm || density == DensityKind::gmm_full)) continue;
        if (density != DensityKind::automatic && wish.name != "fewest" && wish.name != "one change, typical")
          continue;
        SCOPED_TRACE(wish.name + ", " + std::string(name_of(density)) + (mixed ? ", mixed" : ""));
        const Clouds data = clouds(classes, mixed);
        Options options;
        options.density = density;
        options.hints = false;
        wish.set(options);
        const Explainer explainer(data.model, data.training, options);
        const Matrix rows = test::first_rows(data.training.rows, 3);
        options.target = Target::any();
        const auto any = explainer.explain_all(rows, options);
        for (std::size_t i = 0; i < rows.rows; ++i) {
          Matrix row(1, rows.cols);
          std::ranges::copy(rows[i], row[0].begin());
          const auto expected = one_by_one(explainer, row, options, any[i][0].predicted, classes);
          ASSERT_EQ(any[i].size(), expected.size());
          for (std::size_t k = 0; k < expected.size(); ++k, ++compared) {
            EXPECT_EQ(any[i][k].target, expected[k].target);
            EXPECT_EQ(any[i][k].status, expected[k].status);
            EXPECT_EQ(any[i][k].counterfactual, expected[k].counterfactual);
            EXPECT_EQ(any[i][k].reason(), expected[k].reason());
            ++statuses[expected[k].status];
          }
        }
      }
  EXPECT_GT(compared, 90);
  EXPECT_GT(statuses[Status::valid], 30);
  EXPECT_GT(statuses[Status::below_floor], 5);
}

TEST(ClosestClass, most_classes_are_left_out) {
  constexpr int classes = 24;
  const Clouds data = clouds(classes, false);
  Options options;
  options.hints = false;
  const Explainer explainer(data.model, data.training, options);
  const Matrix rows = test::first_rows(data.training.rows, 10);
  const auto calls_of = [&](const Target& target) {
    options.target = target;
    *data.calls = 0;
    (void)explainer.explain(rows, options);
    return data.calls->load();
  };
  std::size_t all = 0;
  for (int target = 0; target < classes; ++target) all += calls_of(Target(target));
  EXPECT_LT(5 * calls_of(Target::any()), all) << "of " << all << " for all classes one by one";
}

}  // namespace
}  // namespace scfe
