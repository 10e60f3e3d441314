#include "server/jobs.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <random>

#include "ask/grouping.h"
#include "ask/stream.h"
#include "output/line_format.h"
#include "report/html_report.h"
#include "scfe/error.h"
#include "scfe/file.h"
#include "server/job_summary.h"
#include "server/json_out.h"
#include "server/message.h"
#include "server/text_file.h"
#include "text/json_text.h"

namespace scfe::server {
namespace fs = std::filesystem;

struct Jobs::Job {
  std::string id, created, finished, error, summary;
  NewJob what;
  State state = State::waiting;
  std::size_t rows = 0;
  app::Tally tally;
  std::vector<std::string> warnings;
  std::stop_source stop;
  bool removed = false;
};

namespace {

std::string now_text() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  (void)gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

// Sorted by time, and not to be guessed.
std::string new_id() {
  std::random_device random;
  const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(
                          std::chrono::system_clock::now().time_since_epoch())
                          .count();
  std::array<char, 48> text{};
  const int size = std::snprintf(text.data(), text.size(), "%014llx%08x%08x",
                                 static_cast<unsigned long long>(micros), random(), random());
  return {text.data(), static_cast<std::size_t>(size)};
}

bool is_id(const std::string& name) {
  return name.size() == 30 && name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

void write_whole(const std::string& path, const std::string& text) {
  AsideFile file(path);
  file.write(text);
  file.commit();
}

std::string quoted_or_null(const std::string& text) { return text.empty() ? "null" : app::json_quoted(text); }

}  // namespace

Jobs::Jobs(std::string folder, bool keep, const Models& models, const Limits& limits, int threads)
    : folder_(std::move(folder)),
      locked_(folder_),
      keep_(keep),
      models_(models),
      limits_(limits),
      threads_(threads) {
  open_all();
  worker_ = std::thread([this] { work(); });
}

Jobs::~Jobs() {
  stop();
  if (worker_.joinable()) worker_.join();
  std::error_code ignored;
  if (!keep_) fs::remove_all(folder_, ignored);
}

std::string Jobs::path(const std::string& id, const std::string& file) const {
  return folder_ + "/" + id + "/" + file;
}

void Jobs::open_all() {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
    const std::string id = entry.path().filename().string();
    if (id.ends_with(".new") && is_id(id.substr(0, id.size() - 4))) fs::remove_all(entry.path(), ignored);
    if (!is_id(id) || !fs::exists(path(id, "job.json"))) continue;
    const auto job = std::make_shared<Job>();
    job->id = id;
    job->what.question = Json::object();
    try {
      read_kept(*job);
    } catch (const std::exception& error) {  // the other jobs are not worse for it
      const bool members = dynamic_cast<const Json::exception*>(&error) != nullptr;
      job->state = State::failed;
      job->error = "what was kept of this job is damaged: " +
                   (members ? "members are missing, or of other types"
                            : replaced(error.what(), folder_ + "/" + id + "/", ""));
    }
    jobs_[id] = job;
  }
}

void Jobs::read_kept(Job& job) const {
  const auto document = [&](const std::string& name) {
    return parse_object(read_file(path(job.id, name)), path(job.id, name));
  };
  const Json kept = document("job.json");
  job.created = kept.at("created");
  job.what = {kept.at("model"), kept.at("name"), kept.at("by"), kept.at("question").get<Json::object_t>()};
  job.rows = app::rows_of(path(job.id, "rows.csv"));
  if (fs::exists(path(job.id, "done.json"))) {
    const Json done = document("done.json");
    job.finished = done.at("finished");
    job.tally = {done.at("rows"), done.at("answered"), done.at("without")};
    job.summary = Json(done.at("summary").get<Json::object_t>()).dump();
    job.warnings = done.at("warnings").get<std::vector<std::string>>();
    job.rows = job.tally.rows;
    job.state = State::done;
  } else if (fs::exists(path(job.id, "failed.json"))) {
    const Json failed = document("failed.json");
    job.error = failed.at("error");
    job.finished = failed.at("finished");
    job.state = State::failed;
  }
}

std::string Jobs::start(const NewJob& what, const std::string& csv) {
  const ServedModel* const model = models_.find(what.model);
  if (model == nullptr) throw Refusal{404, "no model '" + what.model + "'"};
  const auto prepared = model->prepare_once(what.question, limits_, what.by, threads_);
  const auto job = std::make_shared<Job>();
  job->id = new_id();
  job->created = now_text();
  job->what = what;
  job->what.question = prepared->asked;
  job->warnings = prepared->warnings;
  {
    const std::lock_guard lock(mutex_);
    if (jobs_.size() >= limits_.jobs)
      throw Refusal{429, "expected at most " + std::to_string(limits_.jobs) + " jobs; delete some"};
    if (stopping_) throw Refusal{503, "the server is stopping"};
  }
  const std::string aside = folder_ + "/" + job->id + ".new";
  try {
    fs::create_directory(aside);
    write_whole(aside + "/rows.csv", csv);
    app::RowSource source(aside + "/rows.csv");
    if (!what.by.empty()) (void)app::group_column(prepared->question, source.first_rows());
    const Encoder& encoder = prepared->question.bundle.encoder;
    (void)encoder.row_limits(source.first_rows(), encoder.encode(source.first_rows()).rows);
    job->rows = app::rows_of(aside + "/rows.csv");
    write_whole(aside + "/job.json", app::JsonObject()
                                         .text("created", job->created)
                                         .text("model", what.model)
                                         .text("name", what.name)
                                         .text("by", what.by)
                                         .raw("question", prepared->asked.dump())
                                         .str());
    fs::rename(aside, folder_ + "/" + job->id);
  } catch (const std::exception& error) {
    std::error_code ignored;
    fs::remove_all(aside, ignored);
    throw Error(replaced(error.what(), aside + "/rows.csv", what.name.empty() ? "rows" : what.name));
  }
  const std::lock_guard lock(mutex_);
  jobs_[job->id] = job;
  wake_.notify_all();
  return job->id;
}

std::shared_ptr<Jobs::Job> Jobs::find(const std::string& id) const {
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) throw Refusal{404, "no job '" + id + "'"};
  return found->second;
}

