// Seconds of each of some runs of the same work.
#pragma once

#include <chrono>
#include <vector>

namespace scfe::bench {

// Before several runs the work goes on for a tenth of a second: a scheduler may keep threads that slept on
// one core until it sees that both work. A single run is all there is, so that its instructions can be
// counted.
template <class Work>
std::vector<double> timed(int runs, const Work& work) {
  using Clock = std::chrono::steady_clock;
  const auto warm = Clock::now() + std::chrono::milliseconds(100);
  while (runs > 1 && Clock::now() < warm) work();
  std::vector<double> seconds;
  for (int i = 0; i < runs; ++i) {
    const auto start = Clock::now();
    work();
    seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  return seconds;
}

}  // namespace scfe::bench
