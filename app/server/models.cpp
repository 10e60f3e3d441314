#include "server/models.h"

#include <algorithm>
#include <filesystem>

#include "scfe/error.h"
#include "scfe/text.h"
#include "server/model_document.h"

namespace scfe::server {
namespace {

constexpr std::size_t most_prepared = 64;

// Names are parts of paths and of metrics, so only letters, digits, '_', '-' and '.' are kept.
std::string model_name(const std::string& path) {
  std::string name = std::filesystem::path(path).stem().string();
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '.') c = '_';
  return name.empty() ? "model" : name;
}

}  // namespace

Prepared::Prepared(Json normal, app::Question made, std::vector<std::string> said)
    : asked(std::move(normal)), warnings(std::move(said)), question(std::move(made)), answering(question) {}

ServedModel::ServedModel(std::string name, Bundle bundle, app::RowNoun noun)
    : name_(std::move(name)), bundle_(std::move(bundle)), noun_(std::move(noun)) {
  document_ = model_document(*this);
}

std::shared_ptr<const Prepared> ServedModel::prepare(const Json& question, const Limits& limits) const {
  const Json normal = normal_question(question, schema(), limits);
  const std::string text = normal.dump();
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = by_text_.find(text); found != by_text_.end()) {
      recent_.splice(recent_.begin(), recent_, found->second);
      return found->second->second;
    }
  }
  auto prepared = prepare_once(normal, limits, "", 1);
  const std::lock_guard lock(mutex_);
  if (by_text_.contains(text)) return prepared;
  recent_.emplace_front(text, prepared);
  by_text_[text] = recent_.begin();
  if (recent_.size() > most_prepared) {
    by_text_.erase(recent_.back().first);
    recent_.pop_back();
  }
  return prepared;
}

std::shared_ptr<const Prepared> ServedModel::prepare_once(const Json& question, const Limits& limits,
                                                          const std::string& by, int threads) const {
  Json normal = normal_question(question, schema(), limits);
  app::Arguments arguments = arguments_of(normal);
  if (!by.empty()) arguments.flags["by"] = {by};
  std::vector<std::string> said;
  arguments.warn = [&said](const std::vector<std::string>& lines) {
    said.insert(said.end(), lines.begin(), lines.end());
  };
  app::Question made = app::question_of(bundle_, arguments);
  made.options.threads = threads;
  made.noun = noun_;
  made.warn = [](const std::vector<std::string>&) {};
  return std::make_shared<const Prepared>(std::move(normal), std::move(made), std::move(said));
}

void Models::add(const std::string& path) { add(model_name(path), load_bundle(path), {}); }

void Models::add(std::string name, Bundle bundle, const app::RowNoun& noun) {
  if (find(name) != nullptr)
    throw Error("files", "models with different names (that of the file is the model's)",
                "'" + name + "' twice");
  models_.push_back(std::make_unique<ServedModel>(std::move(name), std::move(bundle), noun));
}

void Models::add_examples(const std::string& path) {
  CsvReader reader(path);
  Table rows;
  reader.read(rows, most_examples);
  std::string why = "no model is served";
  bool taken = false;
  for (const auto& model : models_) try {
      (void)model->bundle().encoder.encode(rows);
      model->set_examples(rows);
      taken = true;
    } catch (const Error& error) {
      why = error.what();
    }
  if (!taken) throw Error("--examples: " + why);
}

const ServedModel* Models::find(const std::string& name) const {
  const auto found = std::ranges::find_if(models_, [&](const auto& model) { return model->name() == name; });
  return found == models_.end() ? nullptr : found->get();
}

}  // namespace scfe::server
