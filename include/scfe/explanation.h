// The answer for one row.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scfe/choices.h"

namespace scfe {

enum class Status {
  already,      // the row has the target class: nothing to change, however typical it is
  valid,        // a counterfactual that meets everything asked
  below_floor,  // valid and within the limits, but less typical than asked: `quantile` says how typical
  not_found,    // none within the limits: `reasons` name those that block
  time_limit,   // the time limit passed before one was found
  not_finite,   // the model or the density is not finite at the row
};
std::string_view status_name(Status status);

// What was proven about closer answers.
enum class Proof {
  none,     // nothing: there may be a closer one
  closest,  // there is none within the limits (none closer by more than 0.01 %); where nothing was found,
            // there is no answer at all
  within_bound,  // with options.certify: `certificate` says how much closer one could be at most
};

// How it was shown that the class stays the same in a box around the row (options.robust).
enum class StabilityProof {
  none,     // options.robust is 0
  exact,    // the least margin in the box is known
  bounded,  // a lower bound of it is known
  sampled,  // it was checked at many points, which is no proof
};
std::string_view stability_name(StabilityProof proof);  // empty for none

struct FeatureChange {
  std::size_t feature;
  double from, to;  // numbers, or indices of a category's levels
  double room = 0;  // with options.robust: how far a number alone may move back before the class changes
};

// A number that did not change, and how far it alone may move up or down before the class changes.
struct NumberRoom {
  std::size_t feature;
  double room;
};

// For a row without a valid answer: one limit of the question whose lifting leads to one. Every hint was
// tried out. Limits that were given with the training rows (the schema's) are never offered.
struct Hint {
  enum class Kind {
    plausible,    // value: the value of options.plausible to ask for
    changes,      // value: the number of changes to allow
    feature,      // value: the feature that may change, or go both ways
    upper,        // value: the feature that may exceed its upper limit
    lower,        // value: the feature that may fall below its lower limit
    rule,         // value: the index of the rule
    probability,  // the target class only has to win
    robust,       // the answer need not be stable
  };
  Kind kind = Kind::changes;
  double value = 0;
  double l2 = 0;        // of the answer that it leads to
  double distance = 0;  // of that answer, as in Explanation
  double reached = 0;   // upper, lower: the value of the feature in that answer
  std::string text;     // for people: "possible with 3 changes"
};
template <>
inline constexpr auto choices_of<Hint::Kind> =
    std::to_array<NamedValue<Hint::Kind>>({{Hint::Kind::plausible, "plausible"},
                                           {Hint::Kind::changes, "changes"},
                                           {Hint::Kind::feature, "feature"},
                                           {Hint::Kind::upper, "upper"},
                                           {Hint::Kind::lower, "lower"},
                                           {Hint::Kind::rule, "rule"},
                                           {Hint::Kind::probability, "probability"},
                                           {Hint::Kind::robust, "robust"}});

struct Explanation {
  Status status = Status::not_found;
  std::vector<std::string> reasons;    // for people, part by part; empty if the status needs no explanation
  std::vector<std::string> blocking;   // limits of which lifting one alone leads to an answer
  int predicted = 0;                   // class of the factual
  int target = 0;                      // the target class
  std::vector<double> counterfactual;  // model inputs, as written; the factual if there is no answer
  std::vector<FeatureChange> changes;
  double probability = 0;  // of the target class at the counterfactual
  double margin = 0;       // by how many logits the target class wins
  double output = 0;       // of a regression model, at the counterfactual
  double l2 = 0, l1 = 0;   // in the work space; a change of level counts as 1/sqrt(2)
  // What was minimised (options.distance): l2 as above, or l1 or Gower's distance, with the weights.
  Distance metric = Distance::l2;
  double distance = 0;
  double log_density = 0;  // 0 without a density or an answer
  double quantile = 1;     // share of the class's held-out rows that are no more typical; 0 without an answer
  std::size_t gradients = 0;  // gradients of the model that were computed
  bool timed_out = false;     // the time limit ended the search for a closer one
  Proof proof = Proof::none;
  // With options.certify: "proven optimal", "within 1.2 %" or why there is no bound; and a lower bound on the
  // distance (with the features' weights) of any answer with as many changes, typical or not.
  std::string certificate;
  double lower_bound = 0;

  // With options.robust: how the stability was shown, and the least margin (or a lower bound) within that
  // distance.
  StabilityProof stability = StabilityProof::none;
  double stable_margin = 0;
  // With options.robust, if only levels change; without numbers that may move anywhere in their range.
  std::vector<NumberRoom> rooms;
  std::vector<Hint> hints;  // if there is no valid answer
  int allowed_changes = 0;  // with options.path: the limit on changes for this entry
  bool knee = false;        // with options.path: further changes bring little

  static constexpr std::string_view knee_text = "knee: further changes bring little";

  // The reasons in one line. The knee of a path is one where there is no other.
  std::string reason() const;
  bool proven() const { return proof == Proof::closest; }
  bool found() const {
    return status == Status::valid || status == Status::below_floor || status == Status::already;
  }
};

}  // namespace scfe
