#include "ask/audit.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "ask/batches.h"
#include "ask/grouping.h"
#include "scfe/error.h"
#include "scfe/text.h"
#include "text/csv_line.h"
#include "text/text_table.h"

namespace scfe::app {
namespace {

constexpr std::size_t resamples = 1000, most_values = 10, quartiles = 4;
constexpr std::size_t fewest_rows =
    5;  // fewer are too few to be resampled; shares have an interval of any number
constexpr std::size_t most_features = 5;  // named in tables
using Groups = std::vector<std::pair<std::string, AuditGroup>>;

std::string with_interval(const Interval& i, bool share) {
  const auto text = [&](double value) { return share ? percent(value) : short_number(value); };
  return text(i.mean) + (i.known ? " [" + text(i.lo) + ", " + text(i.hi) + "]" : " (few rows)");
}

std::string cell(const std::vector<double>& values, bool share) {
  return values.empty() ? "-" : with_interval(mean_of(values), share);
}

// A value belongs to the quartile of its first row, so that equal values stay together.
Groups in_quartiles(const Groups& values) {
  std::size_t all = 0, before = 0;
  for (const auto& [name, group] : values) all += group.rows;
  std::vector<Groups> parts(quartiles);
  for (const auto& value : values) {
    parts[before * quartiles / all].push_back(value);
    before += value.second.rows;
  }
  Groups merged;
  for (const Groups& part : parts) {
    if (part.empty()) continue;
    const std::string &low = part.front().first, &high = part.back().first;
    AuditGroup& sum = merged.emplace_back(low == high ? low : low + " to " + high, AuditGroup{}).second;
    for (const auto& [name, group] : part) sum.add(group);
  }
  return merged;
}

}  // namespace

Interval mean_of(const std::vector<double>& values) {
  Interval interval;
  const auto n = static_cast<double>(values.size());
  for (const double value : values) interval.mean += value;
  interval.mean /= n;
  interval.known = values.size() >= fewest_rows;
  std::mt19937_64 random(1);
  std::vector<double> means;
  for (std::size_t r = 0; r < resamples; ++r) {
    double mean = 0;
    for (std::size_t i = 0; i < values.size(); ++i) mean += values[random() % values.size()];
    means.push_back(mean / n);
  }
  std::sort(means.begin(), means.end());
  interval.lo = means[resamples / 40];
  interval.hi = means[resamples - 1 - resamples / 40];
  return interval;
}

// (p + z²/2n ± z sqrt(p (1 - p) / n + z²/4n²)) / (1 + z²/n), z = 1.96
Interval share_of(std::size_t count, std::size_t rows) {
  constexpr double z = 1.959963984540054;
  const auto n = static_cast<double>(rows);
  Interval interval;
  interval.mean = static_cast<double>(count) / n;
  interval.known = rows > 0;
  const double p = interval.mean, middle = p + z * z / (2 * n);
  const double reach = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  interval.lo = std::clamp((middle - reach) / (1 + z * z / n), 0.0, p);
  interval.hi = std::clamp((middle + reach) / (1 + z * z / n), p, 1.0);
  return interval;
}

void AuditGroup::add(const Schema& schema, const Answer& answer) {
  const Explanation& e = answer.explanation;
  if (e.predicted < 0) return;  // a cell is missing: the class is unknown
  ++rows;
  if (e.predicted == e.target) return;
  ++refused;
  if (!e.found()) return;  // as explain counts
  ++answered;
  metric = e.metric;
  distance.push_back(e.distance);
  changes.push_back(static_cast<double>(answer.changed.size()));
  quantile.push_back(e.quantile);
  for (const std::size_t column : answer.changed) ++changed[schema.columns[column].feature.name];
}

void AuditGroup::add(const AuditGroup& other) {
  rows += other.rows;
  refused += other.refused;
  answered += other.answered;
  if (!other.distance.empty()) metric = other.metric;
  for (auto member : {&AuditGroup::distance, &AuditGroup::changes, &AuditGroup::quantile})
    (this->*member).insert((this->*member).end(), (other.*member).begin(), (other.*member).end());
  for (const auto& [name, count] : other.changed) changed[name] += count;
}

namespace {

// Sorts groups of numbers by size, and groups many of them by quartiles.
void sort_groups(Audit& audit) {
  const auto number_in = [](const auto& group) { return parse_number(group.first); };
  if (!std::ranges::all_of(audit.groups, [&](const auto& group) { return number_in(group).has_value(); }))
    return;
  std::ranges::stable_sort(audit.groups, {}, number_in);
  if (audit.groups.size() <= most_values) return;
  audit.groups = in_quartiles(audit.groups);
  audit.by += " (quartiles)";
}

}  // namespace

Audit audit_of(const std::string& column, const std::map<std::string, AuditGroup>& by_value) {
  Audit audit{column, {by_value.begin(), by_value.end()}};
  std::erase_if(audit.groups, [](const auto& group) { return group.second.rows == 0; });
  std::vector<std::pair<std::string, AuditGroup>> last;  // rows whose cell is missing
  const auto missing =
      std::ranges::find(audit.groups, missing_group, [](const auto& group) { return group.first; });
  if (missing != audit.groups.end()) {
    last.push_back(std::move(*missing));
    audit.groups.erase(missing);
  }
  sort_groups(audit);
  for (auto& group : last) audit.groups.push_back(std::move(group));
  return audit;
}

Audit audit_rows(const Question& question, const NextRows& next, const std::stop_token& stop) {
  const Encoder& encoder = question.bundle.encoder;
  Batches answered(question, false, stop);
  std::map<std::string, AuditGroup> groups;
  std::size_t dropped = 0;
  std::string source;
  for (Table rows; !answered.stopped() && next(rows, answered.rows()); source = rows.source)
    for (const Answer& answer : answered(rows, encoder.encode(rows))) {
      dropped += answer.explanation.predicted < 0 ? 1 : 0;
      groups[answer.group].add(encoder.schema(), answer);
    }
  if (dropped > 0 && !answered.stopped())
    question.warn({source + ": " + counted(dropped, "row") + " with missing cells left out (policy: drop)"});
  return audit_of(question.by, groups);
}

Interval AuditGroup::changed_share(const std::string& feature) const {
  const auto found = changed.find(feature);
  return share_of(found == changed.end() ? 0 : found->second, answered);
}

std::vector<std::pair<std::string, Interval>> AuditGroup::changed_shares() const {
  std::vector<std::pair<std::string, Interval>> shares;
  for (const auto& [name, count] : changed) shares.emplace_back(name, changed_share(name));
  std::ranges::stable_sort(shares,
                           [](const auto& a, const auto& b) { return a.second.mean > b.second.mean; });
  return shares;
}

namespace {

// The class that people wish for, or the range of a regression.
std::string wanted_class(const Question& question) {
  return question.options.reach.empty()
             ? class_name(question.bundle.encoder.schema(), question.options.target.number())
             : "in " + question.options.reach;
}

std::string metric_name(const Audit& audit) {
  for (const auto& [name, group] : audit.groups)
    if (!group.distance.empty()) return std::string(name_of(group.metric));
  return "l2";
}

}  // namespace

AuditCells cost_cells(const Question& question, const Audit& audit) {
  AuditCells lines = {{audit.by, "rows", "not " + wanted_class(question), "have an answer",
                       "features changed", "distance (" + metric_name(audit) + ")", "as typical as"}};
  for (const auto& [name, g] : audit.groups)
    lines.push_back({name, std::to_string(g.rows), std::to_string(g.refused),
                     g.refused == 0 ? "-" : with_interval(g.answered_share(), true), cell(g.changes, false),
                     cell(g.distance, false), cell(g.quantile, true)});
  return lines;
}

AuditCells changed_cells(const Audit& audit) {
  AuditCells lines = {{audit.by, "changed most", "share of answers"}};
  for (const auto& [name, g] : audit.groups) {
    const auto shares = g.changed_shares();
    for (std::size_t i = 0; i < std::min(most_features, shares.size()); ++i)
      lines.push_back({i == 0 ? name : "", shares[i].first, with_interval(shares[i].second, true)});
  }
  return lines;
}

std::string audit_note(const Question& question) {
  const Options& o = question.options;
  const bool below = o.plausible > 0 && o.below_floor != BelowFloor::none;
  return "Only rows that the model does not call " + wanted_class(question) +
         " need an answer; it may change at most " +
         counted(static_cast<std::size_t>(o.max_changes), "feature") + "." +
         (below ? " Answers less typical than " + percent(o.plausible) +
                      " of the class count too, as in explain (--below-floor none leaves them out)."
                : "") +
         " Figures are means over the answers of a group; 95 % intervals come from " +
         std::to_string(resamples) + " resamples of the rows, which take at least " +
         std::to_string(fewest_rows) +
         " rows, and those of shares from Wilson's formula. Where the intervals of two groups do not "
         "overlap, "
         "the groups differ; where they overlap, that does not show that they are alike. The more groups are "
         "compared, the more of them differ by chance, and no difference says why.";
}

std::string audit_table(const Question& question, const Audit& audit) {
  TextTable costs(
      {Align::left, Align::right, Align::right, Align::right, Align::right, Align::right, Align::right});
  for (const auto& line : cost_cells(question, audit)) costs.add(line);
  TextTable changes({Align::left, Align::left, Align::right});
  const AuditCells most = changed_cells(audit);
  for (const auto& line : most) changes.add(line);
  return costs.text() + (most.size() > 1 ? "\n" + changes.text() : "");
}

namespace {

// Features that some group changes, the most frequent first.
std::vector<std::string> changed_features(const Audit& audit) {
  AuditGroup all;
  for (const auto& [name, group] : audit.groups) all.add(group);
  std::vector<std::string> names;
  for (const auto& [name, share] : all.changed_shares()) names.push_back(name);
  return names;
}

void add_interval(std::vector<std::string>& cells, const Interval& i, bool any) {
  cells.push_back(any ? number_text(i.mean) : "");
  for (const double value : {i.lo, i.hi}) cells.push_back(i.known ? number_text(value) : "");
}

}  // namespace

std::string audit_csv(const Audit& audit, bool spreadsheet_safe) {
  const std::vector<std::string> features = changed_features(audit);
  std::vector<std::string> head = {audit.by, "rows", "refused"},
                           means = {"answered", metric_name(audit), "changes", "quantile"};
  for (const std::string& feature : features) means.push_back("changed_" + feature);
  for (const std::string& what : means)
    for (const char* part : {"", "_lo", "_hi"}) head.push_back(what + part);
  std::string text = csv_line(head, spreadsheet_safe);
  for (const auto& [name, group] : audit.groups) {
    std::vector<std::string> cells = {name, std::to_string(group.rows), std::to_string(group.refused)};
    add_interval(cells, group.refused == 0 ? Interval{} : group.answered_share(), group.refused > 0);
    for (const auto* values : {&group.distance, &group.changes, &group.quantile})
      add_interval(cells, values->empty() ? Interval{} : mean_of(*values), !values->empty());
    for (const std::string& feature : features)
      add_interval(cells, group.distance.empty() ? Interval{} : group.changed_share(feature),
                   !group.distance.empty());
    text += csv_line(cells, spreadsheet_safe);
  }
  return text;
}

}  // namespace scfe::app
