// Warns once per rule of rows that violate a rule which derives a column (rate := amount / months). An answer
// recomputes the column if a source changes, so that its value seems to jump.
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
  std::vector<Broken> broken_;  // violations of each derived column
};

}  // namespace scfe::cli
