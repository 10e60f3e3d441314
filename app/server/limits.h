// What one request, one client and all of them together may take. Each has a flag of `scfe serve`.
#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>
#include <vector>

#include "ask/arguments.h"

namespace scfe::server {

struct Limits {
  std::size_t header_bytes = 16 << 10;
  std::size_t body_bytes = 4 << 20;      // of a JSON request
  std::size_t upload_bytes = 64 << 20;   // of a CSV upload
  std::size_t flight_bytes = 256 << 20;  // of all bodies that are being read or worked on
  std::size_t rows = 10000;              // of a request; a job may have more
  std::size_t answers = 100;             // of a row
  std::size_t connections = 2048;
  std::size_t queue = 256;  // requests that wait for the engine
  std::size_t jobs = 100;   // kept on disk
  double request_seconds = 30;
  double idle_seconds = 60;    // between two requests of a connection
  double header_seconds = 10;  // from the first byte to the end of the headers
  double body_seconds = 60;    // to read a body, and to write a response
  double grace_seconds = 10;   // after SIGTERM, for requests at work
};

// The flags of the limits that people may want to change, and their values. Throws Error.
std::vector<app::Flag> serving_limit_flags();
Limits limits_from(const app::Arguments& arguments);

}  // namespace scfe::server
