// Compare: the measures of each run as JSON, and the table and the picture as texts.
#include "ask/comparing.h"
#include "c_api/arrow_in.h"
#include "c_api/handles.h"
#include "output/comparison_table.h"
#include "report/front.h"
#include "scfe/text.h"
#include "text/json_text.h"

namespace scfe::app {
namespace {

std::string mean_json(const Summary& summary) {
  return JsonObject().number("mean", summary.mean).number("std", summary.deviation).str();
}

std::string row_json(const ComparedRow& row) {
  const Report& report = row.report;
  JsonObject object;
  object.text("name", row.name)
      .number("answers", static_cast<double>(report.answers))
      .number("valid", report.validity);
  if (report.below_floor) object.number("below_floor", static_cast<double>(*report.below_floor));
  if (!row.reason.empty()) object.text("reason", row.reason);
  return object.raw("l2", mean_json(report.l2))
      .raw("l1", mean_json(report.l1))
      .raw("distance", mean_json(report.distance))
      .raw("changes", mean_json(report.l0))
      .raw("lof", mean_json(report.lof))
      .raw("log_density_kde", mean_json(report.log_kde))
      .raw("log_density_gmm", mean_json(report.log_gmm))
      .raw("nearest", mean_json(report.nearest))
      .raw("seconds", mean_json(report.seconds))
      .str();
}

std::string comparison_json(const Comparison& comparison) {
  std::vector<std::string> rows;
  for (const ComparedRow& row : comparison.rows) rows.push_back(row_json(row));
  return JsonObject()
      .raw("rows", "[" + join(rows, ", ") + "]")
      .text("text", comparison_text(comparison, TableFormat::text))
      .text("csv", comparison_text(comparison, TableFormat::csv))
      .text("markdown", comparison_text(comparison, TableFormat::markdown))
      .text("latex", comparison_text(comparison, TableFormat::latex))
      .text("svg", front_picture(comparison))
      .str();
}

}  // namespace
}  // namespace scfe::app

using namespace scfe::app;

int scfe_compare(const scfe_explainer* explainer, ArrowArrayStream* rows, const scfe_settings* settings,
                 scfe_bytes** out) {
  return guarded([&] {
    const scfe::Table table = read_stream(rows, "rows");
    Arguments common = arguments_of(settings);
    const std::vector<RunLine> runs = runs_of(common);
    common.flags.erase("run");
    const scfe::Bundle& fitted = given(explainer, "explainer").bundle;
    give(out, comparison_json(compare_all(question_of(fitted, common),
                                          contenders_of(fitted, common, runs, {"E.scfe", "rows.csv"}), table,
                                          {}, settings == nullptr ? std::stop_token() : settings->stop)));
  });
}
