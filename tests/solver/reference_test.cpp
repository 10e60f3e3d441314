// Against the public implementation: hinge, whole objective and gradients to 1e-4, and the iterates of
// the `paper` step rule to 1e-3 over the first 20 iterations.
//
// Followed here, in the test alone, because the product does better: the box is cut by the bounds of the
// z-space although it lives in [0, 1], and p = 1/2 thresholds before it clamps, with b for 2 b. Departed
// from: zeros that the public zero_fixed replaces by 1e-8 stay zeros (1e-8 is below the tolerance).
#include "tests/plausibility/reference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>

#include "objective/objective.h"
#include "plausibility/kde/kde.h"
#include "plausibility/knn/knn.h"
#include "plausibility/mixture/gmm.h"
#include "plausibility/none.h"
#include "solver/apg/apg.h"
#include "tests/helper/parts.h"
#include "tests/helper/shared.h"

namespace scfe {
namespace {

using nlohmann::json;
using test::Reference;

std::shared_ptr<const Model> model_of(const Reference& reference) {
  std::vector<Layer> layers;
  const json& from = reference.parameters["model"];
  for (std::size_t i = 0; i < from["layers"].size(); ++i) {
    const bool last = i + 1 == from["layers"].size();
    layers.push_back(
        {test::to_matrix(from["layers"][i]["W"]), from["layers"][i]["b"], last ? "none" : "relu"});
  }
  return dense_network(layers);
}

Scaling scaling_of(const Reference& reference) {
  const std::vector<double> mins = reference.parameters["mins"];
  std::vector<double> ranges = reference.parameters["maxs"];
  for (std::size_t j = 0; j < mins.size(); ++j) ranges[j] -= mins[j];
  return {mins, ranges};
}

// The public densities, which live in the z-space (kNN: in the min-max space), seen from the work space.
std::shared_ptr<const Density> density_of(const Reference& reference, const std::string& kind, int c) {
  const Scaling scaling = scaling_of(reference);
  DensityOptions options;
  options.paper = true;
  if (kind == "none") return fit_none(reference.minmax(reference.classes[c]), options).density;
  if (kind == "knn") {
    options.neighbours = 3;
    return fit_knn(reference.minmax(reference.classes[c]), options).density;
  }
  options.scale = scaling.range;
  if (kind == "kde") {
    options.bandwidth = reference.parameters["kde"][c]["bandwidth"];
    return fit_kde(reference.minmax(reference.classes[c]), options).density;
  }
  const json& item = reference.parameters["gmm"][c];
  GaussianMixture mixture{item["pi"], test::to_matrix(item["mu"]), test::to_matrix(item["var"]), false};
  for (std::size_t k = 0; k < mixture.components(); ++k)
    for (std::size_t j = 0; j < scaling.columns(); ++j) mixture.means[k][j] -= scaling.offset[j];
  return std::make_shared<Gmm>(mixture, scaling.range);
}

// One reference model and plausibility term, one factual at a time.
class Setting {
 public:
  Setting(const Reference& reference, const std::string& kind, double tau, int target)
      : model_(model_of(reference)),
        space_(scaling_of(reference)),
        density_(density_of(reference, kind, target > 0)),
        validity_(1, {.target = target > 0, .margin = 0, .probability = {}}),
        parts_(*model_, space_, validity_, *density_),
        terms_(parts_.query, 1),
        objective_(terms_, weights(reference, tau)) {
    objective_.set_lanes(1);
  }
  Objective& objective() { return objective_; }
  std::vector<float> work(const json& x) const {
    std::vector<float> u;
    for (std::size_t j = 0; j < x.size(); ++j)
      u.push_back(static_cast<float>(space_.to_work(j, x[j].get<double>())));
    return u;
  }

