// All options. One catalogue describes them; flags, --help, JSON, checks and docs/options.md are derived from
// it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scfe/choices.h"

namespace scfe {

// option_catalogue() below and docs/options.md say what each one means.
struct Options {
  SpaceKind space = SpaceKind::minmax;
  DensityKind density = DensityKind::automatic;
  int neighbours = 5;
  double bandwidth = 0;
  int max_components = 8;
  Distance distance = Distance::l2;
  Weighting weights = Weighting::schema;
  bool paper_density = false;
  bool plain_gravity = false;
  Metric gravity_metric = Metric::l2;
  DensitySpace density_space = DensitySpace::inputs;
  std::uint64_t seed = 0;
  Precision precision = Precision::automatic;
  LearnedRules learned_rules = LearnedRules::use;
  std::string drop_rules;

  Target target = Target::other();
  double probability = 0;
  std::string reach;
  double plausible = 0.10;
  BelowFloor below_floor = BelowFloor::most_plausible;
  int max_changes = 3;
  bool fewest_first = true;
  int answers = 1;
  Diverse diverse = Diverse::features;
  bool path = false;
  bool hints = true;
  double robust = 0;

  Method method = Method::scfe;
  bool certify = false;
  Solver solver = Solver::automatic;
  SparsityKind sparsity = SparsityKind::top_m;
  double beta = 0.1;
  double tau = 1;
  bool tune = false;
  LossKind loss = LossKind::hinge;
  double margin = 1e-4;
  StepRule step_rule = StepRule::backtracking;
  double step = 0.5;
  int iterations = 200;
  int sections = 10;
  bool keep_best = true;
  int beam = 3;
  int screen = 6;
  int sweeps = 2;
  int rounds = 12;
  Norm norm = Norm::l2;
  int polytopes = 5;
  double lof = 0;
  int lof_neighbours = 20;
  Metric lof_metric = Metric::l2;
  double time_limit = 0;
  int threads = 0;
};

using OptionMember =
    std::variant<bool Options::*, int Options::*, std::uint64_t Options::*, double Options::*,
                 std::string Options::*, Target Options::*, SpaceKind Options::*, DensityKind Options::*,
                 Distance Options::*, Weighting Options::*, Precision Options::*, Diverse Options::*,
                 Method Options::*, Solver Options::*, SparsityKind Options::*, LossKind Options::*,
                 StepRule Options::*, Norm Options::*, BelowFloor Options::*, Metric Options::*,
                 LearnedRules Options::*, DensitySpace Options::*>;

// When an option applies.
enum class Stage {
  fit,   // when an explainer is fitted; it cannot change afterwards
  ask,   // with each question: what is asked
  tune,  // with each question: how answers are searched for
};
template <>
inline constexpr auto choices_of<Stage> =
    std::to_array<NamedValue<Stage>>({{Stage::fit, "fit"}, {Stage::ask, "ask"}, {Stage::tune, "tune"}});

// The heading of an option in --help and in the docs.
enum class OptionGroup { question, answers, fitted, run, effort, densities, paper, methods };
struct OptionHeading {
  OptionGroup value;
  std::string_view name;
  bool is_everyday;  // false: few users need it
};
template <>
inline constexpr auto choices_of<OptionGroup> =
    std::to_array<OptionHeading>({{OptionGroup::question, "What is asked", true},
                                  {OptionGroup::answers, "Which answers are given", true},
                                  {OptionGroup::fitted, "What is fitted", true},
                                  {OptionGroup::run, "Time and threads", true},
                                  {OptionGroup::effort, "Search effort", false},
                                  {OptionGroup::densities, "Details of the densities", false},
                                  {OptionGroup::paper, "The paper's algorithm", false},
                                  {OptionGroup::methods, "Compared methods", false}});
constexpr bool is_everyday(OptionGroup group) {
  return std::ranges::find(choices_of<OptionGroup>, group, &OptionHeading::value)->is_everyday;
}

// The type of a value, for parsers, forms and bindings of other languages.
enum class OptionType { flag, whole, number, share, seconds, choice, target, range, numbers };

struct OptionBounds {
  double least = -std::numeric_limits<double>::infinity();
  double greatest = std::numeric_limits<double>::infinity();
  enum class Ends { closed, above_least, below_greatest } ends = Ends::closed;
  bool or_zero = false;            // 0 is allowed as well
  std::string_view greatest_is{};  // in words, if the greatest value depends on the data

  // False for a number that is not finite.
  bool hold(double value) const;
};

struct OptionRow {
  std::string_view name;
  OptionMember member;
  Stage stage;
  OptionGroup group;
  OptionType type;
  OptionBounds bounds;  // of a number
  std::string_view help;
  bool is_per_request = stage == Stage::ask;  // a client of a server may set it with each request

  // True for the row of this member of Options.
  bool is(OptionMember other) const { return member == other; }
  // What a value looks like, for errors and docs: "a whole number >= 1", "l2 or mad".
  std::string expected() const;
  // The names of a choice; empty for other types.
  std::vector<std::string_view> choices() const;
  std::string default_text() const;
  // "boolean", "integer", "number" or "string", as JSON Schema and OpenAPI name them.
  std::string_view json_type() const;
};

std::span<const OptionRow> option_catalogue();
// False if the text is not a value of the option's type. Its bounds are checked by check_options.
bool read_option(Options& options, const OptionRow& row, const std::string& text);
// The same by name. Throws Error, naming the option, what was expected and what was given.
void set_option(Options& options, std::string_view name, const std::string& text);
std::string option_text(const Options& options, const OptionRow& row);
// The numbers in options.drop_rules. Throws Error unless they are numbers from 1.
std::vector<std::size_t> dropped_rules(const Options& options);
// Throws Error if an option is out of its bounds, or if two options exclude each other.
void check_options(const Options& options);
// The catalogue as Markdown, a table for each group, as in docs/options.md.
std::string options_markdown();

}  // namespace scfe
