// Trees compare doubles: x <= threshold, or a code in the node's set, goes left. The bits of decision_type:
//
//     1     the split compares categories
//     2     missing values go left
//     4, 8  what counts as missing: nothing (NaN is read as 0), 0, or NaN
//
// The score is the sum of leaves (their mean for random forests) times the objective's sigmoid parameter.
#include "model/trees/read_lightgbm.h"

#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "model/trees/ensemble.h"
#include "scfe/error.h"
#include "support/budget.h"

namespace scfe {
namespace {

constexpr double zero_threshold = 1e-35F;  // LightGBM's kZeroThreshold: numbers closer to 0 count as 0

class LightgbmReader {
 public:
  explicit LightgbmReader(std::string_view text) : rest_(text), budget_(text.size(), "LightGBM model") {
    ensemble_.single = false;
    read_header();
    while (next_tree()) read_tree();
    check_end();
    const double per_iteration = static_cast<double>(ensemble_.base.size());
    if (averaged_) ensemble_.scale = per_iteration / static_cast<double>(ensemble_.roots.size());
    ensemble_.scale *= sigmoid_;
  }
  Ensemble take() { return std::move(ensemble_); }

 private:
  using Fields = std::map<std::string_view, std::string_view>;
  enum class Missing : std::uint8_t { none, zero, nan };

  bool line(std::string_view& result) {
    if (rest_.empty()) return false;
    const std::size_t end = rest_.find('\n');
    result = rest_.substr(0, end);
    rest_.remove_prefix(end == rest_.npos ? rest_.size() : end + 1);
    if (result.ends_with('\r')) result.remove_suffix(1);
    return true;
  }
  // Reads key=value lines up to an empty line.
  Fields fields() {
    Fields result;
    for (std::string_view text; line(text) && !text.empty();) {
      const std::size_t equals = text.find('=');
      if (equals == text.npos)
        result[text] = {};
      else
        result[text.substr(0, equals)] = text.substr(equals + 1);
    }
    return result;
  }
  std::string_view field(const Fields& fields, std::string_view name) const {
    const auto found = fields.find(name);
    if (found == fields.end()) throw Error(where_, "a line " + std::string(name) + "=", "none");
    return found->second;
  }
  template <class T>
  std::vector<T> list(const Fields& fields, std::string_view name) const {
    std::string_view text = field(fields, name);
    std::vector<T> values;
    while (!text.empty()) {
      if (text.front() == ' ') {
        text.remove_prefix(1);
        continue;
      }
      T value{};
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (error != std::errc{})
        throw Error(where_ + " " + std::string(name), "numbers", std::string(text.substr(0, 20)));
      values.push_back(value);
      text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    }
    return values;
  }
  template <class T>
  T one(const Fields& fields, std::string_view name) const {
    const std::vector<T> values = list<T>(fields, name);
    if (values.size() != 1)
      throw Error(where_ + " " + std::string(name), "one number", std::to_string(values.size()));
    return values[0];
  }

  void read_header() {
    const Fields header = fields();
    const auto scores = one<std::int64_t>(header, "num_tree_per_iteration");
    if (scores < 1 || scores > 1 << 16)
      throw Error("num_tree_per_iteration", "1 to 65536", std::to_string(scores));
    const auto last_input = one<std::int64_t>(header, "max_feature_idx");
    if (last_input < 0 || last_input >= 1 << 24)
      throw Error("max_feature_idx", "0 to 2^24", std::to_string(last_input));
    ensemble_.base.assign(static_cast<std::size_t>(scores), 0.0);
    ensemble_.inputs = static_cast<std::size_t>(last_input) + 1;
    averaged_ = header.contains("average_output");
    if (header.contains("tree_sizes")) trees_ = list<std::int64_t>(header, "tree_sizes").size();
    if (!header.contains("objective")) return;
    const std::string_view objective = header.at("objective"),
                           name = objective.substr(0, objective.find(' '));
    static constexpr std::string_view known[] = {
        "binary", "multiclass", "multiclassova", "cross_entropy", "regression", "regression_l1",
        "huber",  "fair",       "quantile",      "mape",          "custom",     "none"};
    if (std::find(std::begin(known), std::end(known), name) == std::end(known))
      throw Error("objective", "binary, multiclass, cross_entropy or regression", std::string(name));
    const bool logistic = name == "binary" || name == "cross_entropy",
               classes = logistic || name.starts_with("multiclass") || name == "custom" || name == "none";
    if (scores == 1)
      ensemble_.output = logistic  ? Model::Output::sigmoid
                         : classes ? Model::Output::unknown
                                   : Model::Output::number;
    const std::size_t parameter = objective.find("sigmoid:");
    if (parameter == objective.npos) return;
    const std::string_view value = objective.substr(parameter + 8);
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), sigmoid_);
    const bool whole = end == value.data() + value.size() || *end == ' ';
    if (error != std::errc{} || !whole || !(sigmoid_ > 0 && std::isfinite(sigmoid_)))
      throw Error("sigmoid", "a number > 0", std::string(value));
  }

