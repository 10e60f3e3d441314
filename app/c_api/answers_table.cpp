#include "c_api/answers_table.h"

#include <array>
#include <cmath>
#include <limits>

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

}  // namespace

OutColumn answers_table(const scfe_answers& given) {
  const Question& question = given.question;
  const std::vector<std::string> classes = class_texts(question);
  const auto place_of = [&](int target) {
    return target < 0 ? classes.size() - 1 : static_cast<std::size_t>(target);
  };
  OutColumn row = OutColumn::whole("row"), name = OutColumn::texts("name"), rank = OutColumn::whole("answer"),
            status = OutColumn::choice("status", status_texts()),
            predicted = OutColumn::choice("predicted", classes),
            target = OutColumn::choice("target", classes), proof = OutColumn::choice("proof", proof_texts),
            stability = OutColumn::choice("stability", stability_texts), reason = OutColumn::texts("reason"),
            certificate = OutColumn::texts("certificate"), timed_out = OutColumn::flags("timed_out"),
            knee = OutColumn::flags("knee"),
            counterfactual = empty_counterfactual(question.bundle.encoder.schema());
  OutColumn changes = OutColumn::lists("changes", {OutColumn::whole("feature"), OutColumn::numbers("from"),
                                                   OutColumn::numbers("to"), OutColumn::numbers("room")});
  OutColumn hints = OutColumn::lists(
      "hints", {OutColumn::choice("kind", hint_texts), OutColumn::numbers("value"), OutColumn::numbers("l2"),
                OutColumn::numbers("distance"), OutColumn::numbers("reached"), OutColumn::texts("text")});
  std::vector<OutColumn> numbers;
  for (const NumberOf& number : numbers_of) numbers.push_back(OutColumn::numbers(number.name));
  for (const Answer& answer : given.answers) {
    const Explanation& e = answer.explanation;
    row.add_whole(static_cast<std::int64_t>(answer.row));
    name.add_text(answer.name);
    rank.add_whole(static_cast<std::int64_t>(answer.rank));
    status.add_choice(static_cast<std::size_t>(e.status));
    predicted.add_choice(place_of(e.predicted));
    target.add_choice(place_of(e.target));
    proof.add_choice(static_cast<std::size_t>(e.proof));
    stability.add_choice(static_cast<std::size_t>(e.stability));
    reason.add_text(e.reason);
    certificate.add_text(e.certificate);
    timed_out.add_flag(e.timed_out);
    knee.add_flag(e.knee);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i].add(numbers_of[i].value(answer));
    add_changes(question, answer, changes);
    add_hints(e, hints);
    add_counterfactual(question, answer, counterfactual);
  }
  std::vector<OutColumn> columns = {row,    name,  rank,      status, predicted,
                                    target, proof, stability, reason, certificate};
  for (OutColumn& number : numbers) columns.push_back(std::move(number));
  for (OutColumn* column : {&timed_out, &knee, &changes, &hints, &counterfactual})
    columns.push_back(std::move(*column));
  OutColumn table = OutColumn::structs("", std::move(columns));
  for (std::size_t i = 0; i < given.answers.size(); ++i) table.end_struct();
  return table;
}

}  // namespace scfe::app
