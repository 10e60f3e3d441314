// Rows of a query that do not follow their own derived columns (rate := amount / months): an answer
// recomputes them where a source changes, so that they seem to jump. Said once for each rule.
#pragma once

#include <string>
#include <vector>

#include "scfe/bundle.h"
#include "scfe/rules.h"

namespace scfe::cli {

class OwnRules {
 public:
  explicit OwnRules(const Bundle& bundle);
  void look_at(const Table& table);
  std::vector<std::string> warnings(const std::string& source) const;

 private:
  struct Broken {
    std::size_t rows = 0;
    std::string first;
  };
  const Encoder& encoder_;
  std::vector<double> step_;
  std::vector<DerivedColumn> derived_;
  std::vector<Broken> broken_;  // rows of each derived column
};

}  // namespace scfe::cli
