// MIP-Live (Tsiourvas et al. 2024): counterfactuals of ReLU networks from their live polytopes. These are the
// regions of one activation pattern that contain a correctly classified training row of the target class.
// With the pattern fixed the network is linear, so each is a small program (polytope.h) without big-M
// constraints for the network.
//
//     list: the patterns of the class's rows nearest to x_f, `polytopes` of them (5, as the authors)
//     answer: the closest point of all of them, with at most max-changes changes (sparsity none: no limit)
//
// With lof > 0 the answer's LOF with k = 1 is at most lof: for each pattern its nearest rows i are tried,
// with the answer in the Voronoi cell of i and within lof / lrd_i of it.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "method/methods.h"
#include "method/mip.h"
#include "method/pieces.h"
#include "method/polytope.h"
#include "scfe/error.h"
#include "validity/rounding.h"

namespace scfe {
namespace {

double squared_distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return sum;
}

// The distance from each row o within which LOF with k = 1 is at most t, which is
//     t / lrd = t max(|o - o'|, |o' - o''|),   o': the nearest row to o,   o'': the nearest row to o'.
std::vector<double> lof_reaches(const Matrix& rows, double t) {
  std::vector<std::size_t> next(rows.rows);
  std::vector<double> gap(rows.rows, INFINITY), reach;
  for (std::size_t i = 0; i < rows.rows; ++i)
    for (std::size_t k = 0; k < rows.rows; ++k) {
      const double distance = i == k ? INFINITY : std::sqrt(squared_distance(rows[i], rows[k]));
      if (distance >= gap[i]) continue;
      gap[i] = distance;
      next[i] = k;
    }
  for (std::size_t i = 0; i < rows.rows; ++i)
    reach.push_back(rows.rows < 2 ? 0.0 : t * std::max(gap[i], gap[next[i]]));
  return reach;
}

class MipLive {
 public:
  explicit MipLive(const Query& query)
      : query_(query),
        rows_(query.fitted.space.columns_of_short(
            query.fitted.class_rows[static_cast<std::size_t>(query.target)])),
        pieces_(query.fitted.model, query.fitted.space, query.target) {
    for (std::size_t i = 0; i < rows_.rows; ++i) patterns_.push_back(pattern_at(pieces_, rows_[i]));
    if (query.options.lof > 0) reaches_ = lof_reaches(rows_, query.options.lof);
  }

  // `failed`: polytopes whose closest point was not valid once it was written. Returns which polytope of the
  // list has the answer.
  std::size_t run(const Row& row, const std::vector<std::size_t>& failed, ApgFound& point) const {
    point = {};
    point.w.assign(row.factual.size(), 0.0);
    double best = INFINITY;
    const std::vector<std::vector<std::size_t>> all = list(row);
    std::size_t of = all.size();
    for (std::size_t p = 0; p < all.size(); ++p) {
      if (std::ranges::find(failed, p) != failed.end()) continue;
      const std::vector<std::size_t>& rows = all[p];
      PolytopeProgram program = polytope(row, patterns_[rows[0]]);
      for (std::size_t k = 0; k < (reaches_.empty() ? 1 : rows.size()); ++k) {
        point.timed_out = is_past(query_.deadline);
        if (point.timed_out) return of;
        const std::optional<PolytopeAnswer> found =
            solve_polytope(reaches_.empty() ? program : near_row(program, row, rows[k]), best);
        if (!found) continue;
        best = found->cost;
        of = p;
        point.valid = point.meets_floor = true;
        point.w = found->w;
      }
    }
    point.timed_out = is_past(query_.deadline);
    for (double& w : point.w)
      if (std::abs(w) < no_move) w = 0;
    return of;
  }

 private:
  // The rows of each pattern, the nearest row first and the nearest pattern first.
  std::vector<std::vector<std::size_t>> list(const Row& row) const {
    const std::span<const double> weight = query_.fitted.space.weight();
    std::vector<double> distance(rows_.rows);
    for (std::size_t i = 0; i < rows_.rows; ++i)
      for (std::size_t j = 0; j < weight.size(); ++j) {
        const double gap = rows_[i][j] - row.factual[j];
        distance[i] += weight[j] * gap * gap;
      }
    std::vector<std::size_t> order(rows_.rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return distance[a] < distance[b]; });
    const auto most = static_cast<std::size_t>(query_.options.polytopes);
    std::map<Pattern, std::size_t> place;
    std::vector<std::vector<std::size_t>> list;
    for (const std::size_t i : order) {
      const auto known = place.find(patterns_[i]);
      if (known != place.end()) {
        if (list[known->second].size() < most) list[known->second].push_back(i);
      } else if (list.size() < most) {
        place[patterns_[i]] = list.size();
        list.push_back({i});
      }
    }
    return list;
  }

