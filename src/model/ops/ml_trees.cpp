// ai.onnx.ml: TreeEnsembleClassifier and TreeEnsembleRegressor, whose nodes are parallel lists, and
// TreeEnsemble (operator set 5).
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "model/ops/lower.h"
#include "model/ops/ml_post.h"
#include "model/ops/trees.h"

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

using Mode = TreeNode::Mode;

Mode mode_of(const Site& site, const std::string& name) {
  static const std::map<std::string, Mode, std::less<>> modes = {
      {"LEAF", Mode::leaf},    {"BRANCH_LEQ", Mode::leq}, {"BRANCH_LT", Mode::lt},  {"BRANCH_GTE", Mode::gte},
      {"BRANCH_GT", Mode::gt}, {"BRANCH_EQ", Mode::eq},   {"BRANCH_NEQ", Mode::neq}};
  const auto found = modes.find(name);
  if (found == modes.end()) site.fail("a known kind of tree node", name);
  return found->second;
}

std::vector<Real> reals_of(const Site& site, const std::string& name) {
  std::vector<Real> values = site.reals(name);
  if (const TensorPtr tensor = site.tensor(name + "_as_tensor"); values.empty() && tensor)
    for (std::size_t i = 0; i < tensor->size(); ++i) values.push_back(static_cast<Real>(tensor->real(i)));
  return values;
}

std::uint32_t unsigned_of(const Site& site, std::int64_t value, const std::string& what) {
  if (value < 0 || value > 0x7fffffff) site.fail(what + " of at least 0", std::to_string(value));
  return static_cast<std::uint32_t>(value);
}

// Reads the lists that classifier and regressor share; those of the weights are named `prefix`_nodeids etc.
class ListReader {
 public:
  ListReader(Site& site, const std::string& prefix, std::size_t targets) : site_(site) {
    read_nodes();
    read_weights(prefix, targets);
    read_base(targets);
    const std::string aggregate = site.text("aggregate_function", "SUM");
    forest_.aggregate = aggregate == "AVERAGE" ? Aggregate::average
                        : aggregate == "MIN"   ? Aggregate::min
                        : aggregate == "MAX"   ? Aggregate::max
                                               : Aggregate::sum;
  }
  Forest take() { return std::move(forest_); }

 private:
  using Key = std::pair<std::int64_t, std::int64_t>;  // tree, node

  void expect(std::size_t count, std::size_t got, const std::string& name) {
    if (count != got) site_.fail(std::to_string(count) + " " + name, std::to_string(got));
  }

  void read_nodes() {
    const auto tree = site_.integers("nodes_treeids"), id = site_.integers("nodes_nodeids");
    const auto feature = site_.integers("nodes_featureids");
    const auto yes = site_.integers("nodes_truenodeids"), no = site_.integers("nodes_falsenodeids");
    const auto missing = site_.integers("nodes_missing_value_tracks_true");
    const auto modes = site_.texts("nodes_modes");
    const auto values = reals_of(site_, "nodes_values");
    const std::size_t count = tree.size();
    for (const std::size_t size :
         {id.size(), feature.size(), yes.size(), no.size(), modes.size(), values.size()})
      expect(count, size, "entries in each list of nodes");
    if (!missing.empty()) expect(count, missing.size(), "nodes_missing_value_tracks_true");
    for (std::size_t i = 0; i < count; ++i)
      if (!at_.emplace(Key{tree[i], id[i]}, static_cast<std::uint32_t>(i)).second)
        site_.fail("distinct nodes", "one twice");
    forest_.nodes.resize(count);
    std::set<std::uint32_t> children;
    for (std::size_t i = 0; i < count; ++i) {
      TreeNode& node = forest_.nodes[i];
      node.mode = mode_of(site_, modes[i]);
      if (node.mode == Mode::leaf) continue;
      node.value = values[i];
      node.missing_is_true = !missing.empty() && missing[i] != 0;
      node.feature = unsigned_of(site_, feature[i], "a feature");
      node.yes = find(tree[i], yes[i]);
      node.no = find(tree[i], no[i]);
      children.insert({node.yes, node.no});
    }
    std::set<std::int64_t> started;
    for (std::size_t i = 0; i < count; ++i)
      if (!children.contains(static_cast<std::uint32_t>(i)) && started.insert(tree[i]).second)
        forest_.roots.push_back(static_cast<std::uint32_t>(i));
    for (const std::int64_t one : tree)
      if (!started.contains(one)) site_.fail("a root in each tree", "none in tree " + std::to_string(one));
    expect_trees(tree, id);
  }

