// Batch jobs: the rows of an uploaded CSV, answered one job after the other, with all that is needed to go on
// after a crash in one folder a job:
//
//     ID/job.json                   model, question and name; written first
//     ID/rows.csv                   as uploaded
//     ID/answers.{csv,json,html}    as `scfe explain` writes them; .partial while it is at work
//     ID/done.json, failed.json     written last
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "ask/answer.h"
#include "server/job_folder.h"
#include "server/models.h"

namespace scfe::server {

// Json moves without exceptions, but for its assertions.
// NOLINTNEXTLINE(bugprone-exception-escape)
struct NewJob {
  std::string model, name, by;
  Json question;
};

class Jobs {
 public:
  // Goes on with unfinished jobs of the folder. `keep`: false removes the folder at the end.
  Jobs(std::string folder, bool keep, const Models& models, const Limits& limits, int threads);
  ~Jobs();
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  // Checks question and rows, and returns the job's id. Throws Error, or Refusal (404, 429).
  std::string start(const NewJob& job, const std::string& csv);
  // The job as JSON. Throws Refusal (404).
  std::string show(const std::string& id) const;
  std::vector<std::string> show_all() const;  // newest first
  void remove(const std::string& id);
  // The path of a finished job's answers. Throws Refusal (404, 409).
  std::string answers(const std::string& id, const std::string& ending) const;
  std::size_t size() const;
  // Interrupts the job at work; it goes on when the folder is opened again.
  void stop();

 private:
  enum class State { waiting, running, done, failed, interrupted };
  struct Job;

  void open_all();
  void read_kept(Job& job) const;
  void work();
  void run(const std::shared_ptr<Job>& job);
  void answer_rows(Job& job, const Prepared& prepared);
  std::string path(const std::string& id, const std::string& file) const;
  std::string json_of(const Job& job) const;
  std::shared_ptr<Job> find(const std::string& id) const;

  std::string folder_;
  JobFolder locked_;
  bool keep_;
  const Models& models_;
  const Limits& limits_;
  int threads_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::map<std::string, std::shared_ptr<Job>> jobs_;
  std::shared_ptr<Job> at_work_;
  bool stopping_ = false;
  std::thread worker_;
};

}  // namespace scfe::server
