#include "explainer/own_density.h"

#include "scfe/error.h"

namespace scfe {
namespace {

void expect_shape(const DensityModel& density, const Options& options, const Space& space,
                  std::size_t most_scores) {
  if (!density.model) throw Error(density.source, "a model of log q", "none");
  const bool work = options.density_space == DensitySpace::work;
  const std::size_t inputs = work ? space.columns() : space.inputs();
  if (density.model->features() != inputs)
    throw Error(density.source + ": inputs",
                std::to_string(inputs) + (work ? " (the columns of the work space: a number has one, a "
                                                 "category one for each level)"
                                               : " (the model's inputs)"),
                std::to_string(density.model->features()));
  const std::size_t scores = density.model->scores();
  if (scores != 1 && scores != most_scores)
    throw Error(density.source + ": columns of its output",
                most_scores == 1 ? "1, the log-density of the class"
                                 : "1, or one for each of " + std::to_string(most_scores) + " classes",
                std::to_string(scores));
}

}  // namespace

OwnDensities OwnDensities::of(std::span<const DensityModel> given, const Options& options, const Space& space,
                              std::size_t classes) {
  const bool own = options.density == DensityKind::own;
  if (!own && !given.empty())
    throw Error("density", "own beside a density of your own", std::string(name_of(options.density)));
  if (!own) return {};
  if (given.empty())
    throw Error("density", "a log-density of your own (--density FILE.onnx; in C++ Training::densities)",
                "none");
  if (given.size() != 1 && given.size() != classes)
    throw Error("density", "one file, or one for each of " + std::to_string(classes) + " classes",
                std::to_string(given.size()));
  for (const DensityModel& density : given)
    expect_shape(density, options, space, given.size() == 1 ? classes : 1);
  return {{given.begin(), given.end()},
          options.density_space == DensitySpace::work ? InputMap() : InputMap::of(space)};
}

void OwnDensities::set(DensityOptions& how, std::size_t target, std::span<const std::size_t> places) const {
  if (given.empty()) return;
  how.own = &given[given.size() == 1 ? 0 : target];
  how.own_score = how.own->model->scores() == 1 ? 0 : target;
  how.own_inputs = inputs;
  how.places = places;
}

}  // namespace scfe