  bool next_tree() {
    for (std::string_view text; line(text);) {
      if (text.starts_with("end of trees")) return false;
      if (!text.starts_with("Tree=")) continue;
      where_ = "tree " + std::string(text.substr(5));
      return true;
    }
    throw Error("LightGBM model", "a line \"end of trees\"", "none");
  }

  // The header counts the trees, and behind them the parameters are written, with a line at their end: a file
  // that was cut off lacks one or the other.
  void check_end() {
    if (trees_ && *trees_ != ensemble_.roots.size())
      throw Error("LightGBM model", std::to_string(*trees_) + " trees, as its header says",
                  std::to_string(ensemble_.roots.size()));
    for (std::string_view text; line(text);)
      if (text == "end of parameters") return;
    throw Error("LightGBM model", "a line \"end of parameters\"", "none (the file is cut off)");
  }

  void read_tree() {
    const Fields tree = fields();
    set_begin_.clear();
    set_words_.clear();
    const auto leaves = one<std::int64_t>(tree, "num_leaves");
    const auto value = list<double>(tree, "leaf_value");
    if (leaves < 1 || static_cast<std::size_t>(leaves) != value.size())
      throw Error(where_, std::to_string(leaves) + " leaf values", std::to_string(value.size()));
    if (tree.contains("is_linear") && tree.at("is_linear") == "1")
      throw Error(where_, "constant leaves", "linear ones");
    const std::size_t splits = value.size() - 1;
    const auto root = static_cast<std::uint32_t>(ensemble_.nodes.size());
    const auto score = static_cast<std::uint32_t>(ensemble_.roots.size() % ensemble_.base.size());
    ensemble_.roots.push_back(root);
    ensemble_.nodes.resize(root + splits + value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
      Ensemble::Node& leaf = ensemble_.nodes[root + splits + i];
      leaf.first = static_cast<std::uint32_t>(ensemble_.values.size());
      ensemble_.values.push_back({score, value[i]});
      leaf.last = leaf.first + 1;
    }
    if (splits > 0) read_splits(tree, root, splits);
  }

  void read_splits(const Fields& tree, std::uint32_t root, std::size_t splits) {
    const auto input = list<std::int64_t>(tree, "split_feature"),
               kind = list<std::int64_t>(tree, "decision_type"),
               left = list<std::int64_t>(tree, "left_child"), right = list<std::int64_t>(tree, "right_child");
    const auto threshold = list<double>(tree, "threshold");
    if (tree.contains("cat_boundaries")) set_begin_ = list<std::int64_t>(tree, "cat_boundaries");
    if (tree.contains("cat_threshold")) set_words_ = list<std::uint32_t>(tree, "cat_threshold");
    for (const std::size_t size : {input.size(), kind.size(), left.size(), right.size(), threshold.size()})
      if (size != splits)
        throw Error(where_, std::to_string(splits) + " entries in each list", std::to_string(size));
    // A negative child is a leaf: -1 is the first leaf, -2 the second.
    const auto child = [&](std::int64_t at) {
      const auto all = static_cast<std::int64_t>(splits);
      if (at >= all || at < -1 - all) throw Error(where_, "children within the tree", std::to_string(at));
      return root + static_cast<std::uint32_t>(at >= 0 ? at : all - 1 - at);
    };
    for (std::size_t i = 0; i < splits; ++i) {
      if (input[i] < 0 || static_cast<std::size_t>(input[i]) >= ensemble_.inputs)
        throw Error(where_, "inputs below " + std::to_string(ensemble_.inputs), std::to_string(input[i]));
      const Branch branch{static_cast<std::uint32_t>(input[i]),
                          Compare::less_equal,
                          threshold[i],
                          (kind[i] & 2) != 0,
                          child(left[i]),
                          child(right[i])};
      if ((kind[i] & 1) != 0)
        set_category(root + static_cast<std::uint32_t>(i), branch);
      else
        set_number(root + static_cast<std::uint32_t>(i), branch, static_cast<Missing>(kind[i] >> 2 & 3));
    }
  }