 private:
  static Weights weights(const Reference& reference, double tau) {
    Weights weights;
    weights.loss =
        &find_loss(reference.parameters["model"]["type"] == "mlp" ? LossKind::probability : LossKind::hinge);
    weights.tau = tau;
    return weights;
  }
  std::shared_ptr<const Model> model_;
  Space space_;
  std::shared_ptr<const Density> density_;
  Validity validity_;
  test::Parts parts_;
  Terms terms_;
  Objective objective_;
};

void expect_gradient(const Block& gradient, const json& theirs, const std::string& what) {
  double size = 1;
  for (const json& slope : theirs) size = std::max(size, std::fabs(slope.get<double>()));
  for (std::size_t j = 0; j < theirs.size(); ++j)
    EXPECT_NEAR(gradient[j][0], theirs[j].get<double>(), 1e-4 * size) << what << " " << j;
}

TEST(SolverReference, hinge_and_its_gradient) {
  SCFE_NEEDS_SHARED("reference");
  test::for_each_reference([](const Reference& reference) {
    const json& values = reference.values;
    const std::size_t d = reference.points.cols;
    Block w(d, 1), gradient(d, 1);
    for (std::size_t i = 0; i < values["x"].size(); ++i) {
      Setting setting(reference, "none", 0, values["target"][i]);
      setting.objective().set_factual(0, setting.work(values["x"][i]));
      setting.objective().gamma()[0] = 1;
      float value = 0;
      setting.objective().evaluate(w, &value, &gradient);  // at w = 0 the hinge stands alone
      const std::string what = "hinge of point " + std::to_string(i);
      EXPECT_NEAR(value, values["hinge"][i].get<double>(), 1e-4 * std::max(1.0F, value)) << what;
      expect_gradient(gradient, values["hinge_grad_minmax"][i], what);
    }
  });
}

TEST(SolverReference, whole_objective_and_its_gradient) {
  SCFE_NEEDS_SHARED("reference");
  test::for_each_reference([](const Reference& reference) {
    const json& values = reference.values;
    const std::size_t d = reference.points.cols;
    Block w(d, 1), gradient(d, 1);
    for (const std::string kind : {"kde", "gmm", "knn", "none"}) {
      const json& theirs = values["objective_" + kind];
      for (std::size_t i = 0; i < values["x"].size(); ++i) {
        Setting setting(reference, kind, theirs["theta"], values["target"][i]);
        setting.objective().set_factual(0, setting.work(values["x"][i]));
        setting.objective().gamma()[0] = theirs["lam"];
        for (std::size_t j = 0; j < d; ++j) w[j][0] = values["w"][i][j];
        float value = 0;
        setting.objective().evaluate(w, &value, &gradient);
        const double loss = theirs["loss"][i];
        const std::string what = kind + " of point " + std::to_string(i);
        EXPECT_NEAR(value, loss, 1e-4 * std::max(1.0, std::fabs(loss))) << what;
        expect_gradient(gradient, theirs["grad"][i], what);
      }
    }
  });
}

// The public p = 1/2: half the weight, thresholded on a boundless box, then clamped.
class PublicHalf final : public Prox {
 public:
  PublicHalf(double beta, std::size_t d)
      : exact_(make_prox(SparsityKind::l_half, {.beta = beta / 2, .max_changes = 0, .group = {}})),
        boundless_{Block(d, 1), Block(d, 1)} {
    for (std::size_t j = 0; j < d; ++j) boundless_.lo[j][0] = -(boundless_.hi[j][0] = 1e30F);
  }
  void prox(const Block& v, const float* step, const Box& box, Block& w) const override {
    exact_->prox(v, step, boundless_, w);
    for (std::size_t j = 0; j < w.features(); ++j) w[j][0] = bounded(w[j][0], box.lo[j][0], box.hi[j][0]);
  }
  void value(const Block& w, float* value) const override { exact_->value(w, value); }

 private:
  std::unique_ptr<Prox> exact_;
  Box boundless_;
};

std::unique_ptr<Prox> public_prox(const std::string& name, double beta, std::size_t d) {
  if (name == "half") return std::make_unique<PublicHalf>(beta, d);
  const SparsityKind ours = name == "zero_fixed" ? SparsityKind::top_m
                            : name == "zero"     ? SparsityKind::l0
                                                 : SparsityKind::l1;
  return make_prox(ours, {.beta = beta, .max_changes = static_cast<int>(beta), .group = {}});
}

// [0, 1] around the factual, cut by the bounds of the z-space.
Box public_box(const std::vector<float>& u, const json& parameters) {
  Box box{Block(u.size(), 1), Block(u.size(), 1)};
  for (std::size_t j = 0; j < u.size(); ++j) {
    box.lo[j][0] = std::max(-u[j], parameters["mins"][j].get<float>());
    box.hi[j][0] = std::min(1 - u[j], parameters["maxs"][j].get<float>());
  }
  return box;
}

// Compares the iterates that the reference lists, up to the 20th.
void follow(const Reference& reference, const std::string& name, const json& trace, std::size_t i) {
  const std::size_t cut = name.find('_'), d = reference.points.cols;
  Setting setting(reference, name.substr(0, cut), trace["theta"], trace["target"][i]);
  const auto u = setting.work(trace["x"][i]);
  setting.objective().set_factual(0, u);
  const auto prox = public_prox(name.substr(cut + 1), trace["beta"], d);
  const Box box = public_box(u, reference.parameters);
  ApgOptions options{.iterations = trace["iters"], .sections = 1, .gamma = trace["lam"], .step = trace["L0"]};
  options.rule = StepRule::paper;
  options.keep = Keep::last;
  options.tolerance = 0;
  Apg apg(d, 1, options);
  int followed = 0;
  const auto compare = [&](const ApgIteration& it) {
    for (std::size_t r = 0; r < trace["iter_index"].size(); ++r) {
      if (trace["iter_index"][r] != it.iteration[0] || it.iteration[0] >= 20) continue;
      ++followed;
      EXPECT_NEAR(it.step[0], trace["sigma"][r].get<double>(), 1e-6);
      for (std::size_t j = 0; j < d; ++j)
        EXPECT_NEAR(it.w[j][0], trace["v_minmax"][r][i][j].get<double>(), 1e-3)
            << name << " point " << i << " iteration " << it.iteration[0] << " feature " << j;
    }
  };
  apg.solve({setting.objective(), *prox, box, {}}, {.observe = compare, .should_stop = {}});
  EXPECT_EQ(followed, 6);
}

TEST(SolverReference, traces_of_the_paper_step_rule) {
  SCFE_NEEDS_SHARED("reference");
  test::for_each_reference([](const Reference& reference) {
    const json traces = test::read_json(test::shared_dir() / "reference" / (reference.name + "_trace.json"));
    for (const auto& [name, trace] : traces.items())
      for (std::size_t i = 0; i < trace["x"].size(); ++i) follow(reference, name, trace, i);
  });
}

}  // namespace
}  // namespace scfe
