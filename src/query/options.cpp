#include "scfe/options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <sstream>

#include "scfe/error.h"
#include "support/catalogue.h"
#include "validity/validity.h"

namespace scfe {
namespace {

constexpr int most_answers = 1000;  // each is a search of its own, which keeps off all before

using O = Options;
constexpr std::array rows = {
    OptionRow{"space", &O::space, "minmax, zscore or none",
              "scale of the work space, where distances are measured"},
    OptionRow{
        "density", &O::density, "auto, none, kde, mixture, gmm, gmm_full or knn",
        "what 'plausible' means: log-density of the wished class; auto: kde, or mixture where there are "
        "categories"},
    OptionRow{"neighbours", &O::neighbours, "a whole number >= 1", "k of the knn density"},
    OptionRow{"bandwidth", &O::bandwidth, "a number >= 0", "of the kde; 0: by held-out likelihood"},
    OptionRow{
        "max-components", &O::max_components, "a whole number >= 1",
        "of the gmm at most, decided by BIC; of the mixture up to twice as many, decided by held-out rows"},
    OptionRow{"distance", &O::distance, "l2 or mad",
              "proximity: squared l2, or each feature weighed by 1/MAD"},
    OptionRow{"paper-density", &O::paper_density, "true or false",
              "the public code's normaliser of the kde, to reproduce it"},
    OptionRow{"plain-gravity", &O::plain_gravity, "true or false",
              "knn: -|x - G| as the paper writes it, in place of its square"},
    OptionRow{"seed", &O::seed, "a whole number >= 0", "of everything that is random in fitting"},
    OptionRow{"precision", &O::precision, "float or double",
              "arithmetic of an ONNX model; double for one that was exported in double (docs/onnx.md)"},
    OptionRow{"target", &O::target, "a class number, -1 or -2",
              "wished class, by number (on the command line by name too); -1: the other one of two; -2 "
              "(any): any but "
              "the present one"},
    OptionRow{"probability", &O::probability, "0, or a number from 0.5 to below 1",
              "the wished class's probability to reach; 0: it only has to win"},
    OptionRow{"reach", &O::reach, "LO:HI, either may be empty",
              "regression: where the model's one output has to go; empty: a class is wished"},
    OptionRow{"plausible", &O::plausible, "a number from 0 to 1",
              "at least as typical as this share of the wished class's own held-out rows; 0: no floor"},
    OptionRow{"max-changes", &O::max_changes, "a whole number from 1 to the number of features",
              "how many features may change: m"},
    OptionRow{"fewest-first", &O::fewest_first, "true or false",
              "stop at the smallest number of changes that works; false: the closest with at most m (above "
              "64 features, and with apg, always so)"},
    OptionRow{"answers", &O::answers, "a whole number from 1 to 1000",
              "so many answers a row: each the best of those left (fewest changes first, unless "
              "fewest-first is false), then all by distance"},
    OptionRow{"diverse", &O::diverse, "features or values",
              "how several answers differ: no two change the same features; or some number by a tenth of its "
              "range, or a level"},
    OptionRow{"path", &O::path, "true or false", "the closest answer for each number of changes 1 .. m"},
    OptionRow{"hints", &O::hints, "true or false",
              "where nothing meets the wish: which one limit to lift so that something does"},
    OptionRow{
        "robust", &O::robust, "a number from 0 to below 1",
        "the answer stays valid however its numbers move by up to this share of their range; 0: not asked"},
    OptionRow{"method", &O::method, "scfe, dcfe, cem-pn, cem-pp, pcfe, mip-live, wachter or nearest",
              "whose way: ours, or one of the compared methods (docs/methods.md)"},
    OptionRow{"certify", &O::certify, "true or false",
              "with each answer a bound on how much closer any other could be: linear models and small ReLU "
              "networks"},
    OptionRow{"solver", &O::solver, "auto, search, apg or exact",
              "auto: exact for tree ensembles, search, or apg for penalised sparsity"},
    OptionRow{"sparsity", &O::sparsity, "top_m, l0, l_half, l_two_thirds, l1 or none",
              "exact limit m, or a penalty beta |d|_p^p (apg only)"},
    OptionRow{"beta", &O::beta, "a number >= 0", "weight of a sparsity penalty"},
    OptionRow{"tau", &O::tau, "a number >= 0", "weight of the log-density in apg"},
    OptionRow{"tune", &O::tune, "true or false", "apg: grid search over beta, tau and k for every row"},
    OptionRow{"loss", &O::loss, "hinge or probability",
              "validity loss of apg: on logits, or the paper's on probabilities"},
    OptionRow{"margin", &O::margin, "a number >= 0", "logits by which the wished class has to win"},
    OptionRow{"step-rule", &O::step_rule, "backtracking or paper", "step size of apg"},
    OptionRow{"step", &O::step, "a number > 0", "first step of apg"},
    OptionRow{"iterations", &O::iterations, "a whole number >= 1", "of apg in each section"},
    OptionRow{"sections", &O::sections, "a whole number >= 1", "of the section search on gamma"},
    OptionRow{"keep-best", &O::keep_best, "true or false",
              "apg returns its best valid iterate; false: the last, as the public code"},
    OptionRow{"beam", &O::beam, "a whole number >= 1", "states that search keeps"},
    OptionRow{"screen", &O::screen, "a whole number >= 1",
              "predicted supports that search polishes per state"},
    OptionRow{"sweeps", &O::sweeps, "a whole number >= 0", "rounds of swaps around the best state"},
    OptionRow{"rounds", &O::rounds, "a whole number >= 1", "of a polish"},
    OptionRow{"norm", &O::norm, "l1 or l2", "distance that pcfe and mip-live minimise"},
    OptionRow{"polytopes", &O::polytopes, "a whole number >= 1", "nearest live polytopes of mip-live"},
    OptionRow{"lof", &O::lof, "a number >= 0",
              "mip-live: largest LOF (k = 1) against the wished class's rows; 0: not asked"},
    OptionRow{"time-limit", &O::time_limit, "seconds >= 0", "for the whole call; 0: none"},
    OptionRow{"threads", &O::threads, "a whole number from 0 to 1024", "0: one per core"},
};

template <class Number>
bool parse(const std::string& text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

bool parse(const std::string& text, bool& value) {
  value = text == "true";
  return value || text == "false";
}

bool parse(const std::string& text, std::string& value) {
  value = text;
  return true;
}

void require(bool holds, const Options& options, std::string_view name) {
  if (holds) return;
  const OptionRow& row = find_row(option_catalogue(), "option", name);
  throw Error(std::string(name), std::string(row.expected), option_text(options, row));
}

void require_one_of(std::string_view name, const std::string& value, const std::vector<std::string>& known) {
  if (std::ranges::find(known, value) == known.end())
    throw unknown_name(std::string(name), "value", value, known);
}

}  // namespace

std::span<const OptionRow> option_catalogue() { return rows; }

void set_option(Options& options, std::string_view name, const std::string& text) {
  const OptionRow& row = find_row(option_catalogue(), "option", name);
  std::visit(
      [&](auto member) {
        auto value = options.*member;
        if (!parse(text, value)) throw Error(std::string(name), std::string(row.expected), "'" + text + "'");
        options.*member = value;
      },
      row.member);
}

std::string option_text(const Options& options, const OptionRow& row) {
  std::ostringstream text;
  text << std::boolalpha;
  std::visit([&](auto member) { text << options.*member; }, row.member);
  return text.str();
}

void check_options(const Options& o) {
  require_one_of("space", o.space, {"minmax", "zscore", "none"});
  require_one_of("density", o.density, {"auto", "none", "kde", "mixture", "gmm", "gmm_full", "knn"});
  require_one_of("precision", o.precision, {"float", "double"});
  require_one_of("distance", o.distance, {"l2", "mad"});
  require_one_of("solver", o.solver, {"auto", "search", "apg", "exact"});
  require_one_of("sparsity", o.sparsity, {"top_m", "l0", "l_half", "l_two_thirds", "l1", "none"});
  require_one_of("loss", o.loss, {"hinge", "probability"});
  require_one_of("step-rule", o.step_rule, {"backtracking", "paper"});
  require_one_of("method", o.method,
                 {"scfe", "dcfe", "cem-pn", "cem-pp", "pcfe", "mip-live", "wachter", "nearest"});
  require_one_of("norm", o.norm, {"l1", "l2"});
  require(o.polytopes >= 1, o, "polytopes");
  require(std::isfinite(o.lof) && o.lof >= 0, o, "lof");
  require(o.neighbours >= 1, o, "neighbours");
  require(std::isfinite(o.bandwidth) && o.bandwidth >= 0, o, "bandwidth");
  require(o.max_components >= 1, o, "max-components");
  require(o.target >= -2, o, "target");
  require(o.probability == 0 || (o.probability >= 0.5 && o.probability < 1), o, "probability");
  require(o.plausible >= 0 && o.plausible <= 1, o, "plausible");
  require(o.max_changes >= 1, o, "max-changes");
  parse_reach(o.reach);
  if (!o.reach.empty() && o.probability > 0)
    throw Error("probability", "0 beside reach: a number to reach has none",
                option_text(o, find_row(option_catalogue(), "option", "probability")));
  require(o.answers >= 1 && o.answers <= most_answers, o, "answers");
  if (o.path && o.answers > 1)
    throw Error("answers", "1 beside path, which has one for each number of changes",
                std::to_string(o.answers));
  require(o.diverse == "features" || o.diverse == "values", o, "diverse");
  require(o.robust >= 0 && o.robust < 1, o, "robust");
  require(std::isfinite(o.beta) && o.beta >= 0, o, "beta");
  require(std::isfinite(o.tau) && o.tau >= 0, o, "tau");
  require(std::isfinite(o.margin) && o.margin >= 0, o, "margin");
  require(std::isfinite(o.step) && o.step > 0, o, "step");
  require(o.iterations >= 1, o, "iterations");
  require(o.sections >= 1, o, "sections");
  require(o.beam >= 1, o, "beam");
  require(o.screen >= 1, o, "screen");
  require(o.sweeps >= 0, o, "sweeps");
  require(o.rounds >= 1, o, "rounds");
  require(std::isfinite(o.time_limit) && o.time_limit >= 0, o, "time-limit");
  require(o.threads >= 0 && o.threads <= 1024, o, "threads");
}

std::string options_markdown() {
  std::ostringstream table;
  table << "| option | default | values | what it does |\n| --- | --- | --- | --- |\n";
  for (const OptionRow& row : option_catalogue())
    table << "| `" << row.name << "` | " << option_text({}, row) << " | " << row.expected << " | " << row.help
          << " |\n";
  return table.str();
}

}  // namespace scfe
