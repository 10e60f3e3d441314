// The fitted explainers that are served. Questions are kept prepared: the page and most clients ask the same
// one about many rows.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "ask/answering.h"
#include "ask/question.h"
#include "server/json_in.h"

namespace scfe::server {

inline constexpr int most_examples = 1000;  // rows to begin with that a model keeps

// A question that was checked and can be answered at once, by many threads.
struct Prepared {
  Json asked;  // normal form
  std::vector<std::string> warnings;
  app::Question question;
  app::Answering answering;

  // With the server's explainer; a Question keeps a copy that shares what was fitted.
  Prepared(Json normal, app::Question made, std::vector<std::string> said);
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;
};

class ServedModel {
 public:
  ServedModel(std::string name, Bundle bundle, app::RowNoun noun = {});

  const std::string& name() const { return name_; }
  const Bundle& bundle() const { return bundle_; }
  const Schema& schema() const { return bundle_.encoder.schema(); }
  const app::RowNoun& noun() const { return noun_; }
  const std::string& document() const { return document_; }  // GET /api/models/NAME
  const Table& examples() const { return examples_; }
  // `numbers`: of the rows in their file; empty: 1, 2, ...
  void set_examples(Table rows, std::vector<std::size_t> numbers = {}) {
    examples_ = std::move(rows);
    example_numbers_ = std::move(numbers);
  }
  std::size_t example_number(std::size_t row) const {
    return example_numbers_.empty() ? row + 1 : example_numbers_[row];
  }

  // Throws Error if the question is not valid. `by`: the column whose values are groups; empty: none.
  std::shared_ptr<const Prepared> prepare(const Json& question, const Limits& limits) const;
  // A question for a job or an audit, on that many threads; not kept.
  std::shared_ptr<const Prepared> prepare_once(const Json& question, const Limits& limits,
                                               const std::string& by, int threads) const;

 private:
  std::string name_;
  Bundle bundle_;
  app::RowNoun noun_;
  std::string document_;
  Table examples_;
  std::vector<std::size_t> example_numbers_;

  using Entry = std::pair<std::string, std::shared_ptr<const Prepared>>;
  mutable std::mutex mutex_;
  mutable std::list<Entry> recent_;  // the last one used first
  mutable std::map<std::string, std::list<Entry>::iterator> by_text_;
};

class Models {
 public:
  // Named after its file, without folder and ending. Throws Error if the name is taken.
  void add(const std::string& path);
  void add(std::string name, Bundle bundle, const app::RowNoun& noun);
  // Example rows go to every model whose columns they have. Throws Error if there is none.
  void add_examples(const std::string& path);

  const std::vector<std::unique_ptr<ServedModel>>& all() const { return models_; }
  std::vector<std::unique_ptr<ServedModel>>& all() { return models_; }
  const ServedModel* find(const std::string& name) const;

 private:
  std::vector<std::unique_ptr<ServedModel>> models_;
};

}  // namespace scfe::server