  // Throws an error unless each node is reached from the root of its tree by exactly one path: there is no
  // second root and no cycle.
  void expect_trees(const std::vector<std::int64_t>& tree, const std::vector<std::int64_t>& id) {
    const auto fail = [&](std::uint32_t at, const std::string& how) {
      site_.fail("nodes that are reached once from the root of their tree",
                 "node " + std::to_string(id[at]) + " of tree " + std::to_string(tree[at]) + " " + how);
    };
    std::vector<bool> reached(forest_.nodes.size());
    std::vector<std::uint32_t> open = forest_.roots;
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      if (reached[at]) fail(at, "twice");
      reached[at] = true;
      if (forest_.nodes[at].mode != Mode::leaf)
        open.insert(open.end(), {forest_.nodes[at].yes, forest_.nodes[at].no});
    }
    for (std::uint32_t i = 0; i < reached.size(); ++i)
      if (!reached[i]) fail(i, "never");
  }

  std::uint32_t find(std::int64_t tree, std::int64_t node) {
    const auto found = at_.find({tree, node});
    if (found == at_.end()) site_.fail("a node of the tree", std::to_string(node));
    return found->second;
  }

  void read_weights(const std::string& prefix, std::size_t targets) {
    const auto tree = site_.integers(prefix + "_treeids"), node = site_.integers(prefix + "_nodeids");
    const auto target = site_.integers(prefix + "_ids");
    const auto values = reals_of(site_, prefix + "_weights");
    for (const std::size_t size : {node.size(), target.size(), values.size()})
      expect(tree.size(), size, "entries in each list of weights");
    std::vector<std::vector<LeafWeight>> lists(forest_.nodes.size());
    for (std::size_t i = 0; i < tree.size(); ++i) {
      const std::uint32_t to = unsigned_of(site_, target[i], "a target");
      if (to >= targets) site_.fail("targets below " + std::to_string(targets), std::to_string(to));
      lists[find(tree[i], node[i])].push_back({to, values[i]});
    }
    for (std::size_t i = 0; i < lists.size(); ++i) {
      forest_.nodes[i].first = static_cast<std::uint32_t>(forest_.weights.size());
      forest_.weights.insert(forest_.weights.end(), lists[i].begin(), lists[i].end());
      forest_.nodes[i].last = static_cast<std::uint32_t>(forest_.weights.size());
    }
  }

  void read_base(std::size_t targets) {
    forest_.base = reals_of(site_, "base_values");
    if (forest_.base.empty()) forest_.base.assign(targets, 0.0F);
    if (forest_.base.size() == 1 && targets == 2) forest_.base = {0.0F, forest_.base[0]};
    if (forest_.base.size() != targets)
      site_.fail(std::to_string(targets) + " base_values", std::to_string(forest_.base.size()));
  }

  Site& site_;
  std::map<Key, std::uint32_t> at_;
  Forest forest_;
};

// Rewrites x in {a, b, ...} as x == a, else x == b, ... All sets are in one list, and a NaN ends each set.
void expand_members(const Site& site, Forest& forest, const std::vector<std::uint32_t>& nodes) {
  if (nodes.empty()) return;
  const TensorPtr values = site.tensor("membership_values");
  std::size_t next = 0;
  for (const std::uint32_t at : nodes) {
    std::uint32_t last = at;
    const TreeNode first = forest.nodes[at];
    forest.nodes[at].value = std::numeric_limits<Real>::quiet_NaN();  // an empty set equals no value
    for (bool empty = true; values && next < values->size(); empty = false) {
      const Real value = static_cast<Real>(values->real(next++));
      if (std::isnan(value)) break;
      if (!empty) {
        forest.nodes[last].no = static_cast<std::uint32_t>(forest.nodes.size());
        last = forest.nodes[last].no;
        forest.nodes.push_back(first);
      }
      forest.nodes[last].value = value;
    }
  }
  if (!values || next != values->size()) site.fail("membership_values for each set", "others");
}

// True if the second score is always minus the first.
bool has_opposite_scores(const Forest& forest) {
  bool any = false;
  for (const TreeNode& node : forest.nodes) {
    Real sum[2] = {0, 0};
    for (std::uint32_t w = node.first; w < node.last; ++w)
      sum[forest.weights[w].target] += forest.weights[w].value;
    if (sum[0] != -sum[1]) return false;
    any = any || sum[0] != 0;
  }
  return any && forest.base[0] == -forest.base[1];
}

}  // namespace

// For two classes the leaves may hold weights of only one: then there is a single score. If no weight is
// negative, ONNX Runtime treats it as a probability and compares it with 1/2, else with 0.
void lower_tree_classifier(Site& site) {
  const std::size_t classes =
      std::max({site.texts("classlabels_strings").size(), site.integers("classlabels_int64s").size()});
  if (classes == 0) site.fail("class labels", "none");
  Forest forest = ListReader(site, "class", std::max<std::size_t>(classes, 2)).take();
  std::set<std::uint32_t> seen;
  bool positive = true;
  for (const LeafWeight& weight : forest.weights) {
    seen.insert(weight.target);
    positive = positive && weight.value >= 0;
  }
  // CatBoost writes the two scores -z and z, of which each gets its own sigmoid: z alone says all.
  if (classes == 2 && site.text("post_transform", "NONE") == "LOGISTIC" && has_opposite_scores(forest)) {
    for (LeafWeight& weight : forest.weights) weight = {0, weight.target == 1 ? weight.value : 0};
    forest.base = {forest.base[1]};
    return classify(site, trees(site.build, as_real(site.in(0)), std::move(forest)), false);
  }
  const bool no_base = std::ranges::all_of(forest.base, [](Real base) { return base == 0; });
  forest.probabilities = positive && no_base && site.text("post_transform", "NONE") == "NONE";
  if (classes <= 2 && seen.size() == 1) {
    const bool both = site.reals("base_values").size() == 2;
    forest.base = {both ? forest.base[*seen.begin()] : forest.base[1]};
    for (LeafWeight& weight : forest.weights) weight.target = 0;
    return classify(site, trees(site.build, as_real(site.in(0)), std::move(forest)), positive);
  }
  classify(site, trees(site.build, as_real(site.in(0)), std::move(forest)), false);
}

