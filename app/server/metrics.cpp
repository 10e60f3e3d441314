#include "server/metrics.h"

#include <vector>

#include "scfe/text.h"

namespace scfe::server {
namespace {

std::string heading_of(const std::string& name, const char* type, const std::string& help) {
  return "# HELP " + name + " " + help + "\n# TYPE " + name + " " + type + "\n";
}

}  // namespace

void Metrics::count(const std::string& route, int status, double seconds) {
  const std::lock_guard lock(mutex_);
  ++requests_[{route, status}];
  Times& times = times_[route];
  for (std::size_t i = 0; i < bounds.size(); ++i) times.below[i] += seconds <= bounds[i] ? 1 : 0;
  ++times.count;
  times.sum += seconds;
}

std::string Metrics::text(const std::vector<Gauge>& gauges) const {
  std::string text;
  const auto counter = [&](const std::string& name, const std::string& help, std::uint64_t value) {
    text += heading_of(name, "counter", help) + name + " " + std::to_string(value) + "\n";
  };
  counter("scfe_rows_explained_total", "Rows that were explained on request.", rows_explained);
  counter("scfe_rows_predicted_total", "Rows that were predicted on request.", rows_predicted);
  counter("scfe_requests_cancelled_total", "Requests whose client went away.", cancelled);
  counter("scfe_connections_refused_total", "Connections above the limit.", refused_connections);
  for (const Gauge& gauge : gauges)
    text += heading_of(gauge.name, "gauge", gauge.help) + gauge.name + " " + number_text(gauge.value) + "\n";
  const std::lock_guard lock(mutex_);
  text += heading_of("scfe_requests_total", "counter", "Requests by route and status.");
  for (const auto& [key, value] : requests_)
    text += "scfe_requests_total{route=\"" + key.first + "\",status=\"" + std::to_string(key.second) +
            "\"} " + std::to_string(value) + "\n";
  const std::string name = "scfe_request_seconds";
  text += heading_of(name, "histogram", "Time from the last byte of a request to its response.");
  for (const auto& [route, times] : times_) {
    const std::string label = "{route=\"" + route + "\"";
    for (std::size_t i = 0; i < bounds.size(); ++i)
      text += name + "_bucket" + label + ",le=\"" + number_text(bounds[i]) + "\"} " +
              std::to_string(times.below[i]) + "\n";
    text += name + "_bucket" + label + ",le=\"+Inf\"} " + std::to_string(times.count) + "\n" + name + "_sum" +
            label + "} " + number_text(times.sum) + "\n" + name + "_count" + label + "} " +
            std::to_string(times.count) + "\n";
  }
  return text;
}

}  // namespace scfe::server