  void set_number(std::uint32_t node, Branch branch, Missing missing) {
    const bool zero_left = 0 <= branch.threshold;
    const bool default_left = branch.missing_yes;
    if (missing == Missing::none) branch.missing_yes = zero_left;
    if (missing != Missing::zero || zero_left == default_left) return set_branch(ensemble_, node, branch);
    // Zeros are missing values here and take another side than the numbers around them: two more nodes.
    const auto inner = static_cast<std::uint32_t>(ensemble_.nodes.size());
    ensemble_.nodes.resize(inner + 2);
    const std::uint32_t island = default_left ? branch.yes : branch.no;
    set_branch(ensemble_, inner, branch);
    set_branch(ensemble_, inner + 1, {branch.input, Compare::less, -zero_threshold, false, inner, island});
    set_branch(ensemble_, node, {branch.input, Compare::less_equal, zero_threshold, true, inner + 1, inner});
  }

  void set_category(std::uint32_t at, const Branch& branch) {
    const std::vector<std::int64_t>& begin = set_begin_;
    const std::vector<std::uint32_t>& words = set_words_;
    const double index = branch.threshold;
    if (!(index >= 0 && index + 1 < static_cast<double>(begin.size())))
      throw Error(where_, "a set of categories for each such split", std::to_string(index));
    const std::int64_t first = begin[static_cast<std::size_t>(index)],
                       last = begin[static_cast<std::size_t>(index) + 1];
    if (first < 0 || last < first || static_cast<std::size_t>(last) > words.size())
      throw Error(where_, "categories within their list", std::to_string(last));
    budget_.take(16 * static_cast<double>(last - first));  // the set, in a list that doubles as it grows
    std::vector<std::uint32_t> members;
    for (std::int64_t w = first; w < last; ++w)
      for (std::uint32_t bit = 0; bit < 32; ++bit)
        if ((words[static_cast<std::size_t>(w)] >> bit & 1) != 0)
          members.push_back(static_cast<std::uint32_t>(w - first) * 32 + bit);
    Ensemble::Node node;
    node.input = branch.input;
    node.left = branch.yes;
    node.right = branch.no;
    set_codes(ensemble_, node, members);
    ensemble_.nodes[at] = node;
  }

  std::string_view rest_;
  Budget budget_;
  std::string where_ = "header";
  Ensemble ensemble_;
  std::vector<std::int64_t> set_begin_;  // current tree: where each set begins in set_words_
  std::vector<std::uint32_t> set_words_;
  std::optional<std::size_t> trees_;  // as the header says
  bool averaged_ = false;
  double sigmoid_ = 1;
};

}  // namespace

bool is_lightgbm(std::string_view bytes) {
  return bytes.starts_with("tree\n") || bytes.starts_with("tree\r\n");
}

std::shared_ptr<const Model> parse_lightgbm(std::string_view bytes, const std::string& source) {
  try {
    return ensemble_model(LightgbmReader(bytes).take(), "LightGBM model");
  } catch (const Error& error) {
    throw Error(source + ": " + error.what());
  }
}

}  // namespace scfe
