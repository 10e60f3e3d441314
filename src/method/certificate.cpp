#include "method/certificate.h"

#include <algorithm>
#include <cmath>

#include "model/network/bounds.h"
#include "solver/search/qp.h"

namespace scfe {
namespace {

constexpr double closed_gap = 1e-7;   // a node this close to the best answer, relatively, is closed
constexpr double rounding = 1e-9;     // tolerance for margins and constraints, in double precision
constexpr std::size_t many_open = 8;  // with more open units the box is divided, not a unit

struct Node {
  std::vector<double> lo, hi;
  std::vector<Unit> units;
  double bound;
};

// Branch and bound for one support.
class Part {
 public:
  Part(const CertificateProblem& problem, std::span<const int> support)
      : problem_(problem),
        support_(support),
        pieces_(problem.pieces.restricted(problem.factual, support)),
        bounds_(pieces_.layers),
        qp_(support.size(), pieces_.hidden() + pieces_.margins(), problem.proximity) {}

  // Lowers result.cost if it finds a better answer, and result.lower_bound if it cannot rule one out.
  void run(Certificate& result) {
    std::vector<Node> open(1);
    open[0].bound = 0;
    open[0].units.assign(pieces_.hidden(), Unit::open);
    for (const int j : support_) {
      open[0].lo.push_back(problem_.lo[static_cast<std::size_t>(j)]);
      open[0].hi.push_back(problem_.hi[static_cast<std::size_t>(j)]);
    }
    while (!open.empty()) {
      if ((++result.nodes & 63) == 0 && is_past(problem_.deadline)) {
        result.complete = false;
        for (const Node& node : open) result.lower_bound = std::min(result.lower_bound, node.bound);
        return;
      }
      Node node = std::move(open.back());
      open.pop_back();
      if (!tighten(node, result)) continue;
      if (closed(node.bound, result)) continue;
      divide(std::move(node), result, open);
    }
  }

 private:
  bool closed(double bound, const Certificate& result) const {
    return bound >= result.cost * (1 - closed_gap);
  }
  double weight(std::size_t k) const { return problem_.weight[static_cast<std::size_t>(support_[k])]; }

  // Shrinks the node's box to what can be cheaper, and computes its bound. False if nothing is left.
  bool tighten(Node& node, Certificate& result) {
    for (int round = 0; round < 3; ++round) {
      const double before = volume(node);
      if (!cut_by_cost(node, result.cost) || !bounds_.compute(node.lo, node.hi, node.units)) return false;
      if (!cut_by_rows(node)) return false;
      if (volume(node) > 0.7 * before) break;
    }
    return solve(node, result);
  }

  static double volume(const Node& node) {
    double product = 1;
    for (std::size_t k = 0; k < node.lo.size(); ++k) product *= node.hi[k] - node.lo[k];
    return product;
  }

  bool cut_by_cost(Node& node, double cost) const {
    double least = 0;
    for (std::size_t k = 0; k < node.lo.size(); ++k) least += weight(k) * power(nearest(node, k));
    if (least >= cost) return false;
    for (std::size_t k = 0; std::isfinite(cost) && k < node.lo.size(); ++k) {
      const double rest = least - weight(k) * power(nearest(node, k));
      const double reach = problem_.proximity.length((cost - rest) / weight(k));
      node.lo[k] = std::max(node.lo[k], -reach);
      node.hi[k] = std::min(node.hi[k], reach);
      if (node.lo[k] > node.hi[k]) return false;
    }
    return true;
  }
  double power(double move) const { return problem_.proximity.power(move); }
  static double nearest(const Node& node, std::size_t k) { return std::clamp(0.0, node.lo[k], node.hi[k]); }

  // Visits the necessary conditions sign · line(w) >= asked: of the margins, and of the fixed units.
  template <class Visit>
  void each_row(const Node& node, Visit visit) const {
    for (std::size_t r = 0; r < pieces_.margins(); ++r)
      visit(bounds_.upper(bounds_.hidden() + r), 1.0, problem_.required);
    for (std::size_t unit = 0; unit < node.units.size(); ++unit) {
      if (node.units[unit] == Unit::on) visit(bounds_.upper(unit), 1.0, 0.0);
      if (node.units[unit] == Unit::off) visit(bounds_.lower(unit), -1.0, 0.0);
    }
  }

  // Shrinks the box to where sign · line(w) >= asked is possible. False if it is nowhere.
  bool cut_by_rows(Node& node) const {
    bool possible = true;
    each_row(node, [&](std::span<const double> line, double sign, double asked) {
      const std::size_t d = node.lo.size();
      double most = sign * line[d] - asked;
      for (std::size_t k = 0; k < d; ++k) {
        const double a = sign * line[k];
        most += a * (a > 0 ? node.hi[k] : node.lo[k]);
      }
      if (most < -rounding) possible = false;
      for (std::size_t k = 0; possible && k < d; ++k) {
        const double a = sign * line[k], span = node.hi[k] - node.lo[k];
        if (std::abs(a) * span <= most + rounding) continue;
        const double room = (std::max(most, 0.0) + rounding) / std::abs(a);
        if (a > 0)
          node.lo[k] = std::max(node.lo[k], node.hi[k] - room);
        else
          node.hi[k] = std::min(node.hi[k], node.lo[k] + room);
      }
    });
    return possible;
  }

