#include "support/budget.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "scfe/error.h"
#include "scfe/memory.h"

namespace scfe {
namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20;
constexpr std::size_t free_bytes = 64 * megabyte, most_bytes = 1024 * megabyte;
constexpr std::size_t times_file = 32, times_large_file = 8;
constexpr std::size_t longest_file = ~std::size_t{0} / (2 * times_file);  // beyond it the product overflows

std::atomic<std::size_t> given_limit = 0;

std::string in_megabytes(double bytes) {
  return std::to_string(static_cast<long long>(std::ceil(std::min(bytes, 1e18) / megabyte))) + " MB";
}

}  // namespace

void set_memory_limit(std::size_t bytes) { given_limit = bytes; }

std::size_t memory_limit(std::size_t file_bytes) {
  if (given_limit > 0) return given_limit;
  const std::size_t size = std::min(file_bytes, longest_file);
  return std::min(free_bytes + times_file * size, std::max(most_bytes, times_large_file * size));
}

void expect_memory(std::size_t file_bytes, double bytes, const std::string& source) {
  Budget(file_bytes, source).take(bytes);
}

Budget::Budget(std::size_t file_bytes, std::string source)
    : limit_(static_cast<double>(memory_limit(file_bytes))), source_(std::move(source)) {}

void Budget::take(double bytes) {
  taken_ += bytes;
  if (taken_ > limit_)
    throw Error(source_, "a file that takes at most " + in_megabytes(limit_) + " to read (--memory-limit)",
                "one that takes " + in_megabytes(taken_) + " or more");
}

}  // namespace scfe
