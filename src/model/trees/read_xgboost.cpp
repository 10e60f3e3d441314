// Trees compare float32 values: x < condition goes left, a code in the node's categories goes right, and a
// missing value goes to the default side. The base score is a probability for logistic objectives, else a
// margin.
#include "model/trees/read_xgboost.h"

#include <charconv>
#include <cmath>

#include "model/trees/ensemble.h"
#include "model/trees/ubjson.h"
#include "scfe/error.h"
#include "support/budget.h"
#include "support/json.h"

namespace scfe {
namespace {

using Json = nlohmann::json;

const Json& member(const Json& object, const char* name, const std::string& where) {
  if (!object.is_object() || !object.contains(name))
    throw Error(where, std::string("a member \"") + name + '"', "none");
  return object.at(name);
}

// The numbers of a text such as "13" or "[5E-1,2E-1]"; empty if there is anything else in it.
std::vector<double> numbers_in(std::string_view text) {
  std::vector<double> numbers;
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  while (!text.empty()) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (error != std::errc{} || !std::isfinite(value) || (!text.empty() && text.front() != ',')) return {};
    numbers.push_back(value);
    if (!text.empty()) text.remove_prefix(1);
  }
  return numbers;
}

// XGBoost writes numeric parameters as text.
double parameter(const Json& object, const char* name, const std::string& where) {
  const Json& value = member(object, name, where);
  if (value.is_number()) return value.get<double>();
  if (value.is_string())
    if (const auto numbers = numbers_in(value.get_ref<const std::string&>()); numbers.size() == 1)
      return numbers[0];
  throw Error(where + " " + name, "a number", brief(value));
}

std::size_t whole(const Json& object, const char* name, double most) {
  const double value = parameter(object, name, "learner_model_param");
  if (!(value >= 0 && value <= most && value == std::floor(value)))
    throw Error(name, "a whole number up to " + std::to_string(most), std::to_string(value));
  return static_cast<std::size_t>(value);
}

template <class T>
std::vector<T> list(const Json& object, const char* name, const std::string& where) {
  const Json& values = member(object, name, where);
  if (!values.is_array()) throw Error(where + " " + name, "an array", values.type_name());
  std::vector<T> result;
  result.reserve(values.size());
  for (const Json& value : values) {
    if (!value.is_number() && !value.is_boolean())
      throw Error(where + " " + name, "numbers", value.type_name());
    const double number = value.is_boolean() ? value.get<bool>() : value.get<double>();
    if (std::is_integral_v<T> && !(std::abs(number) <= 2147483647.0 && number == std::floor(number)))
      throw Error(where + " " + name, "whole numbers of 32 bits", brief(value));
    result.push_back(static_cast<T>(number));
  }
  return result;
}

// The file holds "5E-1", or since version 3.1 "[5E-1]" with one number per class.
std::vector<double> base_scores(const Json& parameters) {
  const Json& given = member(parameters, "base_score", "learner_model_param");
  if (given.is_number()) return {given.get<double>()};
  std::vector<double> scores =
      given.is_string() ? numbers_in(given.get_ref<const std::string&>()) : std::vector<double>{};
  if (scores.empty()) throw Error("base_score", "numbers", brief(given));
  return scores;
}

class XgboostReader {
 public:
  XgboostReader(const Json& document, std::size_t file_bytes) : budget_(file_bytes, "XGBoost model") {
    const Json& learner = member(document, "learner", "model");
    const Json& parameters = member(learner, "learner_model_param", "learner");
    ensemble_.inputs = whole(parameters, "num_feature", 1 << 24);
    const std::size_t classes = whole(parameters, "num_class", 1 << 16);
    read_base(parameters, member(learner, "objective", "learner"), std::max<std::size_t>(classes, 1));
    const Json& booster = member(learner, "gradient_booster", "learner");
    const Json& name = member(booster, "name", "gradient_booster");
    if (name == "dart") {
      drop_ = list<double>(booster, "weight_drop", "gradient_booster");
      read_trees(member(member(booster, "gbtree", "gradient_booster"), "model", "gbtree"));
    } else if (name == "gbtree") {
      read_trees(member(booster, "model", "gradient_booster"));
    } else {
      throw Error("gradient_booster", "gbtree or dart", brief(name));
    }
  }
  Ensemble take() { return std::move(ensemble_); }

