// The answer for one row.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scfe {

enum class Status {
  already,      // the row is in the wished class, and typical of it: nothing to change
  valid,        // a counterfactual within every limit
  below_floor,  // valid and within the limits, but less typical than asked: `quantile` says how typical
  not_found,    // none within the limits: `reason` names those that block
  time_limit,   // time was up before one was found
  not_finite,   // the model or the density is not finite at the row
};
std::string_view status_name(Status status);

// What is known of closer answers.
enum class Proof {
  none,     // nothing: there may be one
  closest,  // there is none within the limits (none closer by more than 0.01 %); where nothing was found,
            // there is no answer at all
  within_bound,  // with options.certify: `certificate` says how much closer one could be at most
};

// How it was shown that a row keeps its decision all around (options.robust).
enum class StabilityProof {
  none,     // it was not asked
  exact,    // the least margin around the row is known
  bounded,  // a lower bound of it is
  sampled,  // it was tried at many points, which proves nothing
};
std::string_view stability_name(StabilityProof proof);  // empty for none

struct FeatureChange {
  std::size_t feature;
  double from, to;  // numbers, or the places of a category's levels
  double room = 0;  // with options.robust: how far a number may go back, alone, before the decision turns
};

// A number that did not change, and how far it may go either way, alone, before the decision turns.
struct NumberRoom {
  std::size_t feature;
  double room;
};

// One limit of the question to lift where nothing meets the wish, each tried out. Limits that came with the
// training rows (the schema's) are never offered.
struct Hint {
  enum class Kind {
    plausible,    // value: the share to ask for
    changes,      // value: their number
    feature,      // value: the feature that may change, or go both ways
    upper,        // value: the feature that may exceed its upper limit
    lower,        // value: the feature that may fall below its lower limit
    rule,         // value: the place of the rule
    probability,  // the wished class only has to win
    robust,       // the answer need not be stable
  };
  Kind kind = Kind::changes;
  double value = 0;
  double l2 = 0;       // of the answer that it leads to
  double reached = 0;  // upper, lower: the value of the feature in that answer
  std::string text;    // for people: "possible with 3 changes"
};

struct Explanation {
  Status status = Status::not_found;
  std::string reason;                  // for people; empty where the status says it all
  int predicted = 0;                   // class of the factual
  int target = 0;                      // class that was wished
  std::vector<double> counterfactual;  // inputs of the row as it would be written; the factual where none
  std::vector<FeatureChange> changes;
  double probability = 0;  // of the target class at the counterfactual
  double margin = 0;       // logits by which it wins
  double output = 0;       // of a regression model, at the counterfactual
  double l2 = 0, l1 = 0;   // in the work space; a change of level counts as 1/sqrt(2)
  double log_density = 0;  // 0 without a density or an answer
  double quantile = 1;  // as typical as this share of the wished class's held-out rows (0 without an answer)
  std::size_t gradients = 0;  // what it took
  bool timed_out = false;     // no time was left to look for a closer one
  Proof proof = Proof::none;
  // With options.certify: "proven optimal", "within 1.2 %" or why there is no bound; and the least l2 (with
  // the features' weights) that any answer with as many changes can have, typical or not.
  std::string certificate;
  double lower_bound = 0;

  // With options.robust: how its stability was shown, and the least margin of all inputs within that
  // distance.
  StabilityProof stability = StabilityProof::none;
  double stable_margin = 0;
  // Likewise, where levels alone change; without the numbers that may go anywhere in their range.
  std::vector<NumberRoom> rooms;
  std::vector<Hint> hints;  // where the wish is not met
  int allowed_changes = 0;  // of a path: how many it was allowed
  bool knee = false;        // of a path: from here on further changes bring little

  bool proven() const { return proof == Proof::closest; }
  bool found() const {
    return status == Status::valid || status == Status::below_floor || status == Status::already;
  }
};

}  // namespace scfe
