#include "hints.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "relaxed.h"
#include "support/text.h"

namespace scfe {
namespace {

constexpr std::size_t named = 3;  // in the reason

std::string percent(double share) { return number(std::floor(1000 * share + 1e-9) / 10) + " %"; }

// The rows that wait for a hint, solved again under relaxed wishes.
class Hints {
 public:
  Hints(const HintJob& job, std::span<std::vector<Explanation>> lists)
      : job_(job), lists_(lists), solve_(job) {
    for (const std::size_t row : job.rows.index) {
      const bool met = std::ranges::any_of(lists[row], [](const Explanation& e) {
        return e.status == Status::valid || e.status == Status::already;
      });
      const Status status = best(row).status;
      if (!met && (status == Status::not_found || status == Status::below_floor)) open_.push_back(row);
    }
  }
  bool none() const { return open_.empty(); }

  void lower_the_floor() {
    for (const std::size_t row : open_) {
      const Explanation& e = best(row);
      if (e.status != Status::below_floor) continue;
      // A share that is written with one decimal and that this answer itself meets.
      double share = std::floor(1000 * e.quantile) / 1000;
      while (share > 0 && floor_at(job_.setting.density, share) > e.log_density) share -= 0.001;
      share = std::max(share, 0.0);
      add(row, {.kind = Hint::Kind::plausible,
                .value = share,
                .l2 = e.l2,
                .text = share > 0 ? "possible at plausibility " + percent(share)
                                  : "possible without a plausibility floor"});
    }
  }

  void allow_more_changes() {
    const Relaxed relaxed = solve_.more_changes();
    if (relaxed.options.max_changes == job_.options.max_changes) return;
    for (const auto& [row, e] : solve_(relaxed, open_)) {
      const std::string count = std::to_string(e.changes.size());
      if (e.changes.size() > static_cast<std::size_t>(job_.options.max_changes))
        add(row, {.kind = Hint::Kind::changes,
                  .value = static_cast<double>(e.changes.size()),
                  .l2 = e.l2,
                  .text = "possible with " + count + " changes"});
    }
  }

  void ask_for_less() {
    if (job_.options.probability > 0) {
      Relaxed relaxed = solve_.plain();
      relaxed.options.probability = 0;
      for (const auto& [row, e] : solve_(relaxed, open_))
        add(row, {.kind = Hint::Kind::probability,
                  .l2 = e.l2,
                  .text = "possible without a probability of " + percent(job_.options.probability)});
    }
    if (job_.options.robust > 0) {
      Relaxed relaxed = solve_.plain();
      relaxed.options.robust = 0;
      for (const auto& [row, e] : solve_(relaxed, open_))
        add(row, {.kind = Hint::Kind::robust,
                  .l2 = e.l2,
                  .text = "possible if it need not be stable within " + percent(job_.options.robust)});
    }
  }

  void lift_limits_of_features() {
    for (std::size_t f = 0; f < job_.setting.features.size(); ++f)
      for (const Aspect aspect : {Aspect::frozen, Aspect::one_way, Aspect::upper, Aspect::lower}) {
        std::vector<std::size_t> limited;
        for (const std::size_t row : open_)
          if (solve_.limits(row, f, aspect)) limited.push_back(row);
        if (limited.empty() || solve_.late()) continue;
        for (const auto& [row, e] : solve_(solve_.without(f, aspect), limited))
          add(row, hint(row, f, aspect, e));
      }
  }

  void lift_rules() {
    const Rules& rules = job_.setting.rules;
    for (std::size_t r = job_.setting.lasting_rules; r < rules.texts.size() && !solve_.late(); ++r) {
      const bool derives =
          std::ranges::any_of(rules.derived, [&](const Derivation& d) { return d.text == rules.texts[r]; });
      if (derives) continue;
      for (const auto& [row, e] : solve_(solve_.without_rule(r), open_))
        add(row, {.kind = Hint::Kind::rule,
                  .value = static_cast<double>(r),
                  .l2 = e.l2,
                  .text = "possible without the rule " + rules.texts[r]});
    }
  }

  void name_the_cheapest() {
    std::vector<std::size_t> helpless;
    for (const std::size_t row : open_) {
      Explanation& e = best(row);
      std::ranges::stable_sort(e.hints, {}, &Hint::l2);
      for (std::size_t i = 0; i < std::min(named, e.hints.size()); ++i) e.reason += "; " + e.hints[i].text;
      if (solve_.late())
        e.reason += "; no time was left to look for a limit to lift";
      else if (e.hints.empty() && e.status == Status::not_found)
        helpless.push_back(row);
    }
    if (!helpless.empty()) name_several(helpless);
  }

 private:
  // No limit alone: all of the question's, and then those of the schema too.
  void name_several(std::vector<std::size_t> rows) {
    for (const bool schema_too : {false, true}) {
      if (rows.empty() || solve_.late()) return;
      for (const auto& [row, e] : solve_(solve_.without_any(schema_too), rows)) {
        best(row).reason += schema_too
                                ? "; " + schema_text(e)
                                : "; lifting one limit of the question alone does not help, all of them "
                                  "together do";
        std::erase(rows, row);
      }
    }
    for (const std::size_t row : rows)
      best(row).reason += "; even without any limit none was found with " +
                          std::to_string(solve_.more_changes().options.max_changes) + " changes";
  }

  std::string schema_text(const Explanation& e) const {
    std::vector<std::string> names;
    for (const FeatureChange& change : e.changes)
      if (is_limited(job_.setting.lasting[change.feature]))
        names.push_back(job_.setting.lasting[change.feature].name);
    return "what blocks is lasting, in the schema, and no limit of the question" +
           (names.empty() ? "" : ": the closest would change " + join(names, ", "));
  }

  Hint hint(std::size_t row, std::size_t f, Aspect aspect, const Explanation& e) const {
    const Feature own = solve_.own(row, f);
    Hint hint{.kind = Hint::Kind::feature, .value = static_cast<double>(f), .l2 = e.l2, .text = {}};
    hint.text = "possible if " + own.name;
    if (aspect == Aspect::frozen) hint.text += " may change";
    if (aspect == Aspect::one_way) hint.text += " may go both ways";
    if (aspect != Aspect::upper && aspect != Aspect::lower) return hint;
    const bool up = aspect == Aspect::upper;
    hint.kind = up ? Hint::Kind::upper : Hint::Kind::lower;
    hint.reached = up ? *own.max : *own.min;
    for (const FeatureChange& change : e.changes)
      if (change.feature == f) hint.reached = change.to;
    hint.text += (up ? " may exceed " + number(*own.max) : " may fall below " + number(*own.min)) + " (" +
                 number(hint.reached) + " is enough)";
    return hint;
  }

  Explanation& best(std::size_t row) const {
    return job_.options.path ? lists_[row].back() : lists_[row].front();
  }
  void add(std::size_t row, Hint hint) { best(row).hints.push_back(std::move(hint)); }

  const HintJob& job_;
  std::span<std::vector<Explanation>> lists_;
  RelaxedSolver solve_;
  std::vector<std::size_t> open_;
};

}  // namespace

void add_hints(const HintJob& job, std::span<std::vector<Explanation>> lists) {
  Hints hints(job, lists);
  if (hints.none()) return;
  hints.lower_the_floor();
  hints.allow_more_changes();
  hints.ask_for_less();
  hints.lift_limits_of_features();
  hints.lift_rules();
  hints.name_the_cheapest();
}

}  // namespace scfe
