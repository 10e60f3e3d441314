#include "c_api/answers_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <span>

#include "output/further.h"

namespace scfe::app {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

const std::vector<std::string>& status_texts() {
  static const std::vector<std::string> texts = [] {
    std::vector<std::string> names;
    for (int s = 0; s <= static_cast<int>(Status::not_finite); ++s)
      names.emplace_back(status_name(static_cast<Status>(s)));
    return names;
  }();
  return texts;
}

const std::vector<std::string> proof_texts = {"none", "closest", "within_bound"};
const std::vector<std::string> stability_texts = {"none", "exact", "bounded", "sampled"};
const std::vector<std::string> hint_texts = {"plausible", "changes", "feature",     "upper",
                                             "lower",     "rule",    "probability", "robust"};

// The classes, then "unknown" for rows that were dropped.
std::vector<std::string> class_texts(const Question& question) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < question.bundle.explainer.classes(); ++c)
    names.push_back(class_name(question.bundle.encoder.schema(), static_cast<int>(c)));
  names.push_back(class_name(question.bundle.encoder.schema(), -1));
  return names;
}

// A column for each number, named as in the header.
struct NumberOf {
  const char* name;
  double (*value)(const Answer& answer);
};
constexpr std::array numbers_of = {
    NumberOf{"probability_before", [](const Answer& a) { return a.probability_before; }},
    NumberOf{"probability", [](const Answer& a) { return a.explanation.probability; }},
    NumberOf{"output_before", [](const Answer& a) { return a.output_before; }},
    NumberOf{"output", [](const Answer& a) { return a.explanation.output; }},
    NumberOf{"margin", [](const Answer& a) { return a.explanation.margin; }},
    NumberOf{"l2", [](const Answer& a) { return a.explanation.l2; }},
    NumberOf{"l1", [](const Answer& a) { return a.explanation.l1; }},
    NumberOf{"distance", [](const Answer& a) { return a.explanation.distance; }},
    NumberOf{"log_density", [](const Answer& a) { return a.explanation.log_density; }},
    NumberOf{"quantile", [](const Answer& a) { return a.explanation.quantile; }},
    NumberOf{"lower_bound", [](const Answer& a) { return a.explanation.lower_bound; }},
    NumberOf{"stable_margin", [](const Answer& a) { return a.explanation.stable_margin; }},
};

OutColumn empty_counterfactual(const Schema& schema) {
  std::vector<OutColumn> columns;
  for (const Column& column : schema.columns)
    columns.push_back(column.has_levels() ? OutColumn::choice(column.feature.name, column.feature.levels)
                                          : OutColumn::numbers(column.feature.name));
  return OutColumn::structs("counterfactual", std::move(columns));
}

void add_counterfactual(const Question& question, const Answer& answer, OutColumn& out) {
  const Encoder& encoder = question.bundle.encoder;
  const std::size_t features = encoder.schema().columns.size();
  const bool found = answer.explanation.found();
  const std::vector<double> values =
      found ? encoder.values(answer.explanation.counterfactual) : std::vector<double>{};
  for (std::size_t f = 0; f < features; ++f) {
    if (!found)
      out.child(f).add_missing();
    else if (encoder.schema().columns[f].has_levels())
      out.child(f).add_choice(static_cast<std::size_t>(values[f]));
    else
      out.child(f).add(values[f]);
  }
  out.end_struct(found);
}

void add_changes(const Question& question, const Answer& answer, OutColumn& out) {
  const Encoder& encoder = question.bundle.encoder;
  const Explanation& e = answer.explanation;
  if (!answer.changed.empty()) {
    const std::vector<double> from = encoder.values(answer.factual), to = encoder.values(e.counterfactual);
    for (const std::size_t f : answer.changed) {
      double room = unknown;
      for (const FeatureChange& change : e.changes)
        if (change.feature == f && has_room(question, e, change)) room = change.room;
      out.child(0).add_whole(static_cast<std::int64_t>(f));
      out.child(1).add(from[f]);
      out.child(2).add(to[f]);
      out.child(3).add(room);
      out.items().end_struct();
    }
  }
  out.end_list();
}

void add_filled(const Question& question, const Answer& answer, OutColumn& out) {
  if (!answer.filled.empty()) {
    const std::vector<double> values = question.bundle.encoder.values(answer.factual);
    for (const std::size_t f : answer.filled) {
      out.child(0).add_whole(static_cast<std::int64_t>(f));
      out.child(1).add(values[f]);
      out.items().end_struct();
    }
  }
  out.end_list();
}

void add_hints(const Explanation& e, OutColumn& out) {
  for (const Hint& hint : e.hints) {
    out.child(0).add_choice(static_cast<std::size_t>(hint.kind));
    out.child(1).add(hint.value);
    out.child(2).add(hint.l2);
    out.child(3).add(hint.distance);
    out.child(4).add(hint.reached);
    out.child(5).add_text(hint.text);
    out.items().end_struct();
  }
  out.end_list();
}

// One column of the table, and how an answer is added to it.
struct AnswerColumn {
  std::string name;
  OutColumn column;
  std::function<void(const AnswersPart& part, const Answer& answer, OutColumn& out)> add;
};

using Part = AnswersPart;
using Texts = std::span<const std::string>;