  PolytopeProgram polytope(const Row& row, const Pattern& pattern) const {
    const Options& o = query_.options;
    const Space& space = query_.fitted.space;
    PolytopeProgram program{space.weight(),     row.lo,         row.hi, {}, {}, {}, 0,
                            o.norm == Norm::l1, space.columns()};
    if (o.sparsity == SparsityKind::top_m) program.max_changes = static_cast<std::size_t>(o.max_changes);
    program.deadline = query_.deadline;
    if (o.time_limit > 0) program.seconds = query_.deadline.seconds_left();
    const AffineMap map = where(pieces_, pattern);
    for (std::size_t r = 0; r < map.offset.size(); ++r) {
      double offset = map.offset[r];
      for (std::size_t j = 0; j < space.columns(); ++j) offset += map.slope[r][j] * row.factual[j];
      const bool margin = r >= pattern.size(), up = margin || pattern[r] != 0;
      const double required = margin ? aimed_margin(row.required) : 0;
      const std::span<double> inequality = program.add_row(up ? offset - required : -offset);
      for (std::size_t j = 0; j < space.columns(); ++j)
        inequality[j] = up ? -map.slope[r][j] : map.slope[r][j];
    }
    return program;
  }

  PolytopeProgram near_row(PolytopeProgram program, const Row& row, std::size_t i) const {
    for (std::size_t k = 0; k < rows_.rows; ++k) {
      if (k == i || squared_distance(rows_[i], rows_[k]) == 0) continue;
      double bound = 0;  // 2 (x_k - x_i)·x <= |x_k|² - |x_i|²
      for (std::size_t j = 0; j < rows_.cols; ++j)
        bound += (rows_[k][j] - rows_[i][j]) * (rows_[k][j] + rows_[i][j] - 2 * row.factual[j]);
      const std::span<double> inequality = program.add_row(bound);
      for (std::size_t j = 0; j < rows_.cols; ++j) inequality[j] = 2 * (rows_[k][j] - rows_[i][j]);
    }
    for (std::size_t j = 0; j < rows_.cols; ++j) program.centre.push_back(rows_[i][j] - row.factual[j]);
    program.radius = reaches_[i];
    return program;
  }

  const Query& query_;
  const Matrix rows_;
  Pieces pieces_;
  std::vector<Pattern> patterns_;
  std::vector<double> reaches_;
};

}  // namespace

void check_mip_live(const MethodQuestion& question) {
  const Options& o = question.options;
  if (!is_relu_network(question.model)) {
    std::string other;
    for (const Layer& layer : question.model.layers())
      if (other.empty() && layer.activation != "relu" && layer.activation != "none") other = layer.activation;
    throw Error("method",
                "dense layers with ReLU between them for mip-live: only there the network is linear "
                "in polytopes",
                other.empty() ? "another model" : "activation " + other);
  }
  check_linear_method(question, "mip-live");
  if (o.sparsity != SparsityKind::top_m && o.sparsity != SparsityKind::none)
    throw Error("sparsity", "top_m (at most max-changes) or none with mip-live",
                std::string(name_of(o.sparsity)));
  const bool limited =
      o.sparsity == SparsityKind::top_m && static_cast<std::size_t>(o.max_changes) < question.space.columns();
  if (o.norm != Norm::l1 || !limited) return;
  if (o.lof > 0)
    throw Error("lof", "norm l2, or sparsity none (a ball and binaries at once is no linear MIP)", "norm l1");
  if (!has_mip_solver())
    throw Error("norm",
                "l2, sparsity none, or a build with a MIP solver (SCFE_MIP; Debian: coinor-libcbc-dev)",
                "l1");
}

void solve_mip_live(const Query& query, std::span<const Row> rows, std::span<Found> found) {
  const MipLive method(query);
  std::vector<ApgFound> points(rows.size());
  std::vector<std::vector<std::size_t>> failed(points.size());
  std::vector<std::size_t> open(points.size()), polytope(points.size());
  std::iota(open.begin(), open.end(), std::size_t{0});
  while (!open.empty()) {
    query.pool.each(open.size(), [&](std::size_t k) {
      const std::size_t i = open[k];
      polytope[i] = method.run(rows[i], failed[i], points[i]);
    });
    write_answers(query, rows, points, found);
    std::erase_if(open,
                  [&](std::size_t i) { return found[i].status != Status::not_found || !points[i].valid; });
    for (const std::size_t i : open) failed[i].push_back(polytope[i]);
  }
}

}  // namespace scfe