void lower_tree_regressor(Site& site) {
  const std::int64_t targets = site.integer("n_targets", 1);
  if (targets < 1 || targets > (1 << 20)) site.fail("n_targets", std::to_string(targets));
  Forest forest = ListReader(site, "target", static_cast<std::size_t>(targets)).take();
  site.out(0, post_transform(site, trees(site.build, as_real(site.in(0)), std::move(forest))));
}

// Here nodes and leaves are in separate lists, and node modes are numbers.
void lower_tree_ensemble(Site& site) {
  const auto feature = site.integers("nodes_featureids"), roots = site.integers("tree_roots");
  const auto yes = site.integers("nodes_truenodeids"), no = site.integers("nodes_falsenodeids");
  const auto yes_leaf = site.integers("nodes_trueleafs"), no_leaf = site.integers("nodes_falseleafs");
  const auto missing = site.integers("nodes_missing_value_tracks_true");
  const auto leaf_target = site.integers("leaf_targetids");
  const TensorPtr modes = site.tensor("nodes_modes"), splits = site.tensor("nodes_splits"),
                  weights = site.tensor("leaf_weights");
  const std::size_t nodes = feature.size(), leaves = leaf_target.size();
  if (!modes || !splits || !weights || modes->size() != nodes || splits->size() != nodes ||
      weights->size() != leaves)
    site.fail("modes, splits and weights for each node and leaf", "others");
  for (const std::size_t size : {yes.size(), no.size(), yes_leaf.size(), no_leaf.size()})
    if (size != nodes) site.fail("lists of one length", "others");
  if (!missing.empty() && missing.size() != nodes) site.fail("lists of one length", "others");
  const std::int64_t targets = site.integer("n_targets", 1),
                     aggregate = site.integer("aggregate_function", 1);
  if (targets < 1 || targets > (1 << 20)) site.fail("n_targets", std::to_string(targets));
  Forest forest;
  forest.nodes.resize(nodes + leaves);
  forest.base.assign(static_cast<std::size_t>(targets), 0.0F);
  forest.aggregate = aggregate == 0   ? Aggregate::average
                     : aggregate == 2 ? Aggregate::min
                     : aggregate == 3 ? Aggregate::max
                                      : Aggregate::sum;
  constexpr std::int64_t member = 6;
  std::vector<std::uint32_t> members;
  static constexpr Mode by_number[] = {Mode::leq, Mode::lt, Mode::gte, Mode::gt, Mode::eq, Mode::neq};
  const auto child = [&](std::int64_t index, bool leaf) {
    const std::uint32_t at = unsigned_of(site, index, "a node");
    if (at >= (leaf ? leaves : nodes)) site.fail("a node of the tree", std::to_string(index));
    return leaf ? static_cast<std::uint32_t>(nodes + at) : at;
  };
  for (std::size_t i = 0; i < nodes; ++i) {
    const std::int64_t mode = modes->integer(i);
    if (mode < 0 || mode > member) site.fail("node modes 0 to 6", std::to_string(mode));
    if (mode == member) members.push_back(static_cast<std::uint32_t>(i));
    forest.nodes[i] = {mode == member ? Mode::eq : by_number[mode],
                       !missing.empty() && missing[i] != 0,
                       unsigned_of(site, feature[i], "a feature"),
                       static_cast<Real>(splits->real(i)),
                       child(yes[i], yes_leaf[i] != 0),
                       child(no[i], no_leaf[i] != 0),
                       0,
                       0};
  }
  for (std::size_t i = 0; i < leaves; ++i) {
    const std::uint32_t target = unsigned_of(site, leaf_target[i], "a target");
    if (target >= forest.base.size())
      site.fail("targets below " + std::to_string(targets), std::to_string(target));
    forest.nodes[nodes + i].first = static_cast<std::uint32_t>(i);
    forest.nodes[nodes + i].last = static_cast<std::uint32_t>(i + 1);
    forest.weights.push_back({target, static_cast<Real>(weights->real(i))});
  }
  for (const std::int64_t root : roots) forest.roots.push_back(child(root, false));
  expand_members(site, forest, members);
  static constexpr std::string_view transforms[] = {"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"};
  const std::int64_t post = site.integer("post_transform", 0);
  if (post < 0 || post > 4) site.fail("post_transform 0 to 4", std::to_string(post));
  site.out(0,
           post_transform(site, trees(site.build, as_real(site.in(0)), std::move(forest)), transforms[post]));
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
