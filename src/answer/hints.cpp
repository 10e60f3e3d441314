#include "answer/hints.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <utility>

#include "answer/answer.h"
#include "answer/hint_text.h"
#include "answer/path.h"
#include "method/catalogue.h"
#include "plan/catalogue.h"
#include "support/text.h"

namespace scfe {
namespace {

constexpr std::size_t named = 3;  // hints that the reason names

// Lifting a limit may be enough without any change of the row.
std::string possible(const Explanation& e) {
  return e.status == Status::already ? "nothing has to change" : "possible";
}
std::string without(const Explanation& e) { return possible(e) + " without"; }

// The rows that need a hint, and the attempts to find one.
class Hints {
 public:
  Hints(const Query& query, const TableRows& rows, std::span<std::vector<Explanation>> lists)
      : query_(query), rows_(rows), lists_(lists), solve_(query, rows) {
    for (const std::size_t row : rows.index) {
      const bool met = std::ranges::any_of(lists[row], [](const Explanation& e) {
        return e.status == Status::valid || e.status == Status::already;
      });
      const Status status = best(row).status;
      if (!met && (status == Status::not_found || status == Status::below_floor)) open_.push_back(row);
    }
  }
  bool none() const { return open_.empty(); }

  // Lowers the floor to what the best answer reaches, so that there is one even if no closer one is found.
  // Where answers below the floor are not wanted, it is lifted.
  void lower_the_floor() {
    std::map<double, std::vector<std::size_t>, std::greater<>> waiting;
    for (const std::size_t row : open_)
      if (best(row).status == Status::below_floor)
        waiting[met_share(query_.fitted.density, best(row))].push_back(row);
      else if (query_.options.below_floor == BelowFloor::none && solve_.asked(row).floor)
        waiting[0].push_back(row);
    for (auto& [share, rows] : waiting) {
      Relaxed relaxed = solve_.plain();
      relaxed.options.plausible = share;
      for (RowLimits& limits : relaxed.row_limits) limits.log_density.reset();
      const auto offer = [&, at = share](std::size_t row, const Explanation& e) {
        add(row,
            {.kind = Hint::Kind::plausible,
             .value = at,
             .l2 = e.l2,
             .distance = e.distance,
             .text = at > 0 ? possible(e) + " with a floor of " + percent(at) : without(e) + " a floor"},
            "the plausibility floor");
      };
      for (const auto& [row, e] : tried(relaxed, rows)) {
        offer(row, e);
        std::erase(rows, row);
      }
      for (const std::size_t row : rows)
        if (is_open(row) && best(row).found()) offer(row, best(row));
    }
  }

  void allow_more_changes() { allow_changes(query_.options.max_changes + 1, solve_.more_changes(), open_); }

  void ask_for_less() {
    if (query_.options.probability > 0) {
      Relaxed relaxed = solve_.plain();
      relaxed.options.probability = 0;
      for (const auto& [row, e] : tried(relaxed, open_))
        add(row,
            {.kind = Hint::Kind::probability,
             .l2 = e.l2,
             .distance = e.distance,
             .text = without(e) + " a probability of " + percent(query_.options.probability)},
            "a probability of " + percent(query_.options.probability));
    }
    if (query_.options.robust > 0) {
      Relaxed relaxed = solve_.plain();
      relaxed.options.robust = 0;
      for (const auto& [row, e] : tried(relaxed, open_))
        add(row,
            {.kind = Hint::Kind::robust,
             .l2 = e.l2,
             .distance = e.distance,
             .text = "possible if it need not be robust within " + percent(query_.options.robust)},
            "robust within " + percent(query_.options.robust));
    }
  }

  void lift_limits_of_features() {
    for (std::size_t f = 0; f < query_.fitted.features.size(); ++f)
      for (const Aspect aspect :
           {Aspect::frozen, Aspect::one_way, Aspect::levels, Aspect::upper, Aspect::lower}) {
        std::vector<std::size_t> limited;
        for (const std::size_t row : open_)
          if (solve_.limits(row, f, aspect)) limited.push_back(row);
        if (limited.empty() || solve_.late()) continue;
        for (const auto& [row, e] : tried(solve_.without(f, aspect), limited)) {
          const auto [hint, limit] = feature_hint(query_, solve_.own(row, f), {f, aspect}, e);
          add(row, hint, limit);
        }
      }
  }

