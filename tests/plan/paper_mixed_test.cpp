// `apg` with categories: whole levels in answers, the schema's distances, further answers, a path, stability.
#include <gtest/gtest.h>

#include <set>

#include "scfe/error.h"
#include "tests/helper/credit.h"
#include "tests/helper/toy.h"

namespace scfe {
namespace {

using test::Credit;

Options asking(const Credit& credit, Solver solver) {
  Options options = credit.explainer.options();
  options.solver = solver;
  options.hints = false;
  return options;
}

TEST(ApgMixed, answers_what_search_answers) {
  const Credit credit(60);
  for (const int m : {2, 3}) {
    Options search = asking(credit, Solver::search), apg = asking(credit, Solver::apg);
    search.max_changes = apg.max_changes = m;
    const auto known = credit.explainer.explain(credit.factuals, search),
               found = credit.explainer.explain(credit.factuals, apg);
    std::size_t answered = 0, both = 0;
    for (std::size_t i = 0; i < known.size(); ++i) {
      answered += known[i].status == Status::valid;
      both += known[i].status == Status::valid && found[i].status == Status::valid;
      EXPECT_LE(found[i].changes.size(), static_cast<std::size_t>(m));
      if (found[i].found()) EXPECT_GT(found[i].probability, 0.5);
    }
    EXPECT_GT(answered, 50U);
    EXPECT_GE(static_cast<double>(both), 0.95 * static_cast<double>(answered)) << m << " changes";
  }
}

// From level p both q and s change the class; only the distances tell which of them is nearer.
Explainer two_ways(std::vector<std::vector<double>> distances) {
  Training training;
  training.rows = Matrix(8, 5);
  for (std::size_t i = 0; i < 8; ++i) {
    training.rows[i][0] = static_cast<double>(i) / 7;
    training.rows[i][1 + i % 4] = 1;
    training.labels.push_back(i % 2 == 1 ? 1 : 0);
  }
  training.features = {{.name = "x", .immutable = true}, {.name = "c"}};
  training.features[1].kind = Kind::categorical;
  training.features[1].levels = {"p", "q", "r", "s"};
  training.features[1].distances = std::move(distances);
  Options options;
  options.density = DensityKind::none;
  options.target = 1;
  options.solver = Solver::apg;
  return Explainer(dense_network({{test::matrix(1, 5, {0, -1, 1, -1, 1}), {0}, "none"}}), training, options);
}

TEST(ApgMixed, distances_of_the_schema_say_which_level_is_nearer) {
  for (const bool q_is_near : {true, false}) {
    const double q = q_is_near ? 0.1 : 1, s = q_is_near ? 1 : 0.1;
    const Explainer explainer = two_ways({{0, q, 1, s}, {1, 0, 1, 1}, {1, 1, 0, 1}, {1, 1, 1, 0}});
    Matrix row(1, 5);
    row[0][1] = 1;
    for (const SparsityKind sparsity : {SparsityKind::top_m, SparsityKind::l0, SparsityKind::l1,
                                        SparsityKind::l_half, SparsityKind::none}) {
      Options options = explainer.options();
      options.sparsity = sparsity;
      options.beta = 0.01;
      const Explanation e = explainer.explain(row, options)[0];
      ASSERT_EQ(e.status, Status::valid) << name_of(sparsity) << ": " << e.reason();
      ASSERT_EQ(e.changes.size(), 1U);
      EXPECT_EQ(e.changes[0].to, q_is_near ? 1 : 3) << name_of(sparsity);
      EXPECT_DOUBLE_EQ(e.l2, 0.1);
    }
  }
}

TEST(ApgMixed, further_answers_change_other_features) {
  const Credit credit(10);
  Options options = asking(credit, Solver::apg);
  options.answers = 3;
  options.iterations = 60;
  std::size_t full = 0;
  for (const auto& list : credit.explainer.explain_all(credit.factuals, options)) {
    std::set<std::set<std::size_t>> supports;
    for (const Explanation& e : list) {
      if (!e.found()) continue;
      std::set<std::size_t> support;
      for (const FeatureChange& change : e.changes) support.insert(change.feature);
      EXPECT_TRUE(supports.insert(support).second) << "the same features twice";
      EXPECT_GT(e.probability, 0.5);
    }
    full += supports.size() == 3;
  }
  EXPECT_GE(full, 8U);
}

TEST(ApgMixed, paths_get_shorter_and_stable_answers_are_stable) {
  const Credit credit(8);
  Options path = asking(credit, Solver::apg);
  path.path = true;
  path.plausible = 0;
  path.iterations = 60;
  for (const auto& list : credit.explainer.explain_all(credit.factuals, path))
    for (std::size_t k = 0; k < list.size(); ++k) {
      EXPECT_LE(list[k].changes.size(), static_cast<std::size_t>(list[k].allowed_changes));
      if (k > 0 && list[k - 1].found()) EXPECT_LT(list[k].l2, list[k - 1].l2);
    }
  Options robust = path;
  robust.path = false;
  robust.robust = 0.02;
  std::size_t stable = 0;
  for (const Explanation& e : credit.explainer.explain(credit.factuals, robust)) {
    if (!e.found()) continue;
    EXPECT_GE(e.stable_margin, 0);
    ++stable;
  }
  EXPECT_GE(stable, 6U);
  Options penalised = path;
  penalised.sparsity = SparsityKind::l1;
  EXPECT_THROW(credit.explainer.explain_all(credit.factuals, penalised), Error);
}

}  // namespace
}  // namespace scfe
