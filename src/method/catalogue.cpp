#include "method/catalogue.h"

#include <array>
#include <string>

#include "method/methods.h"
#include "plan/plan.h"
#include "scfe/error.h"
#include "support/catalogue.h"

namespace scfe {
namespace {

void check_nothing(const MethodQuestion& /*question*/) {}

constexpr std::array rows = {
    MethodRow{Method::scfe, "min |d|² s.t. class, log q >= floor, at most m changes", "ours (plan/plan.h)",
              check_nothing, solve, true, true},
    MethodRow{Method::dcfe, "min |d|² + beta |d|_1 + tau |x - G(x_f)|² + gamma loss",
              "Zhang et al. 2023 (reconstruction)", check_nothing, solve_dcfe},
    MethodRow{Method::cem_pn, "min |d|² + beta |d|_1 + tau |x - AE(x)|² + c loss, d away from no information",
              "Dhurandhar et al. 2018", check_cem, solve_cem_negative},
    MethodRow{Method::cem_pp,
              "min |d|² + beta |d|_1 + tau |b + d - AE(b + d)|² + c loss of what is kept, b + d",
              "Dhurandhar et al. 2018", check_cem, solve_cem_positive, false, false, true},
    MethodRow{Method::pcfe, "min |d| s.t. class and one Gaussian's ellipsoid, for each Gaussian",
              "Artelt and Hammer 2020", check_pcfe, solve_pcfe},
    MethodRow{Method::mip_live, "min |d| s.t. one live polytope, for the nearest of them",
              "Tsiourvas et al. 2024", check_mip_live, solve_mip_live, false, true},
    MethodRow{Method::wachter, "min lambda (p - 1)² + |d|_1, lambda growing until valid",
              "Wachter et al. 2017", check_nothing, solve_wachter},
    MethodRow{Method::nearest, "the nearest row of the class, features put back one by one",
              "in the manner of NICE, Brughmans et al. 2023", check_nothing, solve_nearest},
};

}  // namespace

std::span<const MethodRow> method_catalogue() { return rows; }

bool limits_changes(Method method) { return find_method(method).limits_changes; }
bool keeps_class(Method method) { return find_method(method).keeps_class; }

const MethodRow& find_method(Method method) {
  return find_row(method_catalogue(), "method", name_of(method));
}

void check_method(const MethodQuestion& question) {
  const Options& o = question.options;
  const MethodRow& row = find_method(o.method);
  if (row.ours) return;
  if (o.answers > 1 || o.path || o.robust > 0)
    throw Error(o.answers > 1 ? "answers"
                : o.path      ? "path"
                              : "robust",
                "method scfe beside it", std::string(row.name));
  if (o.solver != Solver::automatic || o.tune)
    throw Error(o.tune ? "tune" : "solver", "method scfe beside it", std::string(row.name));
  if (!question.space.proximity().squared && o.method != Method::nearest)
    throw Error("distance", "l2 beside method " + std::string(row.name) + ", which has a distance of its own",
                std::string(name_of(o.distance)));
  row.check(question);
}

}  // namespace scfe
