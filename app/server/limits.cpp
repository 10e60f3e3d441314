#include "server/limits.h"

#include <algorithm>
#include <optional>
#include <string>

#include "scfe/error.h"
#include "scfe/text.h"

namespace scfe::server {
namespace {

constexpr std::string_view heading = app::group::guards;

struct CountRow {
  app::Flag flag;
  std::size_t Limits::*member;
  double unit;
};
struct SecondsRow {
  app::Flag flag;
  double Limits::*member;
};

const std::vector<CountRow>& counts() {
  static const std::vector<CountRow> rows = {
      {{"max-body", "MB", "largest JSON request [4]", heading}, &Limits::body_bytes, 1 << 20},
      {{"max-upload", "MB", "largest CSV of a job, an audit or a check [64]", heading},
       &Limits::upload_bytes,
       1 << 20},
      {{"max-rows", "N", "rows of one request; jobs may have more [10000]", heading}, &Limits::rows, 1},
      {{"max-answers", "N", "largest value of `answers` [100]", heading}, &Limits::answers, 1},
      {{"max-connections", "N", "open connections [2048]", heading}, &Limits::connections, 1},
      {{"max-queue", "N", "requests that wait for the engine [256]", heading}, &Limits::queue, 1},
      {{"max-jobs", "N", "batch jobs that are kept [100]", heading}, &Limits::jobs, 1}};
  return rows;
}

const std::vector<SecondsRow>& seconds() {
  static const std::vector<SecondsRow> rows = {
      {{"max-seconds", "S", "time of one request [30]", heading}, &Limits::request_seconds},
      {{"idle-seconds", "S", "a connection without requests is closed [60]", heading}, &Limits::idle_seconds},
      {{"header-seconds", "S", "time for the headers of a request [10]", heading}, &Limits::header_seconds},
      {{"body-seconds", "S", "time for a body, and to take a response [60]", heading}, &Limits::body_seconds},
      {{"grace-seconds", "S", "time for requests at work after SIGTERM [10]", heading},
       &Limits::grace_seconds}};
  return rows;
}

double number_of(const app::Arguments& arguments, std::string_view name, double least) {
  const std::string& text = arguments.text(name);
  const std::optional<double> value = parse_number(text);
  if (!value || *value < least || *value > 1e9)
    throw Error("--" + std::string(name), "a number from " + number_text(least) + " to 1e9",
                "'" + text + "'");
  return *value;
}

}  // namespace

std::vector<app::Flag> serving_limit_flags() {
  std::vector<app::Flag> flags;
  for (const CountRow& row : counts()) flags.push_back(row.flag);
  for (const SecondsRow& row : seconds()) flags.push_back(row.flag);
  return flags;
}

Limits limits_from(const app::Arguments& arguments) {
  Limits limits;
  for (const CountRow& row : counts())
    if (arguments.has(row.flag.name))
      limits.*row.member = static_cast<std::size_t>(number_of(arguments, row.flag.name, 1) * row.unit);
  for (const SecondsRow& row : seconds())
    if (arguments.has(row.flag.name)) limits.*row.member = number_of(arguments, row.flag.name, 0.01);
  limits.flight_bytes = std::max(limits.flight_bytes, 2 * std::max(limits.body_bytes, limits.upload_bytes));
  return limits;
}

}  // namespace scfe::server