std::string Jobs::json_of(const Job& job) const {
  constexpr std::array<std::string_view, 5> names = {"waiting", "running", "done", "failed", "interrupted"};
  const auto link = [&](const char* ending) { return "/api/jobs/" + job.id + "/answers." + ending; };
  const bool done = job.state == State::done;
  return app::JsonObject()
      .text("id", job.id)
      .raw("name", quoted_or_null(job.what.name))
      .text("model", job.what.model)
      .raw("question", job.what.question.dump())
      .raw("by", quoted_or_null(job.what.by))
      .text("state", names[static_cast<std::size_t>(job.state)])
      .raw("rows", std::to_string(std::max(job.rows, job.tally.rows)))
      .raw("done", std::to_string(job.tally.rows))
      .raw("answered", std::to_string(job.tally.answered))
      .raw("without", std::to_string(job.tally.without))
      .raw("error", quoted_or_null(job.error))
      .raw("warnings", app::json_texts(job.warnings))
      .text("created", job.created)
      .raw("finished", quoted_or_null(job.finished))
      .raw("summary", job.summary.empty() ? "null" : job.summary)
      .raw("answers", done ? app::JsonObject()
                                 .text("csv", link("csv"))
                                 .text("json", link("json"))
                                 .text("html", link("html"))
                                 .str()
                           : "null")
      .str();
}

std::string Jobs::show(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  return json_of(*find(id));
}

std::vector<std::string> Jobs::show_all() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> all;
  for (auto job = jobs_.rbegin(); job != jobs_.rend(); ++job) all.push_back(json_of(*job->second));
  return all;
}

void Jobs::remove(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto job = find(id);
  jobs_.erase(id);
  job->removed = true;
  job->stop.request_stop();
  std::error_code ignored;
  if (job != at_work_) fs::remove_all(folder_ + "/" + id, ignored);  // else its thread does
}

