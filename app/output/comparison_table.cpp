#include "output/comparison_table.h"

#include <cmath>

#include "scfe/error.h"
#include "scfe/text.h"
#include "text/csv_line.h"
#include "text/text_table.h"

namespace scfe::app {
namespace {

struct Measure {
  std::string key, heading, latex;
  Summary Report::*summary;
  double scale = 1;
};

std::vector<Measure> measures_of(const Comparison& comparison) {
  const std::string lof = std::to_string(comparison.options.lof_neighbours) + ", " +
                          std::string(name_of(comparison.options.lof_metric));
  const std::string gmm = comparison.mixed ? "mixture" : "GMM";
  std::vector<Measure> measures = {{"l2", "l2", "$\\ell_2$", &Report::l2},
                                   {"l1", "l1", "$\\ell_1$", &Report::l1},
                                   {"l0", "l0", "$\\ell_0$", &Report::l0},
                                   {"lof", "LOF(" + lof + ")", "LOF(" + lof + ")", &Report::lof},
                                   {"kde", "KDE", "KDE", &Report::log_kde},
                                   {"gmm", gmm, gmm, &Report::log_gmm},
                                   {"nearest", "nearest", "nearest", &Report::nearest},
                                   {"ms", "ms/row", "ms/row", &Report::seconds, 1000}};
  const Distance asked = comparison.options.distance;
  if (!is_squared(asked)) {
    const std::string name = "distance (" + std::string(name_of(asked)) + ")";
    measures.insert(measures.begin(), {"distance", name, name, &Report::distance});
  }
  return measures;
}

std::string mean_and_deviation(const Summary& summary, double scale) {
  if (summary.count == 0) return "-";
  return three_digits(scale * summary.mean) + " (" + three_digits(scale * summary.deviation) + ")";
}

std::string floor_count(const Report& report) {
  return report.below_floor ? std::to_string(*report.below_floor) : "-";
}

using Cells = std::vector<std::vector<std::string>>;

// The headings and the rows as people read them.
Cells cells_of(const Comparison& comparison, bool latex) {
  const std::vector<Measure> measures = measures_of(comparison);
  Cells cells = {{"method", latex ? "valid, \\%" : "valid", "below floor"}};
  for (const Measure& m : measures) cells[0].push_back(latex ? m.latex : m.heading);
  for (const ComparedRow& row : comparison.rows) {
    std::vector<std::string>& line = cells.emplace_back();
    line = {row.name, row.reason.empty() ? percent(row.report.validity) : "-", floor_count(row.report)};
    if (latex && line[1].ends_with(" %")) line[1].erase(line[1].size() - 2);
    for (const Measure& m : measures) line.push_back(mean_and_deviation(row.report.*m.summary, m.scale));
  }
  return cells;
}

// What the numbers mean, then methods that do not apply, then the command and seed of every row.
std::vector<std::string> notes_of(const Comparison& comparison) {
  std::vector<std::string> notes = {
      counted(comparison.names.size(), "row") + "; mean (standard deviation) over the valid answers.",
      "Distances are in the work space (" + std::string(name_of(comparison.options.space)) + "); " +
          "LOF(k, metric), KDE, " + (comparison.mixed ? "mixture" : "GMM") +
          " (log-densities) and nearest (l2 to the nearest real row) refer to the training rows of the "
          "target "
          "class that the model classifies correctly."};
  if (comparison.options.plausible > 0)
    notes.push_back("Below floor: valid answers that are less typical than " +
                    percent(comparison.options.plausible) + " of the class's own rows.");
  notes.push_back("ms/row: wall-clock time of batches of " + std::to_string(compare_batch) +
                  " rows divided by their rows; its deviation is between batches.");
  for (const ComparedRow& row : comparison.rows) {
    if (row.left_out > 0)
      notes.push_back(row.name + ": " + counted(row.left_out, "row") +
                      " left out (in the target class already, or with missing cells).");
    if (!row.reason.empty()) notes.push_back(row.name + " does not apply: " + row.reason);
  }
  return notes;
}

std::vector<std::string> commands_of(const Comparison& comparison) {
  std::vector<std::string> lines;
  for (const ComparedRow& row : comparison.rows)
    lines.push_back(row.name + " (seed " + std::to_string(row.seed) + "): " + row.command);
  return lines;
}

std::string as_text(const Comparison& comparison) {
  std::vector<Align> align(3 + measures_of(comparison).size(), Align::right);
  align[0] = Align::left;
  TextTable table(align);
  for (std::vector<std::string>& line : cells_of(comparison, false)) table.add(std::move(line));
  std::string text = table.text() + "\n";
  for (const std::string& note : notes_of(comparison)) text += note + "\n";
  text += "\n";
  for (const std::string& line : commands_of(comparison)) text += line + "\n";
  return text;
}

std::string as_markdown(const Comparison& comparison) {
  std::string text;
  bool head = true;
  for (const std::vector<std::string>& line : cells_of(comparison, false)) {
    for (const std::string& cell : line) {
      text += "| ";
      for (const char c : cell) text += c == '|' ? std::string("\\|") : std::string(1, c);
      text += " ";
    }
    text += "|\n";
    if (std::exchange(head, false)) {
      text += "| --- |";
      for (std::size_t i = 1; i < line.size(); ++i) text += " ---: |";
      text += "\n";
    }
  }
  text += "\n";
  for (const std::string& note : notes_of(comparison)) text += note + "\n";
  text += "\n```\n";
  for (const std::string& line : commands_of(comparison)) text += line + "\n";
  return text + "```\n";
}

std::string latex_text(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\')
      escaped += "\\textbackslash{}";
    else if (c == '~' || c == '^')
      escaped += std::string("\\") + c + "{}";
    else
      escaped += std::string_view("&%$#_{}").find(c) != std::string_view::npos ? std::string("\\") + c
                                                                               : std::string(1, c);
  }
  return escaped;
}

std::string as_latex(const Comparison& comparison) {
  const Cells cells = cells_of(comparison, true);
  std::string text = "% \\usepackage{booktabs}\n\\begin{tabular}{l" + std::string(cells[0].size() - 1, 'r') +
                     "}\n\\toprule\n";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    for (std::size_t j = 0; j < cells[i].size(); ++j)
      text += (j > 0 ? " & " : "") + (i > 0 && j == 0 ? latex_text(cells[i][j]) : cells[i][j]);
    text += i == 0 ? " \\\\\n\\midrule\n" : " \\\\\n";
  }
  text += "\\bottomrule\n\\end{tabular}\n";
  for (const std::string& note : notes_of(comparison)) text += "% " + note + "\n";
  for (const std::string& line : commands_of(comparison)) text += "% " + line + "\n";
  return text;
}

