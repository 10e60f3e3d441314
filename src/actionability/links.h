// The rules as one row has to obey them: lo <= sum of coefficient x <= hi for each link that a change
// touches, derived columns as their formulas say, no more changes together than allowed.
//
// A violation is counted in the work space: the least way that one feature has to go to repair it.
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
  // `features` with the limits of the row: those of a derived column become links.
  Links(const Frame& frame, std::span<const Feature> features, std::span<const double> factual);

  const std::vector<Link>& links() const { return links_; }
  const std::vector<Derivation>& derived() const { return frame_.rules.derived; }
  const std::vector<Together>& together() const { return frame_.rules.together; }

  bool is_derived(std::size_t feature) const { return frame_.rules.is_derived(feature); }

  // Fills in the derived columns: as written, or as the formula has it while a point is still on its way.
  void complete(std::span<double> values) const { fill(values, true); }
  void complete_relaxed(std::span<double> values) const { fill(values, false); }

  // Whether the row obeys every rule as it stands there, derived columns included.
  bool hold(std::span<const double> values) const;
  // What is broken, for people.
  std::vector<std::string> broken(std::span<const double> values) const;
  double violation(std::span<const double> values) const;
  // Whether a change of one of its features makes the link count.
  bool touched(const Link& link, std::span<const double> values) const;
  // In work-space lengths per unit of its sum.
  double unit(std::size_t link) const { return unit_[link]; }
  // d sum / d u of a number's column, through derived columns too.
  double slope(const Link& link, std::span<const double> values, std::size_t column) const;

  // Whether one more feature may change beside these.
  bool may_join(std::span<const int> support, std::size_t feature) const;
  // The value of one feature that puts the link on its bound nearest to the present sum; not finite: none.
  double solve(const Link& link, std::size_t feature, std::span<const double> values) const;
  // The same, rounded to what the column holds, on the side that keeps the link.
  double repair(const Link& link, std::size_t feature, std::span<const double> values) const;

 private:
  void fill(std::span<double> values, bool written) const;
  double written_value(const Derivation& derivation, std::span<const double> values) const;
  bool follows(const Derivation& derivation, std::span<const double> values) const;
  bool kept(const Together& group, std::span<const double> values) const;
  bool stale(const Derivation& derivation, std::span<const double> values) const;

  Frame frame_;
  std::vector<double> factual_;
  std::vector<Link> links_;
  std::vector<double> unit_;
};

// Gives the row its links, none where there are no rules. A derived column cannot be changed by itself.
void set_rules(const Links::Frame& frame, std::span<const Feature> features, Factual& instance);

}  // namespace scfe
