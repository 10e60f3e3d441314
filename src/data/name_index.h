// Finds columns and levels by the names of model inputs. Three spellings are tried in turn:
//
//     exact                 "loan, amount"    "job=clerk", "job_clerk"
//     plain                 "loan__amount"    every character but ASCII letters and digits is a _
//     letters and digits    "loanamount"      "_2nd_income" is "2nd income"
//
// A spelling shared by several columns or levels matches none, nor do letters and digits shared by inputs.
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "scfe/schema.h"

namespace scfe {

// The column of an input, and the level if the input is one of its one-hot levels.
struct Part {
  std::size_t column = 0;
  std::string level = {};
  bool operator==(const Part&) const = default;
};

class NameIndex {
 public:
  // levels = true: one-hot columns are found by their levels; otherwise all columns by their names.
  NameIndex(const Schema& schema, const std::vector<std::string>& inputs, bool levels);
  // Null if no column matches.
  const Part* find(const std::string& name) const;

 private:
  void add(const std::string& name, const Part& part);

  static constexpr std::size_t spellings = 3;
  std::array<std::map<std::string, Part, std::less<>>, spellings> parts_;
  std::array<std::set<std::string>, spellings> shared_;
};

}  // namespace scfe