std::string exact(double value) { return std::isfinite(value) ? number_text(value) : ""; }

// All digits, one column a number, so that other programs can go on with it.
std::string as_csv(const Comparison& comparison) {
  const std::vector<Measure> measures = measures_of(comparison);
  std::vector<std::string> head = {"method", "rows", "valid", "below_floor"};
  for (const Measure& m : measures) head.insert(head.end(), {m.key + "_mean", m.key + "_std"});
  head.insert(head.end(), {"lof_neighbours", "lof_metric", "seed", "command", "note"});
  std::string text = csv_line(head, false);
  for (const ComparedRow& row : comparison.rows) {
    const Report& report = row.report;
    std::vector<std::string> line = {row.name, std::to_string(report.answers),
                                     std::to_string(report.answers - report.failures),
                                     report.below_floor ? std::to_string(*report.below_floor) : ""};
    for (const Measure& m : measures) {
      const Summary& summary = report.*m.summary;
      line.insert(line.end(), {exact(m.scale * summary.mean), exact(m.scale * summary.deviation)});
    }
    line.insert(line.end(), {std::to_string(comparison.options.lof_neighbours),
                             std::string(name_of(comparison.options.lof_metric)), std::to_string(row.seed),
                             row.command, row.reason});
    text += csv_line(line, false);
  }
  return text;
}

}  // namespace

TableFormat table_format_of(const std::string& path) {
  for (const auto& [ending, format] : {std::pair<std::string_view, TableFormat>{".txt", TableFormat::text},
                                       {".csv", TableFormat::csv},
                                       {".md", TableFormat::markdown},
                                       {".tex", TableFormat::latex},
                                       {".svg", TableFormat::picture}})
    if (path.ends_with(ending)) return format;
  throw Error("--output", "a name that ends in .txt, .csv, .md, .tex or .svg", "'" + path + "'");
}

std::string each_answer(const Comparison& comparison) {
  std::string text = csv_line({"method", "row", "valid", "below_floor", "l2", "l1", "l0", "lof", "kde", "gmm",
                               "quantile", "nearest", "ms"},
                              false);
  for (const ComparedRow& row : comparison.rows)
    for (const AnswerMetrics& m : row.answers) {
      std::vector<std::string> line = {row.name, comparison.names[m.row], m.valid ? "1" : "0",
                                       m.below_floor ? (*m.below_floor ? "1" : "0") : ""};
      const double unmeasured = AnswerMetrics::unmeasured;
      for (const double value : {m.valid ? m.change.l2 : unmeasured, m.valid ? m.change.l1 : unmeasured,
                                 m.valid ? static_cast<double>(m.change.l0) : unmeasured, m.lof, m.log_kde,
                                 m.log_gmm, m.quantile, m.nearest, 1000 * m.seconds})
        line.push_back(exact(value));
      text += csv_line(line, false);
    }
  return text;
}

Flag each_flag() {
  return {"each", "FILE.csv", "the measures of every answer, one a line", group::output, false, true};
}

std::string comparison_text(const Comparison& comparison, TableFormat format) {
  switch (format) {
    case TableFormat::csv:
      return as_csv(comparison);
    case TableFormat::markdown:
      return as_markdown(comparison);
    case TableFormat::latex:
      return as_latex(comparison);
    default:
      return as_text(comparison);
  }
}

}  // namespace scfe::app