  // Solves the QP of the bounds, and tries its solution in the network.
  bool solve(Node& node, Certificate& result) {
    const std::size_t d = node.lo.size();
    qp_.reset(d);
    for (std::size_t k = 0; k < d; ++k) {
      qp_.weight[k] = weight(k);
      qp_.lo[k] = node.lo[k];
      qp_.hi[k] = node.hi[k];
      qp_.kappa[k] = qp_.g[k] = qp_.w[k] = 0;
    }
    each_row(node, [&](std::span<const double> line, double sign, double asked) {
      double least = sign * line[d] - asked;
      for (std::size_t k = 0; k < d; ++k) {
        const double a = sign * line[k];
        least += a * (a > 0 ? node.lo[k] : node.hi[k]);
      }
      if (least >= 0) return;  // holds everywhere in the box
      const std::span<double> cut = qp_.add_cut(asked - sign * line[d] - rounding);
      for (std::size_t k = 0; k < d; ++k) cut[k] = sign * line[k];
    });
    qp_.solve();
    const double bound = qp_.bound();
    if (std::isinf(bound)) return false;
    node.bound = std::max(node.bound, bound);
    try_out(result);
    return true;
  }

  void try_out(Certificate& result) {
    const std::span<const double> s = qp_.solution();
    const double cost = qp_.cost();
    if (cost >= result.cost || pieces_.smallest_margin(s) < problem_.required - 10 * rounding) return;
    result.cost = cost;
    result.closest.assign(problem_.factual.size(), 0.0);
    for (std::size_t k = 0; k < s.size(); ++k) result.closest[static_cast<std::size_t>(support_[k])] = s[k];
  }

  void divide(Node node, Certificate& result, std::vector<Node>& open) {
    const auto count = static_cast<std::size_t>(std::ranges::count(node.units, Unit::open));
    const std::size_t unit = bounds_.widest_open(node.units);
    if (count == 0) {  // the network is linear here: the bound is its optimum, up to the QP's accuracy
      result.lower_bound = std::min(result.lower_bound, node.bound);
      return;
    }
    Node other = node;
    if (count > many_open) {
      const std::size_t side = longest(node);
      node.hi[side] = other.lo[side] = (node.lo[side] + node.hi[side]) / 2;
    } else {
      node.units[unit] = Unit::off;
      other.units[unit] = Unit::on;
    }
    open.push_back(std::move(node));
    open.push_back(std::move(other));
  }

  std::size_t longest(const Node& node) const {
    std::size_t best = 0;
    const auto length = [&](std::size_t k) { return weight(k) * power(node.hi[k] - node.lo[k]); };
    for (std::size_t k = 1; k < node.lo.size(); ++k)
      if (length(k) > length(best)) best = k;
    return best;
  }

  const CertificateProblem& problem_;
  std::span<const int> support_;
  Pieces pieces_;
  NetworkBounds bounds_;
  Qp qp_;
};

}  // namespace

double count_supports(std::size_t columns, std::size_t size) {
  double count = 1;
  for (std::size_t k = 0; k < size; ++k)
    count *= static_cast<double>(columns - k) / static_cast<double>(k + 1);
  return count;
}

Certificate certify(const CertificateProblem& problem) {
  std::vector<int> movable;
  for (std::size_t j = 0; j < problem.factual.size(); ++j)
    if (problem.lo[j] < problem.hi[j]) movable.push_back(static_cast<int>(j));
  const std::size_t size = std::min(problem.max_changes, movable.size());
  Certificate result;
  result.cost = problem.cost;
  result.lower_bound = INFINITY;
  result.complete = true;
  std::vector<std::size_t> chosen(size);
  for (std::size_t k = 0; k < size; ++k) chosen[k] = k;
  for (std::vector<int> support(size);;) {
    for (std::size_t k = 0; k < size; ++k) support[k] = movable[chosen[k]];
    Part(problem, support).run(result);
    if (!result.complete) {  // some supports were not tried
      result.lower_bound = 0;
      break;
    }
    std::size_t k = size;
    while (k > 0 && chosen[k - 1] == movable.size() - size + k - 1) --k;
    if (k == 0) break;
    ++chosen[k - 1];
    for (std::size_t i = k; i < size; ++i) chosen[i] = chosen[i - 1] + 1;
  }
  result.lower_bound = std::min(result.lower_bound, result.cost * (1 - closed_gap));
  return result;
}

}  // namespace scfe
