#include "scfe/options.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <sstream>

#include "scfe/error.h"
#include "support/catalogue.h"
#include "validity/validity.h"

namespace scfe {
namespace {

using O = Options;
using G = OptionGroup;
using enum Stage;
using enum OptionType;
using Text = std::string_view;

constexpr OptionBounds none = {};
constexpr OptionBounds at_least(double least) { return {.least = least}; }
constexpr OptionBounds from_to(double least, double greatest) {
  return {.least = least, .greatest = greatest};
}
constexpr OptionBounds from_to_below(double least, double greatest) {
  return {.least = least, .greatest = greatest, .ends = OptionBounds::Ends::below_greatest};
}
constexpr OptionBounds positive = {.least = 0, .ends = OptionBounds::Ends::above_least};
constexpr OptionBounds win_probability = {
    .least = 0.5, .greatest = 1, .ends = OptionBounds::Ends::below_greatest, .or_zero = true};
constexpr OptionBounds up_to_features = {.least = 1, .greatest_is = "the number of features"};

// JSON and `scfe inspect` list the options in this order; nothing else depends on it.
constexpr std::array rows = {
    OptionRow{"space", &O::space, fit, G::fitted, choice, none,
              "scale of the work space, in which distances are measured"},
    OptionRow{"density", &O::density, fit, G::fitted, choice, none,
              "the density that says how plausible a row of the target class is; auto: kde, or mixture where "
              "there are categories; FILE.onnx, or CLASS=FILE.onnx,... for each class: a density of your own "
              "(docs/howto/own_density.md)"},
    OptionRow{"neighbours", &O::neighbours, fit, G::densities, whole, at_least(1), "k of the knn density"},
    OptionRow{"bandwidth", &O::bandwidth, fit, G::densities, number, at_least(0),
              "bandwidth of the kde; 0: chosen by the likelihood of held-out rows"},
    OptionRow{
        "max-components", &O::max_components, fit, G::densities, whole, at_least(1),
        "most components of the gmm, whose number BIC decides; the mixture has up to twice as many, and "
        "held-out rows decide"},
    OptionRow{
        "distance", &O::distance, fit, G::fitted, choice, none,
        "how the distance of an answer is measured (docs/concepts.md); l2: the root of a sum of squares; l1: "
        "a sum of lengths; gower: Gower's mean of lengths; mad: short for l2 with weights mad"},
    OptionRow{
        "weights", &O::weights, fit, G::fitted, choice, none,
        "the weight of each feature in the distance; schema: the schema's weights and distances of levels; "
        "mad: the same, and numbers divided by their median absolute deviation; none: 1"},
    OptionRow{"paper-density", &O::paper_density, fit, G::paper, flag, none,
              "normalise the kde as the paper's public code does"},
    OptionRow{"plain-gravity", &O::plain_gravity, fit, G::paper, flag, none,
              "knn: use -|x - G| as the paper writes it, in place of its square"},
    OptionRow{"gravity-metric", &O::gravity_metric, fit, G::densities, choice, none,
              "knn: the distance that decides which rows are neighbours, and how dense they lie"},
    OptionRow{"density-space", &O::density_space, fit, G::densities, choice, none,
              "a density of your own is one of the model's inputs, or of the columns of the work space"},
    OptionRow{"seed", &O::seed, fit, G::fitted, whole, at_least(0), "seed of all random numbers in fitting"},
    OptionRow{"precision", &O::precision, fit, G::fitted, choice, none,
              "arithmetic of an ONNX model; auto: as the file declares it (docs/onnx.md)"},
    OptionRow{
        "learned-rules", &O::learned_rules, fit, G::fitted, choice, none,
        "rules between features that the training rows keep although chance would break them; use: every "
        "answer keeps them; list: they are only listed; none: none are looked for"},
    OptionRow{"drop-rules", &O::drop_rules, fit, G::fitted, numbers, none,
              "learned rules that are left out, by the numbers under which fit lists them"},
    OptionRow{"target", &O::target, ask, G::question, target, none,
              "the class to reach, by name or number; other: the other one of two classes; any: any class "
              "but the present one"},
    OptionRow{"probability", &O::probability, ask, G::question, share, win_probability,
              "the probability that the target class has to reach; 0: it only has to win"},
    OptionRow{"reach", &O::reach, fit, G::question, range, none,
              "regression: the range that the model's one output has to reach; empty: a class is asked for"},
    OptionRow{
        "plausible", &O::plausible, ask, G::question, share, from_to(0, 1),
        "the answer is at least as typical as this share of the target class's own held-out rows; 0 (or "
        "none): no floor"},
    OptionRow{"below-floor", &O::below_floor, ask, G::answers, choice, none,
              "what is given where no valid row is as typical as asked: the most plausible one (or a closer "
              "one that is almost as plausible), the closest one, or no answer"},
    OptionRow{"max-changes", &O::max_changes, ask, G::question, whole, up_to_features,
              "the most features that may change"},
    OptionRow{
        "fewest-first", &O::fewest_first, ask, G::answers, flag, none,
        "true: stop at the smallest number of changes that works; false: give the closest answer within "
        "max-changes (above 64 features and with apg this is always so)"},
    OptionRow{"answers", &O::answers, ask, G::answers, whole, from_to(1, 1000),
              "the most answers for each row: each is the best of those left (fewest changes first, unless "
              "fewest-first is false); the first stays first, the others are sorted by distance"},
    OptionRow{"diverse", &O::diverse, ask, G::answers, choice, none,
              "how several answers of a row differ; features: no two change the same features; values: some "
              "number differs by a tenth of its range, or some level"},
    OptionRow{"path", &O::path, ask, G::answers, flag, none,
              "give the closest answer for each number of changes from 1 to max-changes"},
    OptionRow{"hints", &O::hints, ask, G::answers, flag, none,
              "where a row has no answer: say which single limit to lift so that it has one"},
    OptionRow{
        "robust", &O::robust, ask, G::question, share, from_to_below(0, 1),
        "the answer stays valid when its numbers move by up to this share of their range; 0: not asked"},
    OptionRow{"method", &O::method, tune, G::methods, choice, none,
              "ours (scfe), or one of the compared methods (docs/methods.md)"},
    OptionRow{"certify", &O::certify, ask, G::answers, flag, none,
              "say how much closer any other answer could be (linear models and small ReLU networks)"},
    OptionRow{"solver", &O::solver, tune, G::effort, choice, none,
              "auto: exact for tree ensembles and linear scores, apg for a sparsity penalty, else search"},
    OptionRow{"sparsity", &O::sparsity, tune, G::paper, choice, none,
              "a limit on the number of changes (top_m), or a penalty beta |d|_p^p (apg only)"},
    OptionRow{"beta", &O::beta, tune, G::paper, number, at_least(0), "weight of a sparsity penalty"},
    OptionRow{"tau", &O::tau, tune, G::paper, number, at_least(0), "weight of the log-density in apg"},
    OptionRow{"tune", &O::tune, tune, G::paper, flag, none,
              "apg: grid search over beta, tau and k for every row"},
    OptionRow{"loss", &O::loss, tune, G::paper, choice, none,
              "validity loss of apg: on logits, or the paper's on probabilities"},
    OptionRow{"margin", &O::margin, tune, G::effort, number, at_least(0),
              "logits by which the target class has to win"},
    OptionRow{"step-rule", &O::step_rule, tune, G::paper, choice, none, "step size rule of apg"},
    OptionRow{"step", &O::step, tune, G::paper, number, positive, "first step size of apg"},
    OptionRow{"iterations", &O::iterations, tune, G::paper, whole, at_least(1),
              "iterations of apg in each section"},
    OptionRow{"sections", &O::sections, tune, G::paper, whole, at_least(1),
              "sections of the search for gamma"},
    OptionRow{"keep-best", &O::keep_best, tune, G::paper, flag, none,
              "apg returns its best valid iterate; false: the last one, as the paper's public code does"},
    OptionRow{"beam", &O::beam, tune, G::effort, whole, at_least(1),
              "partial answers that search keeps at each number of changes"},
    OptionRow{"screen", &O::screen, tune, G::effort, whole, at_least(1),
              "sets of features that search refines for each partial answer, the most promising first"},
    OptionRow{"sweeps", &O::sweeps, tune, G::effort, whole, at_least(0),
              "passes that exchange single features of the best answer"},
    OptionRow{"rounds", &O::rounds, tune, G::effort, whole, at_least(1), "steps that refine one answer"},
    OptionRow{"norm", &O::norm, tune, G::methods, choice, none,
              "the distance that pcfe and mip-live minimise"},
    OptionRow{"polytopes", &O::polytopes, tune, G::methods, whole, at_least(1),
              "mip-live: how many of the nearest live polytopes are searched"},
    OptionRow{"lof", &O::lof, tune, G::methods, number, at_least(0),
              "mip-live: largest LOF (k = 1) against the target class's rows; 0: not asked"},
    OptionRow{"lof-neighbours", &O::lof_neighbours, ask, G::densities, whole, at_least(1),
              "k of the local outlier factor; at most the class's rows less one"},
    OptionRow{"lof-metric", &O::lof_metric, ask, G::densities, choice, none,
              "the distance of the local outlier factor; with categories it is Gower's, which is l1"},
    OptionRow{"time-limit", &O::time_limit, tune, G::run, seconds, at_least(0),
              "time for the whole call; 0: no limit", true},
    OptionRow{"threads", &O::threads, tune, G::run, whole, from_to(0, 1024),
              "number of threads; 0: one for each core"},
};

template <class Value>
bool parse(const std::string& text, Value& value) {
  if constexpr (std::is_same_v<Value, std::string>) {
    value = text;
    return true;
  } else if constexpr (std::is_same_v<Value, bool>) {
    value = text == "true";
    return value || text == "false";
  } else if constexpr (std::is_same_v<Value, Target>) {
    if (text == "other" || text == "any") {
      value = text == "any" ? Target::any() : Target::other();
      return true;
    }
    unsigned class_number = 0;
    const bool valid = parse(text, class_number) && class_number <= std::numeric_limits<int>::max();
    if (valid) value = static_cast<int>(class_number);
    return valid;
  } else if constexpr (std::is_enum_v<Value>) {
    const auto named = value_named<Value>(text);
    value = named.value_or(value);
    return named.has_value();
  } else {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
  }
}

template <class Value>
std::string text_of(const Value& value) {
  if constexpr (std::is_same_v<Value, std::string>) {
    return value;
  } else if constexpr (std::is_same_v<Value, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_same_v<Value, Target>) {
    return value.is_class() ? std::to_string(value.number()) : value == Target::any() ? "any" : "other";
  } else if constexpr (std::is_enum_v<Value>) {
    return std::string(name_of(value));
  } else if constexpr (std::is_same_v<Value, double>) {
    std::array<char, 400> digits{};  // enough for any double without an exponent
    const auto written =
        std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed);
    return {digits.data(), written.ptr};
  } else {
    return std::to_string(value);
  }
}

void check_bounds(const Options& options, const OptionRow& row) {
  const auto check = [&]<class Value>(Value Options::*member) {
    if constexpr (std::is_same_v<Value, Target>)
      return !(options.*member).is_class() || (options.*member).number() >= 0;
    else if constexpr (std::is_arithmetic_v<Value>)
      return row.bounds.hold(static_cast<double>(options.*member));
    else
      return true;
  };
  if (!std::visit(check, row.member))
    throw Error(std::string(row.name), row.expected(), option_text(options, row));
}

std::string either(std::span<const std::string_view> names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + std::string(names[i]);
  return text;
}

// A cell of a Markdown table, in which a bar would end the cell.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += (c == '|' ? "\\" : "") + std::string(1, c);
  return escaped;
}

