// Questions: predictions and answers.
#include <utility>

#include "ask/answering.h"
#include "ask/batches.h"
#include "ask/row_warnings.h"
#include "c_api/answers_table.h"
#include "c_api/arrow_in.h"
#include "c_api/handles.h"
#include "output/asked.h"
#include "output/line_format.h"
#include "output/sinks.h"
#include "report/html_report.h"
#include "report/html_text.h"
#include "report/sections.h"

namespace scfe::app {
namespace {

// Tells the caller how far the work is, if it wants to know.
struct ProgressTo {
  const scfe_settings* settings;
  std::size_t total;
  void operator()(std::size_t done) const {
    if (settings != nullptr && settings->progress != nullptr)
      settings->progress(settings->progress_context, done, total);
  }
};

// Answers all rows in batches, as the command line does. When it is cancelled, what is done stays.
void answer_rows(scfe_answers& work, const scfe_settings* settings) {
  const Question& question = work.question;
  const Encoder& encoder = question.bundle.encoder;
  const Table head = work.rows.slice(0, 0);
  RowWarnings warnings(question);
  warnings.warn_of_columns(head);
  (void)encoder.encode(head);  // checks the columns even without rows
  Batches answered(question, false, settings == nullptr ? std::stop_token() : settings->stop);
  const ProgressTo progress{settings, work.rows.count()};
  for (std::size_t first = 0; first < work.rows.count() && !answered.stopped();) {
    const Table batch = work.rows.slice(first, std::min(answered.rows(), work.rows.count() - first));
    const Encoded encoded = encoder.encode(batch);
    warnings.look_at(batch, encoded);
    std::vector<Answer> answers = answered(batch, encoded);
    for (Answer& answer : answers) answer.row += first;
    first += batch.rows();
    work.done = !answered.stopped() ? first : answers.empty() ? work.done : answers.back().row + 1;
    work.answers.add(encoder, std::move(answers));
    if (!answered.stopped()) progress(first);
  }
  warnings.warn_of_rows(head.source);
}

OutColumn prediction_table(const Bundle& bundle, const Table& rows) {
  const Encoded encoded = bundle.encoder.encode(rows);
  const std::vector<Prediction> predictions = bundle.explainer.predictions(encoded.inputs);
  std::vector<std::string> names;
  std::vector<OutColumn> shares;
  for (std::size_t c = 0; c < bundle.explainer.classes(); ++c) {
    names.push_back(class_name(bundle.encoder.schema(), static_cast<int>(c)));
    shares.push_back(OutColumn::numbers(names.back()));
  }
  OutColumn table =
      OutColumn::structs("", {OutColumn::choice("predicted", names), OutColumn::numbers("output"),
                              OutColumn::structs("probability", std::move(shares))});
  for (std::size_t row = 0, i = 0; row < rows.rows(); ++row) {
    const bool kept = i < encoded.rows.size() && encoded.rows[i] == row;
    if (kept) {
      table.child(0).add_choice(static_cast<std::size_t>(predictions[i].winner));
      table.child(1).add(predictions[i].output);
    } else {
      table.child(0).add_missing();
      table.child(1).add_missing();
    }
    for (std::size_t c = 0; c < names.size(); ++c) {
      if (kept)
        table.child(2).child(c).add(predictions[i].probability[c]);
      else
        table.child(2).child(c).add_missing();
    }
    table.child(2).end_struct(kept);
    table.end_struct();
    i += kept ? 1 : 0;
  }
  return table;
}

// The answers with their texts, one after another.
template <class Take>
void each_with_texts(const scfe_answers& given, std::size_t limit, const Take& take) {
  const Answering answering(given.question, false);
  given.each(0, limit > 0 ? limit : given.answers.size(), [&](const AnswersPart& part, Answer& answer) {
    answering.add_texts(part.rows, answer);
    take(answer);
  });
}

std::string lines_text(const scfe_answers& given, std::size_t limit, std::unique_ptr<LineFormat> format) {
  std::string text = format->head();
  each_with_texts(given, limit, [&](const Answer& answer) { text += format->line(answer); });
  return text;
}

std::string table_text(const scfe_answers& given, std::size_t limit) {
  std::string text = limits_text(given.question);
  if (!text.empty()) text += "\n\n";
  each_with_texts(given, limit, [&](const Answer& answer) { text += answer_text(given.question, answer); });
  return text;
}

std::string report_text(const scfe_answers& given, std::size_t limit) {
  ReportData data(given.question.bundle.encoder.schema());
  std::map<std::string, AuditGroup> groups;
  each_with_texts(given, limit, [&](const Answer& answer) {
    data.add(given.question.bundle.encoder.schema(), answer);
    if (!given.question.by.empty() && answer.first)
      groups[answer.group].add(given.question.bundle.encoder.schema(), answer);
  });
  std::string text;
  write_report(given.question, data, groups, [&](std::string_view part) { text += part; });
  return text;
}

std::string cards_text(const scfe_answers& given, std::size_t limit) {
  const std::string limits = limits_text(given.question);
  std::string text;
  each_with_texts(given, limit, [&](const Answer& answer) { text += card(given.question, answer); });
  return notebook_part((limits.empty() ? "" : tag("p", "soft", escaped(limits))) + tag("div", "cards", text));
}

void give_answers(const scfe_explainer* explainer, KeptRows rows, const scfe_settings* settings,
                  scfe_answers** out) {
  Question question = question_of(given(explainer, "explainer").bundle, arguments_of(settings));
  auto work =
      std::make_unique<scfe_answers>(scfe_answers{.question = std::move(question), .rows = std::move(rows)});
  answer_rows(*work, settings);
  given(out, "out") = work.release();
}

}  // namespace
}  // namespace scfe::app

