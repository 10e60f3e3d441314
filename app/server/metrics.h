// Counters for Prometheus (text format 0.0.4).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace scfe::server {

class Metrics {
 public:
  // `route` is a pattern of ours, never a path of a request: the number of series has an end.
  void count(const std::string& route, int status, double seconds);

  std::atomic<std::uint64_t> connections = 0, refused_connections = 0, rows_predicted = 0, rows_explained = 0,
                             cancelled = 0;

  struct Gauge {
    std::string name, help;
    double value;
  };
  std::string text(const std::vector<Gauge>& gauges) const;

 private:
  static constexpr std::array<double, 9> bounds = {0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5, 30};
  struct Times {
    std::array<std::uint64_t, bounds.size()> below{};
    std::uint64_t count = 0;
    double sum = 0;
  };
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, std::uint64_t> requests_;
  std::map<std::string, Times> times_;
};

}  // namespace scfe::server