AnswerColumn choice(const std::string& name, Texts texts, std::function<std::size_t(const Answer&)> place) {
  return {
      name, OutColumn::choice(name, texts),
      [place = std::move(place)](const Part&, const Answer& a, OutColumn& out) { out.add_choice(place(a)); }};
}
AnswerColumn text(const std::string& name, std::string (*text_of)(const Answer&)) {
  return {name, OutColumn::texts(name),
          [text_of](const Part&, const Answer& a, OutColumn& out) { out.add_text(text_of(a)); }};
}
AnswerColumn flag(const std::string& name, bool Explanation::*member) {
  return {name, OutColumn::flags(name),
          [member](const Part&, const Answer& a, OutColumn& out) { out.add_flag(a.explanation.*member); }};
}

std::vector<AnswerColumn> all_columns(const Question& question) {
  const std::vector<std::string> classes = class_texts(question);
  const auto place_of = [unknown_class = classes.size() - 1](int target) {
    return target < 0 ? unknown_class : static_cast<std::size_t>(target);
  };
  std::vector<AnswerColumn> columns;
  columns.push_back({"row", OutColumn::whole("row"), [](const Part& part, const Answer& a, OutColumn& out) {
                       out.add_whole(static_cast<std::int64_t>(part.first_row + a.row));
                     }});
  columns.push_back(text("name", [](const Answer& a) { return a.name; }));
  columns.push_back({"answer", OutColumn::whole("answer"), [](const Part&, const Answer& a, OutColumn& out) {
                       out.add_whole(static_cast<std::int64_t>(a.rank));
                     }});
  const auto code = [](auto value) { return static_cast<std::size_t>(value); };
  const auto add_choice = [&](const char* name, Texts texts,
                              std::function<std::size_t(const Answer&)> place) {
    columns.push_back(choice(name, texts, std::move(place)));
  };
  add_choice("status", status_texts(), [=](const Answer& a) { return code(a.explanation.status); });
  add_choice("predicted", classes, [=](const Answer& a) { return place_of(a.explanation.predicted); });
  add_choice("target", classes, [=](const Answer& a) { return place_of(a.explanation.target); });
  add_choice("proof", proof_texts, [=](const Answer& a) { return code(a.explanation.proof); });
  add_choice("stability", stability_texts, [=](const Answer& a) { return code(a.explanation.stability); });
  columns.push_back(text("reason", [](const Answer& a) { return a.explanation.reason(); }));
  columns.push_back(text("certificate", [](const Answer& a) { return a.explanation.certificate; }));
  for (const NumberOf& number : numbers_of)
    columns.push_back(
        {number.name, OutColumn::numbers(number.name),
         [&number](const Part&, const Answer& a, OutColumn& out) { out.add(number.value(a)); }});
  columns.push_back(flag("timed_out", &Explanation::timed_out));
  columns.push_back(flag("knee", &Explanation::knee));
  columns.push_back(
      {"changes",
       OutColumn::lists("changes", {OutColumn::whole("feature"), OutColumn::numbers("from"),
                                    OutColumn::numbers("to"), OutColumn::numbers("room")}),
       [&question](const Part&, const Answer& a, OutColumn& out) { add_changes(question, a, out); }});
  columns.push_back(
      {"filled", OutColumn::lists("filled", {OutColumn::whole("feature"), OutColumn::numbers("value")}),
       [&question](const Part&, const Answer& a, OutColumn& out) { add_filled(question, a, out); }});
  columns.push_back(
      {"hints",
       OutColumn::lists("hints", {OutColumn::choice("kind", hint_texts), OutColumn::numbers("value"),
                                  OutColumn::numbers("l2"), OutColumn::numbers("distance"),
                                  OutColumn::numbers("reached"), OutColumn::texts("text")}),
       [](const Part&, const Answer& a, OutColumn& out) { add_hints(a.explanation, out); }});
  columns.push_back(
      {"counterfactual", empty_counterfactual(question.bundle.encoder.schema()),
       [&question](const Part&, const Answer& a, OutColumn& out) { add_counterfactual(question, a, out); }});
  return columns;
}

// Those of the names, which are separated by commas, in the order of the table.
std::vector<AnswerColumn> chosen(std::vector<AnswerColumn> columns, std::string_view names) {
  std::vector<AnswerColumn> wanted;
  const std::string list = "," + std::string(names) + ",";
  for (AnswerColumn& column : columns)
    if (list.find("," + column.name + ",") != std::string::npos) wanted.push_back(std::move(column));
  if (wanted.size() != static_cast<std::size_t>(std::ranges::count(names, ',')) + 1)
    throw Error("columns", "names of the answers' columns, each once, separated by commas",
                "'" + std::string(names) + "'");
  return wanted;
}

}  // namespace

OutColumn answers_table(const scfe_answers& given, std::size_t first, std::size_t count, const char* names) {
  std::vector<AnswerColumn> columns = all_columns(given.question);
  if (names != nullptr) columns = chosen(std::move(columns), names);
  std::size_t rows = 0;
  given.each(first, count, [&](const AnswersPart& part, const Answer& answer) {
    ++rows;
    for (AnswerColumn& column : columns) column.add(part, answer, column.column);
  });
  std::vector<OutColumn> made;
  for (AnswerColumn& column : columns) made.push_back(std::move(column.column));
  OutColumn table = OutColumn::structs("", std::move(made));
  for (std::size_t i = 0; i < rows; ++i) table.end_struct();
  return table;
}

}  // namespace scfe::app