using namespace scfe::app;

int scfe_predict(const scfe_explainer* explainer, ArrowArrayStream* rows, const scfe_settings* /*settings*/,
                 ArrowArrayStream* out) {
  return guarded([&] {
    const scfe::Table table = read_stream(rows, "rows");
    give_stream(prediction_table(given(explainer, "explainer").bundle, table), &given(out, "out"));
  });
}

int scfe_explain(const scfe_explainer* explainer, ArrowArrayStream* rows, const scfe_settings* settings,
                 scfe_answers** out) {
  return guarded([&] { give_answers(explainer, KeptRows(read_stream(rows, "rows")), settings, out); });
}

int scfe_explain_shared(const scfe_explainer* explainer, ArrowArrayStream* rows,
                        const scfe_settings* settings, scfe_answers** out) {
  return guarded([&] { give_answers(explainer, KeptRows(ArrowRows(rows, "rows")), settings, out); });
}

size_t scfe_answers_count(const scfe_answers* answers) {
  return answers == nullptr ? 0 : answers->answers.size();
}
size_t scfe_answers_rows(const scfe_answers* answers) { return answers == nullptr ? 0 : answers->done; }

int scfe_answers_stream(const scfe_answers* answers, ArrowArrayStream* out) {
  return scfe_answers_part(answers, 0, scfe_answers_count(answers), nullptr, out);
}

int scfe_answers_part(const scfe_answers* answers, size_t first, size_t count, const char* columns,
                      ArrowArrayStream* out) {
  return guarded([&] {
    give_stream(answers_table(given(answers, "answers"), first, count, columns), &given(out, "out"));
  });
}

int scfe_answers_text(const scfe_answers* answers, const char* format, size_t limit, scfe_bytes** out) {
  return guarded([&] {
    const scfe_answers& own = given(answers, "answers");
    const std::string name = given_text(format, "format");
    if (name == "table") return give(out, table_text(own, limit));
    if (name == "csv") return give(out, lines_text(own, limit, csv_format(own.question)));
    if (name == "json") return give(out, lines_text(own, limit, json_format(own.question)));
    if (name == "html") return give(out, report_text(own, limit));
    if (name == "cards") return give(out, cards_text(own, limit));
    throw scfe::Error("format", "table, csv, json, html or cards", "'" + name + "'");
  });
}

void scfe_answers_free(scfe_answers* answers) { delete answers; }
