// Rows with several target classes, of which the closest is answered: the order in which a row's classes are
// asked, which are left out, and which answers are kept.
//
// Each row has an order of its own: the fewest changes with which the floor may be reached, then the model's
// score. Classes that provably cannot give a better answer are left out (class_bounds.h). Neither the order
// nor what is left out changes the answer: ties go to the class with the smaller number.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "explainer/class_bounds.h"
#include "scfe/options.h"

namespace scfe {

// The classes of one row that are still to be asked.
class OpenClasses {
 public:
  // All of the targets, one after the other.
  void set(std::span<const int> targets);
  // The most promising first. `scores`: the model's, of the row.
  void set(std::unique_ptr<ClassBounds> bounds, std::span<const double> scores);

  // Takes the next classes, at most `width` unless none can be left out, and returns those that may beat the
  // answers in `list`.
  std::vector<int> take(const Options& options, std::size_t width, const std::vector<Explanation>& list);
  bool done() const { return next_ == order_.size(); }

 private:
  bool may_beat(const Options& options, const ClassBounds::Bound& bound,
                const std::vector<Explanation>& list) const;

  std::unique_ptr<ClassBounds> bounds_;  // null: no class can be left out
  std::vector<ClassBounds::Bound> order_;
  std::size_t next_ = 0;
};

// True if classes can be left out: bounds hold for answers that keep the floor and the limit on changes.
bool has_class_bounds(const Options& options);

// Merges the answers of a further class into the best ones so far, or keeps the path to the closest class.
void merge_answers(const Options& options, std::vector<Explanation> more, std::vector<Explanation>& list);

}  // namespace scfe