  void lift_rules() {
    const std::vector<std::string>& rules = query_.fitted.rules.texts;
    for (std::size_t r = 0; r < rules.size() && !solve_.late(); ++r) {
      if (solve_.is_of_schema(r) || solve_.derives(r)) continue;
      for (const auto& [row, e] : tried(solve_.without_rule(r), open_))
        add(row,
            {.kind = Hint::Kind::rule,
             .value = static_cast<double>(r),
             .l2 = e.l2,
             .distance = e.distance,
             .text = "possible without the rule " + rules[r]},
            "the rule " + rules[r]);
    }
  }

  // Tries many more changes, which takes longer, before several limits are lifted together.
  void allow_many_changes() {
    std::vector<std::size_t> helpless;
    for (const std::size_t row : open_)
      if (best(row).hints.empty()) helpless.push_back(row);
    allow_changes(solve_.more_changes().options.max_changes + 1, solve_.many_changes(), helpless);
  }

  void name_the_cheapest() {
    std::vector<std::size_t> helpless;
    for (const std::size_t row : open_) {
      Explanation& e = best(row);
      std::ranges::stable_sort(e.hints, {}, &Hint::distance);
      if (!e.blocking.empty()) e.reasons.push_back("limits that block: " + join(e.blocking, ", "));
      for (std::size_t i = 0; i < std::min(named, e.hints.size()); ++i) e.reasons.push_back(e.hints[i].text);
      if (solve_.late())
        e.reasons.emplace_back(e.hints.empty() ? "no time was left to look for a limit to lift"
                                               : "no time was left to look for more");
      else if (e.hints.empty() && e.status == Status::not_found)
        helpless.push_back(row);
    }
    if (!helpless.empty()) name_several(helpless);
  }

 private:
  // Answers to a relaxed question. One that meets the original question becomes the answer instead of a hint.
  std::vector<std::pair<std::size_t, Explanation>> tried(const Relaxed& relaxed,
                                                         std::span<const std::size_t> rows) {
    const std::vector<std::pair<std::size_t, Explanation>> answers = solve_(relaxed, rows);
    std::vector<std::size_t> index;
    std::vector<std::vector<double>> values;
    for (const auto& [row, answer] : answers) {
      index.push_back(row);
      values.push_back(query_.fitted.space.to_values(answer.counterfactual));
    }
    Options asked = query_.options;
    asked.fewest_first = asked.fewest_first || asked.path;  // the steps of a path are by number of changes
    std::vector<std::optional<Explanation>> confirmed =
        confirm_rows(query_.with(asked), make_rows(query_, rows_, index), values);
    // If time ran out before this check, they are not used as hints either.
    const bool late = solve_.late();
    std::vector<std::pair<std::size_t, Explanation>> hints;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (confirmed[i])
        adopt(answers[i].first, std::move(*confirmed[i]), answers[i].second.gradients);
      else if (!late)
        hints.push_back(answers[i]);
    }
    return hints;
  }

  void adopt(std::size_t row, Explanation answer, std::size_t gradients) {
    answer.target = query_.target;
    answer.allowed_changes = best(row).allowed_changes;
    answer.gradients = gradients;
    std::erase(open_, row);
    if (query_.options.path) return extend_path(lists_[row], std::move(answer));
    best(row) = std::move(answer);
    drop_like(row);
  }

  // Removes answers that change the same features as the new first answer.
  void drop_like(std::size_t row) {
    if (query_.options.diverse != Diverse::features) return;
    std::vector<Explanation>& list = lists_[row];
    const auto same = std::remove_if(list.begin() + 1, list.end(), [&](const Explanation& e) {
      return support_of(e) == support_of(list.front());
    });
    list.erase(same, list.end());
  }

