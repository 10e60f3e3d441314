// Verify, evaluate, audit, keep: results as JSON.
#include "ask/answering.h"
#include "ask/audit.h"
#include "ask/grouping.h"
#include "ask/measuring.h"
#include "ask/verify.h"
#include "c_api/arrow_in.h"
#include "c_api/handles.h"
#include "output/checks_json.h"
#include "report/html_text.h"
#include "report/sections.h"
#include "scfe/diagnostics.h"
#include "scfe/text.h"
#include "text/json_text.h"

namespace scfe::app {
namespace {

constexpr std::size_t keep_batch = 256;

JsonObject& count(JsonObject& object, std::string_view name, std::size_t value) {
  return object.number(name, static_cast<double>(value));
}

std::string summary_json(const Summary& summary) {
  return JsonObject()
      .number("mean", summary.mean)
      .number("median", summary.median)
      .number("p95", summary.p95)
      .number("std", summary.deviation)
      .str();
}

std::string measured_json(const Measured& rows) {
  const Report& report = rows.report;
  JsonObject object;
  count(object, "rows", rows.asked.size());
  count(object, "answered", rows.answered.size());
  count(object, "already", rows.already.size());
  count(object, "missing", rows.dropped);
  count(object, "answers", report.answers);
  count(object, "failures", report.failures);
  if (report.below_floor) count(object, "below_floor", *report.below_floor);
  return object.number("valid", report.validity)
      .raw("l2", summary_json(report.l2))
      .raw("l1", summary_json(report.l1))
      .raw("distance", summary_json(report.distance))
      .raw("changes", summary_json(report.l0))
      .raw("lof", summary_json(report.lof))
      .raw("log_density_kde", summary_json(report.log_kde))
      .raw("log_density_gmm", summary_json(report.log_gmm))
      .raw("quantile", summary_json(report.quantile))
      .raw("nearest", summary_json(report.nearest))
      .str();
}

std::string audit_with_tables(const Question& question, const Audit& audit) {
  return audit_json(question, audit)
      .text("table", audit_table(question, audit))
      .text("html", notebook_part(audit_section(question, audit)))
      .str();
}

Audit audit_of_table(const Question& question, const Table& rows, const std::stop_token& stop) {
  std::size_t first = 0;
  const auto next = [&](Table& batch, std::size_t most) {
    batch = rows.slice(first, std::min(most, rows.rows() - first));
    first += batch.rows();
    return batch.rows() > 0;
  };
  Audit audit = audit_rows(question, next, stop);
  if (stop.stop_requested()) throw Error("interrupted");
  return audit;
}

std::string kept_json(const Question& question, const Table& rows, double share,
                      const std::stop_token& stop) {
  const Encoder& encoder = question.bundle.encoder;
  std::vector<std::string> items;
  for (std::size_t first = 0; first < rows.rows(); first += keep_batch) {
    const Table batch = rows.slice(first, std::min(keep_batch, rows.rows() - first));
    const Encoded encoded = encoder.encode(batch);
    const std::vector<Pertinent> found =
        Diagnostics(question.bundle.explainer).pertinent(encoded.inputs, share);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::size_t row = encoded.rows[i];
      const std::vector<double> values = encoder.values(encoded.inputs[i]);
      JsonObject kept;
      for (const std::size_t f : found[i].features) {
        const Column& column = encoder.schema().columns[f];
        if (column.has_levels())
          kept.text(column.feature.name, encoder.text(f, values[f]));
        else
          kept.number(column.feature.name, values[f]);
      }
      JsonObject item;
      count(item, "row", first + row);
      item.text("name", name_of(batch, row, encoder.schema().id))
          .text("predicted", class_name(encoder.schema(), found[i].predicted))
          .number("share", found[i].share)
          .raw("kept", kept.str())
          .flag("smallest", found[i].smallest);
      items.push_back(item.str());
    }
    if (stop.stop_requested()) throw Error("interrupted");
  }
  return json_list(items);
}

std::stop_token stop_of(const scfe_settings* settings) {
  return settings == nullptr ? std::stop_token() : settings->stop;
}

GivenAnswers answers_of(const Question& question, ArrowArrayStream* rows, ArrowArrayStream* answers) {
  const Table table = read_stream(rows, "rows");
  return read_answers(question, table, read_stream(answers, "answers"));
}

Question question_from(const scfe_explainer* explainer, const scfe_settings* settings) {
  return question_of(given(explainer, "explainer").bundle, arguments_of(settings));
}

// Streams are consumed even where the question is refused.
struct ReleaseAtEnd {
  ArrowArrayStream* stream;
  ~ReleaseAtEnd() {
    if (stream != nullptr && stream->release != nullptr) stream->release(stream);
  }
};

}  // namespace
}  // namespace scfe::app

using namespace scfe::app;

int scfe_verify(const scfe_explainer* explainer, ArrowArrayStream* rows, ArrowArrayStream* answers,
                const scfe_settings* settings, scfe_bytes** out) {
  return guarded([&] {
    const ReleaseAtEnd first{rows}, second{answers};
    const Question question = question_from(explainer, settings);
    give(out, verified_json(verify(question, answers_of(question, rows, answers))));
  });
}

int scfe_evaluate(const scfe_explainer* explainer, ArrowArrayStream* rows, ArrowArrayStream* answers,
                  const scfe_settings* settings, scfe_bytes** out) {
  return guarded([&] {
    const ReleaseAtEnd first{rows}, second{answers};
    const Question question = question_from(explainer, settings);
    scfe::AnswerMeasure measure(question.bundle.explainer, question.options);
    give(out, measured_json(measured(question, answers_of(question, rows, answers), measure)));
  });
}

int scfe_audit(const scfe_explainer* explainer, ArrowArrayStream* rows, const scfe_settings* settings,
               scfe_bytes** out) {
  return guarded([&] {
    const ReleaseAtEnd release{rows};
    Question question = question_from(explainer, settings);
    if (question.by.empty()) throw scfe::Error("--by", "the column whose values are the groups", "nothing");
    question.options.answers = 1;
    question.options.path = question.options.hints = false;
    const scfe::Table table = read_stream(rows, "rows");
    (void)group_column(question, table);
    give(out, audit_with_tables(question, audit_of_table(question, table, stop_of(settings))));
  });
}

int scfe_keep(const scfe_explainer* explainer, ArrowArrayStream* rows, const scfe_settings* settings,
              scfe_bytes** out) {
  return guarded([&] {
    const ReleaseAtEnd release{rows};
    const Arguments arguments = arguments_of(settings);
    const std::string text = arguments.text_or("share", "0.95");
    const std::optional<double> share = scfe::parse_number(plain_share(text));
    if (!share) throw scfe::Error("--share", "a share such as 95%", "'" + text + "'");
    const Question question = question_from(explainer, settings);
    give(out, kept_json(question, read_stream(rows, "rows"), *share, stop_of(settings)));
  });
}
