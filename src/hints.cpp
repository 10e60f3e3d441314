#include "hints.h"

#include <algorithm>
#include <cmath>

#include "support/text.h"

namespace scfe {
namespace {

constexpr int further_changes = 3;
constexpr std::size_t named = 3;  // in the reason

std::string percent(double share) { return number(std::floor(1000 * share + 1e-9) / 10) + " %"; }

// The rows that wait for a hint, solved again under a relaxed wish.
class Relaxations {
 public:
  Relaxations(const HintJob& job, std::span<std::vector<Explanation>> lists) : job_(job), lists_(lists) {
    plain_ = job.options;
    plain_.hints = plain_.path = false;
    plain_.answers = 1;
    for (const std::size_t row : job.rows.index) {
      const Status status = lists[row].front().status;
      if (status == Status::not_found || status == Status::below_floor) open_.push_back(row);
    }
  }
  bool none() const { return open_.empty(); }

  void lower_the_floor() {
    for (const std::size_t row : open_) {
      const Explanation& e = lists_[row].front();
      if (e.status != Status::below_floor) continue;
      // A share that is written with one decimal and that this answer itself meets.
      double share = std::floor(1000 * e.quantile) / 1000;
      while (share > 0 && floor_at(job_.setting.density, share) > e.log_density) share -= 0.001;
      share = std::max(share, 0.0);
      add(row, {Hint::Kind::plausible, share, e.l2,
                share > 0 ? "possible at plausibility " + percent(share)
                          : "possible without a plausibility floor"});
    }
  }

  void allow_more_changes() {
    Options o = plain_;
    const auto features = static_cast<int>(job_.setting.features.size());
    o.max_changes = std::min(o.max_changes + further_changes, features);
    o.fewest_first = true;
    if (o.max_changes == plain_.max_changes) return;
    const std::vector<std::vector<Explanation>> answers = solve(job_.setting, o);
    for (const std::size_t row : open_) {
      const Explanation& e = answers[row].front();
      if (e.status == Status::valid)
        add(row, {Hint::Kind::changes, static_cast<double>(e.changes.size()), e.l2,
                  "possible with " + std::to_string(e.changes.size()) + " changes"});
    }
  }

  void free_features() {
    std::vector<Feature> features(job_.setting.features.begin(), job_.setting.features.end());
    for (std::size_t f = 0; f < features.size(); ++f) {
      const Feature limited = features[f];
      if (!limited.immutable && limited.direction == Direction::any && limited.transitions.empty()) continue;
      features[f].immutable = false;
      features[f].direction = Direction::any;
      features[f].transitions.clear();
      Setting setting = job_.setting;
      setting.features = features;
      const std::vector<std::vector<Explanation>> answers = solve(setting, plain_);
      features[f] = limited;
      const std::string may = limited.immutable                     ? " may change"
                              : limited.direction != Direction::any ? " may go both ways"
                                                                    : " may take any level";
      for (const std::size_t row : open_)
        if (answers[row].front().status == Status::valid)
          add(row, {Hint::Kind::feature, static_cast<double>(f), answers[row].front().l2,
                    "possible if " + limited.name + may});
    }
  }

  void name_the_cheapest() {
    for (const std::size_t row : open_) {
      Explanation& e = lists_[row].front();
      std::stable_sort(e.hints.begin(), e.hints.end(),
                       [](const Hint& a, const Hint& b) { return a.l2 < b.l2; });
      for (std::size_t i = 0; i < std::min(named, e.hints.size()); ++i) e.reason += "; " + e.hints[i].text;
      if (e.hints.empty() && e.status == Status::not_found)
        e.reason += "; lifting no single limit was found to help";
    }
  }

 private:
  void add(std::size_t row, Hint hint) { lists_[row].front().hints.push_back(std::move(hint)); }

  std::vector<std::vector<Explanation>> solve(const Setting& setting, const Options& o) const {
    std::vector<std::vector<Explanation>> answers(job_.rows.factuals.rows);
    explain_rows(setting, o, {job_.rows.factuals, open_, job_.rows.target, job_.rows.limits}, job_.deadline,
                 job_.pool, answers);
    return answers;
  }

  const HintJob& job_;
  std::span<std::vector<Explanation>> lists_;
  Options plain_;
  std::vector<std::size_t> open_;
};

}  // namespace

void add_hints(const HintJob& job, std::span<std::vector<Explanation>> lists) {
  Relaxations relaxations(job, lists);
  if (relaxations.none()) return;
  relaxations.lower_the_floor();
  relaxations.allow_more_changes();
  relaxations.free_features();
  relaxations.name_the_cheapest();
}

}  // namespace scfe