std::string bounds_text(const OptionBounds& b) {
  const std::string least = text_of(b.least), greatest = text_of(b.greatest);
  if (!b.greatest_is.empty()) return " from " + least + " to " + std::string(b.greatest_is);
  if (!std::isfinite(b.greatest)) return (b.ends == OptionBounds::Ends::above_least ? " > " : " >= ") + least;
  return " from " + least + (b.ends == OptionBounds::Ends::below_greatest ? " to below " : " to ") + greatest;
}

}  // namespace

bool OptionBounds::hold(double value) const {
  if (!std::isfinite(value)) return false;
  if (or_zero && value == 0) return true;
  return (ends == Ends::above_least ? value > least : value >= least) &&
         (ends == Ends::below_greatest ? value < greatest : value <= greatest);
}

std::string OptionRow::expected() const {
  if (type == target) return "a class, other or any";
  if (type == range) return "LO:HI, either may be empty";
  if (type == numbers) return "numbers from 1 with commas between them, or nothing";
  if (type == flag) return "true or false";
  if (type == choice) return either(choices());
  const std::string noun = type == seconds ? "seconds" : type == whole ? "a whole number" : "a number";
  return (bounds.or_zero ? "0, or " : "") + noun + bounds_text(bounds);
}

std::vector<std::string_view> OptionRow::choices() const {
  std::vector<std::string_view> names;
  const auto collect = [&]<class Value>(Value Options::*) {
    if constexpr (std::is_enum_v<Value>)
      for (const NamedValue<Value>& choice : choices_of<Value>) names.push_back(choice.name);
  };
  std::visit(collect, member);
  return names;
}

