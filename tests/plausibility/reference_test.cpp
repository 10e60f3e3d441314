// Compares densities, gradients and gravity points with the authors' public implementation, to 1e-4.
#include "tests/plausibility/reference.h"

#include <gtest/gtest.h>

#include "plausibility/kde/kde.h"
#include "plausibility/knn/knn.h"
#include "plausibility/mixture/gmm.h"
#include "tests/plausibility/samples.h"

namespace scfe {
namespace {

using nlohmann::json;
using test::Reference;

// The scale from the min-max work space to the model's space z = lo + (hi - lo) u.
std::vector<double> ranges(const Reference& reference) {
  std::vector<double> range;
  for (std::size_t j = 0; j < reference.points.cols; ++j)
    range.push_back(reference.parameters["maxs"][j].get<double>() -
                    reference.parameters["mins"][j].get<double>());
  return range;
}

void expect_density(const Density& density, const Matrix& points, const Reference& reference,
                    const std::string& key, const std::vector<double>& range) {
  const test::Evaluated found = test::evaluate(density, points, Matrix(points.rows, points.cols));
  const Matrix slopes = test::to_matrix(reference.values[key + "_grad"]);
  for (std::size_t i = 0; i < points.rows; ++i) {
    const double value = reference.values[key][i];
    EXPECT_NEAR(found.value[i], value, 1e-4 * std::max(1.0, std::abs(value))) << key << " " << i;
    double size = 0;
    for (const double slope : slopes[i]) size = std::max(size, std::abs(slope));
    for (std::size_t j = 0; j < points.cols; ++j)
      EXPECT_NEAR(found.gradient[i][j] / range[j], slopes[i][j], 1e-4 * std::max(size, 1.0))
          << key << " " << i;
  }
}

TEST(DensityReference, kde_in_paper_mode_in_its_own_space_and_in_the_minmax_space) {
  SCFE_NEEDS_SHARED("reference");
  test::for_each_reference([](const Reference& reference) {
    for (const int c : {0, 1}) {
      DensityOptions options;
      options.paper = true;
      options.bandwidth = reference.parameters["kde"][c]["bandwidth"];
      const std::string key = "kde" + std::to_string(c);
      expect_density(*fit_kde(reference.classes[c], options).density, reference.points, reference, key,
                     std::vector<double>(reference.points.cols, 1.0));
      options.scale = ranges(reference);
      expect_density(*fit_kde(reference.minmax(reference.classes[c]), options).density,
                     reference.minmax(reference.points), reference, key, options.scale);
    }
  });
}

TEST(DensityReference, bandwidth_of_paper_mode_is_the_codes_up_to_the_step_of_its_grid) {
  SCFE_NEEDS_SHARED("reference");
  test::for_each_reference([](const Reference& reference) {
    for (const int c : {0, 1}) {
      DensityOptions options;
      options.paper = true;
      const FittedDensity fitted = fit_kde(reference.classes[c], options);
      std::vector<double> kappa(1);
      fitted.density->curvature({}, std::vector{0}, kappa);
      EXPECT_NEAR(1 / std::sqrt(kappa[0]), reference.parameters["kde"][c]["bandwidth"].get<double>(),
                  1.5 / 19);
    }
  });
}

TEST(DensityReference, gmm_with_the_codes_parameters) {
  SCFE_NEEDS_SHARED("reference");
  test::for_each_reference([](const Reference& reference) {
    for (const int c : {0, 1}) {
      const json& item = reference.parameters["gmm"][c];
      const GaussianMixture mixture{item["pi"], test::to_matrix(item["mu"]), test::to_matrix(item["var"]),
                                    false};
      expect_density(Gmm(mixture), reference.points, reference, "gmm" + std::to_string(c),
                     std::vector<double>(reference.points.cols, 1.0));
    }
  });
}

TEST(DensityReference, gravity_points_come_from_minmax_neighbours_that_count_themselves) {
  SCFE_NEEDS_SHARED("reference");
  test::for_each_reference([](const Reference& reference) {
    const Matrix factuals = reference.minmax(reference.points);
    for (const int k : {3, 5}) {
      DensityOptions options;
      options.paper = true;
      options.neighbours = k;
      const Matrix expected = test::to_matrix(reference.values["G_k" + std::to_string(k) + "_minmax"]);
      for (const int c : {0, 1}) {
        const FittedDensity fitted = fit_knn(reference.minmax(reference.classes[c]), options);
        const Matrix anchors = test::anchors_of(*fitted.density, factuals);
        for (std::size_t i = 0; i < factuals.rows; ++i) {
          if ((reference.values["target"][i] > 0) != (c == 1)) continue;
          for (std::size_t j = 0; j < factuals.cols; ++j) EXPECT_NEAR(anchors[i][j], expected[i][j], 1e-4);
        }
      }
    }
  });
}

// The same points if the work space is the model's space and neighbours are measured in min-max units.
TEST(DensityReference, gravity_points_by_scale) {
  SCFE_NEEDS_SHARED("reference");
  test::for_each_reference([](const Reference& reference) {
    DensityOptions options;
    options.paper = true;
    options.neighbours = 5;
    for (const double range : ranges(reference)) options.scale.push_back(1 / range);
    const Matrix expected = test::to_matrix(reference.values["G_k5_z"]);
    for (const int c : {0, 1}) {
      const FittedDensity fitted = fit_knn(reference.classes[c], options);
      const Matrix anchors = test::anchors_of(*fitted.density, reference.points);
      for (std::size_t i = 0; i < expected.rows; ++i) {
        if ((reference.values["target"][i] > 0) != (c == 1)) continue;
        for (std::size_t j = 0; j < expected.cols; ++j) EXPECT_NEAR(anchors[i][j], expected[i][j], 1e-4);
      }
    }
  });
}

}  // namespace
}  // namespace scfe
