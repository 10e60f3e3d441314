// Columns and levels by the names that a model may give its inputs.
//
//     as they are           "loan, amount"    "job=clerk", "job_clerk"
//     plain                 "loan__amount"    every letter but those of the alphabet and digits is a _
//     letters and digits    "loanamount"      "_2nd_income" is "2nd income"
//
// The first that fits. A spelling that several columns or levels share is none's, and so are the letters and
// digits that several inputs share.
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "scfe/schema.h"

namespace scfe {

// Which column an input is of, and its level if it is one of several.
struct Part {
  std::size_t column = 0;
  std::string level = {};
  bool operator==(const Part&) const = default;
};

class NameIndex {
 public:
  // With `levels` the columns that are one input per level go by their levels, otherwise all by their names.
  NameIndex(const Schema& schema, const std::vector<std::string>& inputs, bool levels);
  // Null where it is no column's.
  const Part* find(const std::string& name) const;

 private:
  void add(const std::string& name, const Part& part);

  static constexpr std::size_t spellings = 3;
  std::array<std::map<std::string, Part, std::less<>>, spellings> parts_;
  std::array<std::set<std::string>, spellings> shared_;
};

}  // namespace scfe
