// Every choice a user can make, in one table: it feeds flags, JSON, Python keywords and docs/options.md.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace scfe {

struct Options {
  // Fitting.
  std::string space = "minmax";
  std::string density = "auto";
  int neighbours = 5;
  double bandwidth = 0;
  int max_components = 8;
  std::string distance = "l2";
  bool paper_density = false;
  bool plain_gravity = false;
  std::uint64_t seed = 0;
  std::string precision = "float";

  // What is wished.
  int target = -1;
  double probability = 0;
  std::string reach;
  double plausible = 0.10;
  int max_changes = 3;
  bool fewest_first = true;
  int answers = 1;
  std::string diverse = "features";
  bool path = false;
  bool hints = true;
  double robust = 0;

  // How it is found.
  std::string method = "scfe";
  bool certify = false;
  std::string solver = "auto";
  std::string sparsity = "top_m";
  double beta = 0.1;
  double tau = 1;
  bool tune = false;
  std::string loss = "hinge";
  double margin = 1e-4;
  std::string step_rule = "backtracking";
  double step = 0.5;
  int iterations = 200;
  int sections = 10;
  bool keep_best = true;
  int beam = 3;
  int screen = 6;
  int sweeps = 2;
  int rounds = 12;
  std::string norm = "l2";
  int polytopes = 5;
  double lof = 0;
  double time_limit = 0;
  int threads = 0;
};

struct OptionRow {
  std::string_view name;
  std::variant<int Options::*, double Options::*, bool Options::*, std::string Options::*,
               std::uint64_t Options::*>
      member;
  std::string_view expected;  // what a value looks like, for errors and docs
  std::string_view help;
};

std::span<const OptionRow> option_catalogue();
// Error naming the option, what was expected and what came.
void set_option(Options& options, std::string_view name, const std::string& text);
std::string option_text(const Options& options, const OptionRow& row);
void check_options(const Options& options);
// The table as Markdown: docs/options.md is made by this.
std::string options_markdown();

}  // namespace scfe