std::string Jobs::answers(const std::string& id, const std::string& ending) const {
  const std::lock_guard lock(mutex_);
  if (find(id)->state != State::done) throw Refusal{409, "job '" + id + "' is not done"};
  return path(id, "answers." + ending);
}

std::size_t Jobs::size() const {
  const std::lock_guard lock(mutex_);
  return jobs_.size();
}

void Jobs::stop() {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  if (at_work_) at_work_->stop.request_stop();
  wake_.notify_all();
}

void Jobs::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    const auto next = [&] {
      return std::ranges::find_if(jobs_,
                                  [](const auto& entry) { return entry.second->state == State::waiting; });
    };
    wake_.wait(lock, [&] { return stopping_ || next() != jobs_.end(); });
    if (stopping_) return;
    const std::shared_ptr<Job> job = at_work_ = next()->second;
    job->state = State::running;
    lock.unlock();
    run(job);
    lock.lock();
    at_work_.reset();
    std::error_code ignored;
    if (job->removed) fs::remove_all(folder_ + "/" + job->id, ignored);
  }
}

void Jobs::run(const std::shared_ptr<Job>& job) {
  std::string error;
  try {
    const ServedModel* const model = models_.find(job->what.model);
    if (model == nullptr) throw Error("model '" + job->what.model + "' is not served any more");
    answer_rows(*job, *model->prepare_once(job->what.question, limits_, job->what.by, threads_));
    return;
  } catch (const std::exception& caught) {
    error =
        replaced(caught.what(), path(job->id, "rows.csv"), job->what.name.empty() ? "rows" : job->what.name);
    error = replaced(error, folder_ + "/" + job->id + "/", "");
  }
  const std::lock_guard lock(mutex_);
  if (job->stop.stop_requested()) {  // cancelled, or the server stops: then a restart goes on with it
    job->state = State::interrupted;
    return;
  }
  job->state = State::failed;
  job->error = error;
  job->finished = now_text();
  write_whole(path(job->id, "failed.json"),
              app::JsonObject().text("error", error).text("finished", job->finished).str());
}

void Jobs::answer_rows(Job& job, const Prepared& prepared) {
  app::Question question = prepared.question;
  std::vector<std::string> said = prepared.warnings;
  const std::string rows_path = path(job.id, "rows.csv"),
                    shown = job.what.name.empty() ? "rows" : job.what.name;
  question.warn = [&](const std::vector<std::string>& lines) {
    for (const std::string& line : lines) said.push_back(replaced(line, rows_path, shown));
  };
  app::RowSource source(rows_path);
  const std::string key = app::question_key(question, source.header());
  const std::string csv = path(job.id, "answers.csv"), json = path(job.id, "answers.json");
  app::LineFile csv_file(csv, app::csv_format(question), key, true);
  app::LineFile json_file(json, app::json_format(question), key, true);
  const auto report = app::html_report(question, path(job.id, "answers.html"), {key, true});
  const std::array<app::Sink*, 3> sinks = {&csv_file, &json_file, report.get()};
  const app::Run run{job.stop.get_token(), [&](std::size_t, const app::Tally& tally) {
                       const std::lock_guard lock(mutex_);
                       job.tally = tally;
                     }};
  const app::Tally tally = app::answer_all(question, source, sinks, run);
  const std::string summary = job_summary(json), finished = now_text();
  write_whole(path(job.id, "done.json"), app::JsonObject()
                                             .raw("rows", std::to_string(tally.rows))
                                             .raw("answered", std::to_string(tally.answered))
                                             .raw("without", std::to_string(tally.without))
                                             .text("finished", finished)
                                             .raw("warnings", app::json_texts(said))
                                             .raw("summary", summary)
                                             .str());
  const std::lock_guard lock(mutex_);
  job.tally = tally;
  job.summary = summary;
  job.finished = finished;
  job.warnings = said;
  job.state = State::done;
}

}  // namespace scfe::server
