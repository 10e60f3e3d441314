// Serves fitted explainers over HTTP/1.1 until it is told to stop.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "server/router.h"

namespace scfe::server {

struct Settings {
  std::string address = "127.0.0.1";
  unsigned short port = 8377;  // 0: any free one
  std::size_t io_threads = 1;
  std::size_t workers = 0;    // threads of the engine; 0: one for each core
  std::string jobs = {};      // folder of batch jobs; empty: a temporary one
  std::stop_token stop = {};  // ends it in order
};

// Starts engine and jobs, listens, calls `listening` with the address, and returns once it is stopped:
// requests at work are finished (at most limits.grace_seconds), jobs are handed back to their folder. Throws
// Error if the address cannot be used, or is not loopback and there is no token.
void serve(Service& service, const Settings& settings,
           const std::function<void(const std::string& address)>& listening);

}  // namespace scfe::server