 private:
  void read_base(const Json& parameters, const Json& objective, std::size_t scores) {
    const Json& name = member(objective, "name", "objective");
    const bool logistic = name == "binary:logistic" || name == "reg:logistic";
    static constexpr const char* others[] = {"binary:logitraw", "binary:hinge",        "multi:softprob",
                                             "multi:softmax",   "reg:squarederror",    "reg:absoluteerror",
                                             "reg:linear",      "reg:pseudohubererror"};
    const bool known = logistic || std::any_of(std::begin(others), std::end(others),
                                               [&](const char* o) { return name == o; });
    if (!known)
      throw Error("objective", "binary:*, multi:* or reg: logistic, squarederror, absoluteerror",
                  brief(name));
    const bool number = name.get<std::string>().starts_with("reg:");
    ensemble_.output = logistic ? Model::Output::sigmoid
                       : number ? Model::Output::number
                                : Model::Output::unknown;
    std::vector<double> base = base_scores(parameters);
    if (base.size() == 1) base.resize(scores, base[0]);
    if (base.size() != scores)
      throw Error("base_score", std::to_string(scores) + " numbers", std::to_string(base.size()));
    for (double& score : base) {
      if (logistic && !(score > 0 && score < 1))
        throw Error("base_score", "a probability", std::to_string(score));
      if (logistic) score = -std::log(1 / score - 1);
    }
    ensemble_.base = base;
  }

  void read_trees(const Json& model) {
    const Json& trees = member(model, "trees", "model");
    const auto classes = list<std::int64_t>(model, "tree_info", "model");
    if (!trees.is_array() || trees.size() != classes.size())
      throw Error("model", "a class in tree_info for each tree", std::to_string(classes.size()));
    if (!drop_.empty() && drop_.size() != trees.size())
      throw Error("weight_drop", std::to_string(trees.size()) + " numbers", std::to_string(drop_.size()));
    for (std::size_t t = 0; t < trees.size(); ++t) {
      where_ = "tree " + std::to_string(t);
      if (classes[t] < 0 || static_cast<std::size_t>(classes[t]) >= ensemble_.base.size())
        throw Error(where_, "a class below " + std::to_string(ensemble_.base.size()),
                    std::to_string(classes[t]));
      read_tree(trees[t], static_cast<std::uint32_t>(classes[t]), drop_.empty() ? 1 : drop_[t]);
    }
  }

  void read_tree(const Json& tree, std::uint32_t score, double weight) {
    const auto left = list<std::int64_t>(tree, "left_children", where_),
               right = list<std::int64_t>(tree, "right_children", where_),
               input = list<std::int64_t>(tree, "split_indices", where_),
               missing = list<std::int64_t>(tree, "default_left", where_);
    const auto condition = list<double>(tree, "split_conditions", where_);
    const std::size_t count = left.size();
    for (const std::size_t size : {right.size(), input.size(), missing.size(), condition.size()})
      if (size != count || count == 0) throw Error(where_, "lists of one length", std::to_string(size));
    const auto root = static_cast<std::uint32_t>(ensemble_.nodes.size());
    ensemble_.roots.push_back(root);
    ensemble_.nodes.resize(root + count);
    const auto child = [&](std::int64_t at) {
      if (at < 0 || static_cast<std::size_t>(at) >= count)
        throw Error(where_, "children within the tree", std::to_string(at));
      return root + static_cast<std::uint32_t>(at);
    };
    std::vector<char> by_codes(count, 0);
    if (tree.contains("split_type")) {
      const auto kinds = list<std::int64_t>(tree, "split_type", where_);
      for (std::size_t i = 0; i < std::min(count, kinds.size()); ++i) by_codes[i] = kinds[i] == 1;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      if (left[i] == -1) {
        add_leaf(root + i, score, weight * condition[i]);
        continue;
      }
      if (input[i] < 0) throw Error(where_, "an input", std::to_string(input[i]));
      const auto column = static_cast<std::uint32_t>(input[i]);
      set_branch(ensemble_, root + i,
                 {column, Compare::less, condition[i], missing[i] != 0, child(left[i]), child(right[i])});
    }
    read_categories(tree, root, by_codes);
  }

