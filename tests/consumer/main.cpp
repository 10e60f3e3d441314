#include <scfe/scfe.h>

#include <cstdio>

// Two clouds on a line, told apart by a model of the user's own.
int main() {
  scfe::Callback callback;
  callback.features = callback.scores = 1;
  callback.value = [](std::span<const float> x, std::span<float> score) { score[0] = x[0]; };
  callback.gradient = [](std::span<const float>, std::span<const float> seed, std::span<float> g) {
    g[0] = seed[0];
  };
  scfe::Training training;
  training.rows = scfe::Matrix(20, 1);
  for (int i = 0; i < 20; ++i) {
    training.rows[static_cast<std::size_t>(i)][0] = i < 10 ? -1 - 0.1 * i : 0.1 * i;
    training.labels.push_back(i < 10 ? 0 : 1);
  }
  scfe::Options options;
  options.max_changes = 1;
  // And a density of the user's own.
  scfe::Callback log_q;
  log_q.features = log_q.scores = 1;
  log_q.value = [](std::span<const float> x, std::span<float> score) {
    score[0] = -2 * (x[0] - 1) * (x[0] - 1);
  };
  log_q.gradient = [](std::span<const float> x, std::span<const float> seed, std::span<float> g) {
    g[0] = -4 * (x[0] - 1) * seed[0];
  };
  training.densities = {{scfe::callback_model(log_q), "bell"}};
  options.density = scfe::DensityKind::own;
  const scfe::Explainer explainer(scfe::callback_model(callback), training, options);
  const scfe::Explanation e = explainer.explain_one(training.rows[0]);
  std::printf("%s %g\n", std::string(scfe::status_name(e.status)).c_str(), e.counterfactual[0]);
  const bool same_version = scfe::version() == SCFE_VERSION;
  return e.status == scfe::Status::valid && same_version ? 0 : 1;
}
