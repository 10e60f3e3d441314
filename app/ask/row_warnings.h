// Warnings about the rows of a file that is read batch by batch.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ask/question.h"
#include "scfe/bundle.h"
#include "scfe/rules.h"

namespace scfe::app {

// Warns once of an id that several rows have, because joining answers by id would mix those rows up.
class RowIds {
 public:
  explicit RowIds(const Schema& schema) : id_(schema.id) {}
  void look_at(const Table& table);
  std::vector<std::string> warnings(const std::string& source) const;

 private:
  struct Twice {
    std::string id;
    std::size_t first, again;  // rows of the file
  };
  std::string id_;
  std::unordered_map<std::string, std::size_t> rows_;  // of the first ids only, which bounds the memory
  std::optional<Twice> twice_;
};

// Warns once per rule of rows that violate a rule which derives a column (rate := amount / months). An answer
// recomputes the column if a source changes, so that its value seems to jump.
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

// All warnings about the rows of a table.
class RowWarnings {
 public:
  explicit RowWarnings(const Question& question);
  // Warns of columns that are not used.
  void warn_of_columns(const Table& table) const;
  // A batch that was answered by an earlier run, or is answered now.
  void skip(const Table& batch);
  void look_at(const Table& batch, const Encoded& encoded);
  // After the last batch.
  void warn_of_rows(const std::string& source) const;

 private:
  const Question& question_;
  RowIds ids_;
  OwnRules own_rules_;
  std::size_t rows_ = 0, filled_ = 0;
};

}  // namespace scfe::app