  void add_leaf(std::uint32_t node, std::uint32_t score, double value) {
    ensemble_.nodes[node].first = static_cast<std::uint32_t>(ensemble_.values.size());
    ensemble_.values.push_back({score, value});
    ensemble_.nodes[node].last = static_cast<std::uint32_t>(ensemble_.values.size());
  }

  // Categorical nodes were first read as threshold nodes. XGBoost sends codes in the set right: sides swap.
  void read_categories(const Json& tree, std::uint32_t root, const std::vector<char>& by_codes) {
    if (std::find(by_codes.begin(), by_codes.end(), 1) == by_codes.end()) return;
    const auto codes = list<std::int64_t>(tree, "categories", where_),
               nodes = list<std::int64_t>(tree, "categories_nodes", where_),
               begin = list<std::int64_t>(tree, "categories_segments", where_),
               sizes = list<std::int64_t>(tree, "categories_sizes", where_);
    if (begin.size() != nodes.size() || sizes.size() != nodes.size())
      throw Error(where_, "a segment of categories for each node", std::to_string(begin.size()));
    std::size_t seen = 0;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      if (nodes[k] < 0 || static_cast<std::size_t>(nodes[k]) >= by_codes.size() ||
          by_codes[static_cast<std::size_t>(nodes[k])] == 0)
        throw Error(where_, "a node that splits categories", std::to_string(nodes[k]));
      if (begin[k] < 0 || sizes[k] < 0 || static_cast<std::size_t>(begin[k] + sizes[k]) > codes.size())
        throw Error(where_, "categories within their list", std::to_string(begin[k] + sizes[k]));
      Ensemble::Node& node = ensemble_.nodes[root + static_cast<std::size_t>(nodes[k])];
      if (node.split != Ensemble::Split::threshold)
        throw Error(where_, "one set for each node", "a leaf, or two");
      std::vector<std::uint32_t> members;
      std::int64_t largest = 0;
      for (std::int64_t i = begin[k]; i < begin[k] + sizes[k]; ++i) {
        const std::int64_t code = codes[static_cast<std::size_t>(i)];
        if (code < 0) throw Error(where_, "codes of at least 0", std::to_string(code));
        largest = std::max(largest, code);
        members.push_back(static_cast<std::uint32_t>(code));
      }
      budget_.take(static_cast<double>(largest) / 4 + 8 * static_cast<double>(sizes[k]));
      std::swap(node.left, node.right);
      node.missing_left = !node.missing_left;
      set_codes(ensemble_, node, members);
      ++seen;
    }
    for (std::size_t i = 0; i < by_codes.size(); ++i)
      if (by_codes[i] != 0 && ensemble_.nodes[root + i].split == Ensemble::Split::threshold)
        throw Error(where_, "a set for each node of categories", "none");
  }

  Budget budget_;  // a set takes a bit for each code up to its largest, in a list that doubles as it grows
  Ensemble ensemble_;
  std::vector<double> drop_;
  std::string where_;
};

}  // namespace

bool is_xgboost_json(std::string_view bytes) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && bytes[first] == '{' && bytes.find("\"learner\"") != bytes.npos;
}

bool is_xgboost_ubjson(std::string_view bytes) {
  return bytes.size() > 2 && bytes[0] == '{' && std::string_view("iUIlL").find(bytes[1]) != bytes.npos &&
         bytes.find("learner") != bytes.npos;
}

Json xgboost_document(std::string_view bytes, const std::string& source) {
  if (!is_xgboost_ubjson(bytes)) return parse_json(bytes, source);
  try {
    return parse_ubjson(bytes);
  } catch (const Error& error) {
    throw Error(source + ": " + error.what());
  }
}

std::shared_ptr<const Model> parse_xgboost(std::string_view bytes, const std::string& source) {
  const Json document = xgboost_document(bytes, source);
  try {
    return ensemble_model(XgboostReader(document, bytes.size()).take(), "XGBoost model");
  } catch (const Error& error) {
    throw Error(source + ": " + error.what());
  }
}

}  // namespace scfe