std::string OptionRow::default_text() const { return option_text({}, *this); }

std::string_view OptionRow::json_type() const {
  if (type == flag) return "boolean";
  if (type == whole) return "integer";
  return type == choice || type == target || type == range || type == numbers ? "string" : "number";
}

std::span<const OptionRow> option_catalogue() { return rows; }

bool read_option(Options& options, const OptionRow& row, const std::string& text) {
  const auto read = [&](auto member) {
    auto value = options.*member;
    const bool valid = parse(text, value);
    if (valid) options.*member = value;
    return valid;
  };
  return std::visit(read, row.member);
}

void set_option(Options& options, std::string_view name, const std::string& text) {
  const OptionRow& row = find_row(option_catalogue(), "option", name);
  if (read_option(options, row, text)) return;
  const std::vector<std::string_view> known = row.choices();
  if (!known.empty())
    throw unknown_name(std::string(name), "value", text,
                       std::vector<std::string>(known.begin(), known.end()));
  throw Error(std::string(name), row.expected(), "'" + text + "'");
}

std::string option_text(const Options& options, const OptionRow& row) {
  return std::visit([&](auto member) { return text_of(options.*member); }, row.member);
}

std::vector<std::size_t> dropped_rules(const Options& o) {
  std::vector<std::size_t> places;
  const std::string& text = o.drop_rules;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string own = text.substr(begin, end - begin);
    std::size_t place = 0;
    if (!parse(own, place) || place == 0 || end + 1 == text.size())
      throw Error("drop-rules", "numbers from 1 with commas between them, or nothing", "'" + text + "'");
    places.push_back(place);
    begin = end + 1;
  }
  return places;
}

