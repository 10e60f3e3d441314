// Settings, errors, texts: the plain parts of scfe/c_api.h.
#include <algorithm>
#include <array>

#include "c_api/handles.h"
#include "scfe/options.h"
#include "scfe/text.h"
#include "scfe/version.h"
#include "text/json_text.h"

namespace scfe::app {
namespace {

struct Setting {
  std::string_view name;
  bool repeats = false;
};
// Beside the options of the catalogue.
constexpr std::array<Setting, 18> own_settings = {{{"label"},
                                                   {"schema"},
                                                   {"id"},
                                                   {"ignore", true},
                                                   {"above"},
                                                   {"missing"},
                                                   {"classes", true},
                                                   {"predictions"},
                                                   {"min-agreement"},
                                                   {"model-output"},
                                                   {"freeze", true},
                                                   {"only-up", true},
                                                   {"only-down", true},
                                                   {"range", true},
                                                   {"rule", true},
                                                   {"by"},
                                                   {"share"},
                                                   {"run", true}}};

void put(scfe_settings& settings, const std::string& name, std::string value) {
  const auto own = std::ranges::find(own_settings, name, &Setting::name);
  const bool is_option =
      std::ranges::any_of(option_catalogue(), [&](const OptionRow& row) { return row.name == name; });
  if (own == own_settings.end() && !is_option) {
    std::vector<std::string> known;
    for (const OptionRow& row : option_catalogue()) known.emplace_back(row.name);
    for (const Setting& setting : own_settings) known.emplace_back(setting.name);
    throw unknown_name("", "option", name, known);
  }
  std::vector<std::string>& values = settings.arguments.flags[name == "schema" ? "schema-json" : name];
  if (own == own_settings.end() || !own->repeats) values.clear();
  values.push_back(std::move(value));
}

std::string quoted_list(const std::vector<std::string_view>& texts) {
  std::string list;
  for (const std::string_view text : texts) list += (list.empty() ? "" : ", ") + json_quoted(text);
  return "[" + list + "]";
}

// A default in its own type.
std::string default_json(const OptionRow& row) {
  return row.json_type() == "string" ? json_quoted(row.default_text()) : row.default_text();
}

std::string_view type_name(OptionType type) {
  constexpr std::array<std::string_view, 9> names = {"flag",   "whole",  "number", "share",  "seconds",
                                                     "choice", "target", "range",  "numbers"};
  return names[static_cast<std::size_t>(type)];
}

}  // namespace

std::string& error_text() {
  thread_local std::string text;
  return text;
}

Arguments arguments_of(const scfe_settings* settings) {
  if (settings == nullptr) return {};
  Arguments arguments = settings->arguments;
  if (settings->warn != nullptr)
    arguments.warn = [warn = settings->warn,
                      context = settings->warn_context](const std::vector<std::string>& lines) {
      for (const std::string& line : lines) warn(context, line.c_str());
    };
  return arguments;
}

}  // namespace scfe::app

using namespace scfe::app;

const char* scfe_error(void) { return error_text().c_str(); }
const char* scfe_version(void) {
  static const std::string text(scfe::version());
  return text.c_str();
}
int scfe_c_api_version(void) { return SCFE_C_API_VERSION; }

const char* scfe_bytes_data(const scfe_bytes* bytes) { return bytes == nullptr ? "" : bytes->text.c_str(); }
size_t scfe_bytes_size(const scfe_bytes* bytes) { return bytes == nullptr ? 0 : bytes->text.size(); }
void scfe_bytes_free(scfe_bytes* bytes) { delete bytes; }

scfe_settings* scfe_settings_new(void) { return new (std::nothrow) scfe_settings; }
void scfe_settings_free(scfe_settings* settings) { delete settings; }

int scfe_settings_text(scfe_settings* settings, const char* name, const char* value) {
  return guarded(
      [&] { put(given(settings, "settings"), given_text(name, "name"), given_text(value, "value")); });
}
int scfe_settings_number(scfe_settings* settings, const char* name, double value) {
  return guarded(
      [&] { put(given(settings, "settings"), given_text(name, "name"), scfe::number_text(value)); });
}
int scfe_settings_flag(scfe_settings* settings, const char* name, int value) {
  return guarded(
      [&] { put(given(settings, "settings"), given_text(name, "name"), value != 0 ? "true" : "false"); });
}
void scfe_settings_on_warning(scfe_settings* settings, scfe_warn warn, void* context) {
  if (settings == nullptr) return;
  settings->warn = warn;
  settings->warn_context = context;
}
void scfe_settings_on_progress(scfe_settings* settings, scfe_progress progress, void* context) {
  if (settings == nullptr) return;
  settings->progress = progress;
  settings->progress_context = context;
}

scfe_cancel* scfe_cancel_new(void) {
  scfe_cancel* cancel = nullptr;
  (void)guarded([&] { cancel = new scfe_cancel; });
  return cancel;
}
void scfe_cancel_now(scfe_cancel* cancel) {
  if (cancel != nullptr) cancel->source.request_stop();
}
void scfe_cancel_free(scfe_cancel* cancel) { delete cancel; }
void scfe_settings_cancel(scfe_settings* settings, const scfe_cancel* cancel) {
  if (settings != nullptr)
    settings->stop = cancel == nullptr ? std::stop_token() : cancel->source.get_token();
}

int scfe_options_json(scfe_bytes** out) {
  return guarded([&] {
    std::string rows;
    for (const scfe::OptionRow& row : scfe::option_catalogue())
      rows += (rows.empty() ? "[" : ",\n ") +
              JsonObject()
                  .text("name", row.name)
                  .text("stage", scfe::name_of(row.stage))
                  .text("group", scfe::name_of(row.group))
                  .raw("everyday", scfe::is_everyday(row.group) ? "true" : "false")
                  .text("type", type_name(row.type))
                  .text("json_type", row.json_type())
                  .raw("default", default_json(row))
                  .raw("choices", quoted_list(row.choices()))
                  .number("least", row.bounds.least)
                  .number("greatest", row.bounds.greatest)
                  .text("expected", row.expected())
                  .text("help", row.help)
                  .str();
    give(out, rows + "]\n");
  });
}
