// The measured batches of a comparison that is not complete yet, so that it can be resumed (journal.h).
#pragma once

#include <map>
#include <string>

#include "ask/comparing.h"
#include "output/journal.h"

namespace scfe::app {

class ComparisonJournal {
 public:
  // At PATH.partial of an output. `key` identifies the whole comparison, see comparison_key().
  ComparisonJournal(const std::string& path, const std::string& key, bool resume);
  ComparisonStore store();
  void keep() { journal_.keep(); }  // after an interruption
  void discard() { journal_.discard(); }

 private:
  void read(std::string_view bytes);

  std::string source_;
  Journal journal_;
  std::map<Batch, MeasuredBatch> known_;
};

// Depends on all that decides the answers and how they are measured.
std::string comparison_key(const Question& base, const std::vector<Contender>& contenders,
                           const Table& table);

}  // namespace scfe::app