void check_options(const Options& o) {
  for (const OptionRow& row : option_catalogue())
    if (row.type != choice && row.type != flag) check_bounds(o, row);
  parse_reach(o.reach);
  (void)dropped_rules(o);
  if (!o.reach.empty() && o.probability > 0)
    throw Error("probability", "0 beside reach: a number to reach has none", text_of(o.probability));
  if (o.distance == Distance::gower && o.weights == Weighting::mad)
    throw Error("weights", "schema or none beside distance gower, which measures numbers by their range",
                "mad");
  if (o.distance == Distance::mad && o.weights == Weighting::none)
    throw Error("weights", "mad beside distance mad, which is l2 with weights mad", "none");
  if (o.path && o.answers > 1)
    throw Error("answers", "1 beside path, which has one for each number of changes", text_of(o.answers));
}

std::string options_markdown() {
  std::ostringstream text;
  for (const OptionHeading& group : choices_of<OptionGroup>) {
    text << "\n## " << group.name << "\n\n| option | default | values | stage | what it does |\n"
         << "| --- | --- | --- | --- | --- |\n";
    for (const OptionRow& row : option_catalogue())
      if (row.group == group.value)
        text << "| `" << row.name << "` | " << row.default_text() << " | " << row.expected() << " | "
             << name_of(row.stage) << " | " << cell(row.help) << " |\n";
  }
  return text.str();
}

}  // namespace scfe