  // A search under a floor, like solvers that move all features, may use all changes that it is allowed even
  // if fewer are enough. So the limit is raised one by one for such rows. Numbers of changes that are known
  // to be too few are left out.
  void allow_changes(int least, Relaxed relaxed, std::span<const std::size_t> rows) {
    const int most = relaxed.options.max_changes;
    const Query query = query_.with(relaxed.options);
    struct Open {
      std::size_t row, fewest;
      bool one_by_one;
    };
    std::vector<Open> open;
    for (const std::size_t row : rows) {
      const Row asked = solve_.asked(row);
      const bool by_limit = moves_all(query_.options), several = least < most && !by_limit;
      open.push_back({row, several ? fewest_changes(query, asked) : 0, by_limit || asked.floor});
    }
    for (int m = least; m <= most && !solve_.late(); ++m) {
      relaxed.options.max_changes = m;
      std::vector<std::size_t> asked;
      for (const Open& next : open)
        if ((next.one_by_one || m == most) && std::cmp_less_equal(next.fewest, m)) asked.push_back(next.row);
      if (!asked.empty()) add_changes(relaxed, asked);
      std::erase_if(open, [&](const Open& next) { return !is_open(next.row) || has_changes_hint(next.row); });
    }
  }

  // A search would find the answer again with max-changes set to the answer's number of changes. A solver
  // that moves all features might not, so its hint names the limit under which it found the answer.
  void add_changes(const Relaxed& relaxed, std::span<const std::size_t> rows) {
    const auto allowed = static_cast<std::size_t>(relaxed.options.max_changes);
    for (const auto& [row, e] : tried(relaxed, rows)) {
      const bool by_limit = moves_all(query_.options) && e.changes.size() < allowed;
      add(row,
          {.kind = Hint::Kind::changes,
           .value = static_cast<double>(by_limit ? allowed : e.changes.size()),
           .l2 = e.l2,
           .distance = e.distance,
           .text = "possible with " + counted(e.changes.size(), "change") +
                   (by_limit ? " (found where " + std::to_string(allowed) + " are allowed)" : "")},
          "at most " + counted(static_cast<std::size_t>(query_.options.max_changes), "change"));
    }
  }

  // For rows that lifting one limit does not help: lifts all of the question's, the schema's, or both.
  void name_several(std::vector<std::size_t> rows) {
    for (const Whose whose : {Whose::question_limits, Whose::whole_question, Whose::schema, Whose::both}) {
      if (rows.empty() || solve_.late()) return;
      for (const auto& [row, e] : tried(solve_.without_any(whose), rows)) {
        const bool asked = whose == Whose::question_limits || whose == Whose::whole_question;
        for (std::string& text :
             asked ? together_texts(query_, solve_, row, e) : schema_texts(query_, whose, e))
          best(row).reasons.push_back(std::move(text));
        std::erase(rows, row);
      }
      std::erase_if(rows, [&](std::size_t row) { return !is_open(row); });
    }
    if (solve_.late()) return;
    const auto changes = static_cast<std::size_t>(solve_.more_changes().options.max_changes);
    for (const std::size_t row : rows)
      best(row).reasons.push_back("even with " + counted(changes, "change") +
                                  " and every limit but the ranges lifted none was found");
  }

  bool has_changes_hint(std::size_t row) const {
    return std::ranges::find(best(row).hints, Hint::Kind::changes, &Hint::kind) != best(row).hints.end();
  }
  bool is_open(std::size_t row) const { return std::ranges::find(open_, row) != open_.end(); }
  Explanation& best(std::size_t row) const {
    return query_.options.path ? lists_[row].back() : lists_[row].front();
  }
  void add(std::size_t row, Hint hint, std::string limit) {
    best(row).hints.push_back(std::move(hint));
    best(row).blocking.push_back(std::move(limit));
  }

  const Query& query_;
  const TableRows& rows_;
  std::span<std::vector<Explanation>> lists_;
  RelaxedSolver solve_;
  std::vector<std::size_t> open_;
};

}  // namespace

void add_hints(const Query& query, const TableRows& rows, std::span<std::vector<Explanation>> lists) {
  const Options& asked = query.options;
  if (!asked.hints || asked.sparsity != SparsityKind::top_m || !find_method(asked.method).ours) return;
  Hints hints(query, rows, lists);
  if (hints.none()) return;
  hints.lower_the_floor();
  hints.allow_more_changes();
  hints.ask_for_less();
  hints.lift_limits_of_features();
  hints.lift_rules();
  hints.allow_many_changes();
  hints.name_the_cheapest();
}

}  // namespace scfe
