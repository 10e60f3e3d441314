// The rules for one row: lo <= sum of coefficient x <= hi for each link of which a feature changed; derived
// columns follow their formulas; at most as many joint changes as allowed; implications of which a feature
// changed hold.
//
// Violations are measured in the work space, as the shortest move of a single feature that repairs the link.
#pragma once

#include <span>
#include <vector>

#include "actionability/factual.h"
#include "actionability/rules.h"
#include "actionability/space.h"
#include "actionability/writing.h"

namespace scfe {

class Links {
 public:
  struct Frame {
    const Rules& rules;
    const Space& space;
    const Writing& writing;
  };
  // `features` includes the row's own limits. The limits of derived columns become links.
  Links(const Frame& frame, std::span<const Feature> features, std::span<const double> factual);

  const std::vector<Link>& links() const { return links_; }
  const std::vector<Derivation>& derived() const { return frame_.rules.derived; }
  const std::vector<Together>& together() const { return frame_.rules.together; }
  const std::vector<Implication>& implications() const { return frame_.rules.implications; }

  bool is_derived(std::size_t feature) const { return frame_.rules.is_derived(feature); }

  // Kinds of rules that some solvers can handle (links_kinds.cpp).
  // Inequalities between features that may change by themselves, and nothing else.
  bool are_inequalities() const;
  // Every derived column follows a category by a map, in the factual too: both are one feature.
  bool derive_by_levels() const;
  // The same, and nothing else.
  bool are_maps_of_levels() const;
  // Whether a row keeps the rules depends on its levels and on which side of some marks its numbers are.
  bool are_finite() const;
  // Writable numbers at the marks of the implications with this feature, and next to them.
  std::vector<double> marks(std::size_t feature) const;

  // Computes the derived columns: rounded to writable values, or exact for intermediate points.
  void complete(std::span<double> values) const { fill(values, true); }
  void complete_relaxed(std::span<double> values) const { fill(values, false); }

  // True if the row satisfies every rule, including the formulas of derived columns.
  bool hold(std::span<const double> values) const;
  // The violated rules, for people.
  std::vector<std::string> broken(std::span<const double> values) const;
  double violation(std::span<const double> values) const;
  // True if a feature of the link differs from the factual; other links are not enforced.
  bool touched(const Link& link, std::span<const double> values) const;
  // True if the implication has to hold (a feature of it changed) and does not.
  bool breaks(const Implication& rule, std::span<const double> values) const;
  // Changes of one feature that make a broken implication hold: every level, and the writable numbers next to
  // where a condition changes. Derived columns are left out; limits are not looked at.
  struct Repair {
    std::size_t feature;
    double value;
  };
  std::vector<Repair> repairs(const Implication& rule, std::span<const double> values) const;
  // The distance of a number to the next one that can be written.
  double spacing(std::size_t feature) const;
  // Narrows the limits of a number's change to where no implication that holds for these values can break.
  void narrow(std::size_t feature, std::span<const double> values, double& lo, double& hi) const;
  // Converts an excess of the link's sum to a distance in the work space.
  double unit(std::size_t link) const { return unit_[link]; }
  // d sum / d u for the column of a number, including its effect through derived columns.
  double slope(const Link& link, std::span<const double> values, std::size_t column) const;

  // True if `feature` may change in addition to the support.
  bool may_join(std::span<const int> support, std::size_t feature) const;
  // The value of the feature that moves the link's sum to its nearest bound; not finite if there is none.
  double solve(const Link& link, std::size_t feature, std::span<const double> values) const;
  // The same, rounded to a writable value that satisfies the link.
  double repair(const Link& link, std::size_t feature, std::span<const double> values) const;

 private:
  void fill(std::span<double> values, bool written) const;
  double written_value(const Derivation& derivation, std::span<const double> values) const;
  // Of the formula, as it would be written.
  double formula_value(const Derivation& derivation, std::span<const double> values) const;
  bool follows(const Derivation& derivation, std::span<const double> values) const;
  bool kept(const Together& group, std::span<const double> values) const;
  bool stale(const Derivation& derivation, std::span<const double> values) const;

  void add_repairs(const Implication& rule, std::size_t feature, std::span<const double> values,
                   std::vector<Repair>& repairs) const;
  void add_marks(const Implication& rule, std::size_t feature, std::vector<double>& marks) const;
  double shortest_repair(const Implication& rule, std::span<const double> values) const;

  Frame frame_;
  std::vector<double> factual_;
  std::vector<Link> links_;
  std::vector<double> unit_;
  std::vector<std::vector<char>> may_take_;  // for each derivation of a category, by level; else empty
};

// Gives the row its links, none where there are no rules. A derived column cannot be changed by itself.
void set_rules(const Links::Frame& frame, std::span<const Feature> features, Factual& row);

}  // namespace scfe
