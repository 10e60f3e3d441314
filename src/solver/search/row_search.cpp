#include "solver/search/row_search.h"

#include <algorithm>
#include <cmath>

namespace scfe {

RowSearch::RowSearch(Lanes& lanes, const SearchOptions& options)
    : lanes_(lanes),
      query_(lanes.terms().query()),
      space_(query_.fitted.space),
      writing_(query_.fitted.writing),
      options_(options),
      max_changes_(static_cast<std::size_t>(options.max_changes)),
      qp_(max_changes_, Validity::max_rivals + Polish::max_cuts, space_.proximity()),
      factual_(query_, max_changes_),
      lattice_(lanes, goal_, answer_) {
  goal_.weight = space_.weight();
  goal_.proximity = space_.proximity();
}

Task RowSearch::run(const Row& row, std::span<const Start> starts, Found& found) {
  row_ = &row;
  lattice_.begin(row);
  gradients_ = 0;
  warm_states_.clear();
  goal_.margin = row.required;
  goal_.floor = row.floor.value_or(0);
  goal_.with_floor = row.floor.has_value();
  heed_density(!wants_closest());

  co_await look_at_factual();
  begin();
  if (!std::isfinite(factual_.margin[0]) || !std::isfinite(factual_.log_density))
    co_return report(Status::not_finite, found);
  if (wants_closest() && goal_.wins(factual_)) co_return report(Status::already, found);

  if (wants_closest())
    co_await explore(starts);
  else
    co_await explore_most_plausible(starts);
  if (!answer_.holds())
    co_return report(lanes_.out_of_time() ? Status::time_limit : Status::not_found, found);
  report(Status::valid, found);
}

void RowSearch::heed_density(bool heed) {
  // So little that no distance within the limits outweighs a tenth of a nat, but enough to decide a tie.
  constexpr double barely = 1e-3;
  goal_.tau = heed ? 1 : 0;
  goal_.nearness = heed ? barely : 1;
}

// The factual as the model reads it. What it lacks becomes the unit of every later violation of the margin.
Task RowSearch::look_at_factual() {
  factual_.written = &row_->values;
  asked_.assign({&factual_});
  co_await evaluate_asked();
  factual_.written = nullptr;
  const double slope = length(factual_.gradient_of(0), space_.columns());
  goal_.margin_scale = std::max(goal_.margin - factual_.margin[0], 0.1 * slope + 1e-6);
  answer_.set(row_->values, Goal::unknown, factual_.margin[0], factual_.log_density);
}

// Far from the data the density term dominates and hides validity. Then any valid answer is searched for
// first, and a more plausible one near it.
Task RowSearch::explore_most_plausible(std::span<const Start> starts) {
  co_await explore(starts);
  if (answer_.holds() || lanes_.out_of_time()) co_return;
  heed_density(false);
  co_await explore(starts);
  if (!answer_.holds()) co_return;
  heed_density(true);
  co_await improve();
}

void RowSearch::report(Status status, Found& found) const {
  const bool answered = status == Status::valid || status == Status::below_floor || status == Status::already;
  found.status = status;
  found.values = answered ? answer_.values : row_->values;
  found.support = support_of(found.values);
  describe_nearest(found);
  if (answered) {
    found.margin = answer_.margin;
    found.log_density = answer_.log_density;
  }
  found.beam = warm_states_;
  found.gradients = gradients_;
  found.timed_out = lanes_.out_of_time();
}

const WarmStart* RowSearch::warm_start() const {
  const WarmStart* warm = row_->warm_start.get();
  return warm != nullptr && !warm->beam.empty() && wants_closest() ? warm : nullptr;
}

std::vector<int> RowSearch::support_of(const std::vector<double>& values) const {
  return space_.changed(row_->values, values);
}

void RowSearch::make_room_for_links() {
  if (row_->links != nullptr)
    qp_.make_room(Validity::max_rivals + Polish::max_cuts + 2 * row_->links->links().size());
}

bool RowSearch::ask_trials(std::size_t count) {
  asked_.clear();
  for (std::size_t i = 0; i < count; ++i)
    if (polishes_[i].active()) asked_.push_back(&polishes_[i].trial());
  return !asked_.empty();
}

void RowSearch::digest_trials(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (polishes_[i].active()) polishes_[i].digest(qp_);
}

}  // namespace scfe
