// Invalid input. The message names the field, what was expected and what was found. Expected outcomes (no
// counterfactual, time limit reached) are reported as a Status, not as an exception.
#pragma once

#include <stdexcept>
#include <string>

namespace scfe {

class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what) : std::runtime_error(what) {}
  Error(const std::string& field, const std::string& expected, const std::string& got)
      : std::runtime_error(field + ": expected " + expected + ", got " + got) {}
};

}  // namespace scfe
