#include "cli/audit.h"

#include <algorithm>
#include <random>

#include "cli/text_table.h"
#include "data/number.h"
#include "report/html_text.h"
#include "report/style.h"
#include "support/text.h"

namespace scfe::cli {
namespace {

constexpr std::size_t resamples = 1000, most_values = 10, quartiles = 4;
constexpr std::size_t fewest_rows = 5;  // whose resampled means say anything of other rows
using Groups = std::vector<std::pair<std::string, AuditGroup>>;

std::string with_interval(const Interval& i, bool share) {
  const auto text = [&](double value) { return share ? percent(value) : short_number(value); };
  return text(i.mean) + (i.known ? " [" + text(i.lo) + ", " + text(i.hi) + "]" : " (few rows)");
}

std::string cell(const std::vector<double>& values, bool share) {
  return values.empty() ? "-" : with_interval(bootstrap(values), share);
}

const std::vector<std::string> headings = {"rows",    "refused", "answered",    "distance l2",
                                           "changes", "typical", "most changed"};

std::vector<std::string> cells_of(const AuditGroup& g) {
  return {std::to_string(g.rows), std::to_string(g.refused), cell(g.found, true), cell(g.l2, false),
          cell(g.changes, false), cell(g.quantile, true),    g.most_changed(3)};
}

// A value belongs to the quartile in which its first row lies; equal values are never torn apart.
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

Interval bootstrap(const std::vector<double>& values) {
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

void AuditGroup::add(const Schema& schema, const Answer& answer) {
  const Explanation& e = answer.explanation;
  if (e.predicted < 0) return;  // a cell is missing: whether it is refused nobody knows
  ++rows;
  if (e.predicted == e.target) return;
  ++refused;
  const bool answered = e.status == Status::valid;
  found.push_back(answered ? 1 : 0);
  if (!answered) return;
  l2.push_back(e.l2);
  changes.push_back(static_cast<double>(answer.changed.size()));
  quantile.push_back(e.quantile);
  for (const std::size_t column : answer.changed) ++changed[schema.columns[column].feature.name];
}

void AuditGroup::add(const AuditGroup& other) {
  rows += other.rows;
  refused += other.refused;
  for (auto member : {&AuditGroup::found, &AuditGroup::l2, &AuditGroup::changes, &AuditGroup::quantile})
    (this->*member).insert((this->*member).end(), (other.*member).begin(), (other.*member).end());
  for (const auto& [name, count] : other.changed) changed[name] += count;
}

namespace {

// Numbers by size, many of them in quartiles.
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

std::string AuditGroup::most_changed(std::size_t most) const {
  std::vector<std::pair<std::size_t, std::string>> order;
  for (const auto& [name, count] : changed) order.emplace_back(count, name);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (std::size_t i = 0; i < std::min(most, order.size()); ++i)
    text += (i > 0 ? ", " : "") + order[i].second + " " +
            percent(static_cast<double>(order[i].first) / static_cast<double>(l2.size()));
  return text.empty() ? "-" : text;
}

std::string audit_table(const Audit& audit) {
  std::vector<Align> align(headings.size() + 1, Align::right);
  align.front() = align.back() = Align::left;
  TextTable table(align);
  std::vector<std::string> head = headings;
  head.insert(head.begin(), audit.by);
  table.add(head);
  for (const auto& [name, group] : audit.groups) {
    std::vector<std::string> cells = cells_of(group);
    cells.insert(cells.begin(), name);
    table.add(cells);
  }
  return table.text();
}

std::string audit_csv(const Audit& audit) {
  std::string text;
  std::vector<std::string> head = {audit.by, "rows", "refused"};
  for (const char* what : {"answered", "l2", "changes", "quantile"})
    for (const char* part : {"", "_lo", "_hi"}) head.push_back(std::string(what) + part);
  head.emplace_back("most_changed");
  append_csv_row(text, head);
  for (const auto& [name, group] : audit.groups) {
    std::vector<std::string> cells = {name, std::to_string(group.rows), std::to_string(group.refused)};
    for (const auto* values : {&group.found, &group.l2, &group.changes, &group.quantile}) {
      const Interval i = values->empty() ? Interval{} : bootstrap(*values);
      cells.push_back(values->empty() ? "" : number_text(i.mean));
      for (const double value : {i.lo, i.hi}) cells.push_back(i.known ? number_text(value) : "");
    }
    cells.push_back(group.most_changed(3));
    append_csv_row(text, cells);
  }
  return text;
}

std::string audit_page(const Question& question, const Audit& audit) {
  const Options& o = question.options;
  const std::string title = "Recourse by " + escaped(audit.by);
  std::string rows = tag("th", "", escaped(audit.by));
  for (const std::string& heading : headings) rows += tag("th", "", escaped(heading));
  rows = tag("tr", "", rows);
  for (const auto& [name, group] : audit.groups) {
    std::string line = tag("td", "to", escaped(name));
    for (const std::string& text : cells_of(group)) line += tag("td", "", escaped(text));
    rows += tag("tr", "", line) + "\n";
  }
  const std::string note =
      "Refused: rows that the model does not put into the wished class. Answered: those of them with a "
      "counterfactual within every limit (at most " +
      counted(static_cast<std::size_t>(o.max_changes), "change") +
      (o.plausible > 0 ? ", at least as typical as " + percent(o.plausible) + " of the class" : "") +
      "). Mean over the answered rows, with the middle 95 % of " + std::to_string(resamples) +
      " bootstrap samples in brackets; fewer than " + std::to_string(fewest_rows) +
      " rows have no interval. A difference between groups is worth a look where intervals do not "
      "meet; "
      "it does not say why.";
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" + tag("title", "", title) +
         tag("style", "", style) + "</head>\n<body>\n<main style=\"max-width:1100px\">\n" +
         tag("h1", "", title) + "\n" + tag("p", "soft", escaped(note)) + "\n" + tag("table", "", rows) +
         "</main>\n</body>\n</html>\n";
}

}  // namespace scfe::cli
