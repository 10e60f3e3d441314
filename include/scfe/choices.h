// Options whose values have names. Below each enum is a table with the text of every value, as flags, JSON,
// files, errors and docs write it. A new value is an entry in the enum and one in the table.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <type_traits>

namespace scfe {

template <class Enum>
struct NamedValue {
  Enum value;
  std::string_view name;
};

template <class Enum>
inline constexpr std::array<NamedValue<Enum>, 0> choices_of = {};

// The scale of the work space, in which distances are measured.
enum class SpaceKind { minmax, zscore, none };
template <>
inline constexpr auto choices_of<SpaceKind> = std::to_array<NamedValue<SpaceKind>>(
    {{SpaceKind::minmax, "minmax"}, {SpaceKind::zscore, "zscore"}, {SpaceKind::none, "none"}});

// The density that measures plausibility; own: one that the user brings (scfe/density_model.h).
enum class DensityKind { automatic, none, kde, mixture, gmm, gmm_full, knn, own };
template <>
inline constexpr auto choices_of<DensityKind> =
    std::to_array<NamedValue<DensityKind>>({{DensityKind::automatic, "auto"},
                                            {DensityKind::none, "none"},
                                            {DensityKind::kde, "kde"},
                                            {DensityKind::mixture, "mixture"},
                                            {DensityKind::gmm, "gmm"},
                                            {DensityKind::gmm_full, "gmm_full"},
                                            {DensityKind::knn, "knn"},
                                            {DensityKind::own, "own"}});

// What a density of the user's own is a density of: the model's inputs, or the columns of the work space.
enum class DensitySpace { inputs, work };
template <>
inline constexpr auto choices_of<DensitySpace> =
    std::to_array<NamedValue<DensitySpace>>({{DensitySpace::inputs, "inputs"}, {DensitySpace::work, "work"}});

// What closeness is: a sum over features of weighted squares, or of weighted lengths, or Gower's mean of
// lengths. `mad` is the old name of squares with the weights mad.
enum class Distance { l2, l1, gower, mad };
template <>
inline constexpr auto choices_of<Distance> = std::to_array<NamedValue<Distance>>(
    {{Distance::l2, "l2"}, {Distance::l1, "l1"}, {Distance::gower, "gower"}, {Distance::mad, "mad"}});

// True for those whose distance is the root of a sum of squares.
constexpr bool is_squared(Distance distance) { return distance == Distance::l2 || distance == Distance::mad; }

// The weight of each feature in that sum: the schema's, that over the MAD, or 1.
enum class Weighting { schema, mad, none };
template <>
inline constexpr auto choices_of<Weighting> = std::to_array<NamedValue<Weighting>>(
    {{Weighting::schema, "schema"}, {Weighting::mad, "mad"}, {Weighting::none, "none"}});

// The arithmetic of an ONNX model: automatic is that of the file.
enum class Precision { automatic, float32, float64 };
template <>
inline constexpr auto choices_of<Precision> = std::to_array<NamedValue<Precision>>(
    {{Precision::automatic, "auto"}, {Precision::float32, "float"}, {Precision::float64, "double"}});

// What is done with rules that the training rows keep although chance would break them
// (scfe/learned_rules.h).
enum class LearnedRules { use, list, none };
template <>
inline constexpr auto choices_of<LearnedRules> = std::to_array<NamedValue<LearnedRules>>(
    {{LearnedRules::none, "none"}, {LearnedRules::list, "list"}, {LearnedRules::use, "use"}});

// How several answers have to differ.
enum class Diverse { features, values };
template <>
inline constexpr auto choices_of<Diverse> =
    std::to_array<NamedValue<Diverse>>({{Diverse::features, "features"}, {Diverse::values, "values"}});

// What is given where no valid row within the limits is as typical as asked: the most plausible one (of those
// within half a nat of it the closest), the closest one, or none.
enum class BelowFloor { most_plausible, closest, none };
template <>
inline constexpr auto choices_of<BelowFloor> =
    std::to_array<NamedValue<BelowFloor>>({{BelowFloor::most_plausible, "most-plausible"},
                                           {BelowFloor::closest, "closest"},
                                           {BelowFloor::none, "none"}});

// The distance between rows that decides which are neighbours: |a - b|_p with p = 1, 2 or infinity. Fitted
// files hold the number of a value.
enum class Metric { l2, l1, linf };
template <>
inline constexpr auto choices_of<Metric> =
    std::to_array<NamedValue<Metric>>({{Metric::l1, "l1"}, {Metric::l2, "l2"}, {Metric::linf, "linf"}});

// S-CFE, and the methods that it is compared with.
enum class Method { scfe, dcfe, cem_pn, cem_pp, pcfe, mip_live, wachter, nearest };
template <>
inline constexpr auto choices_of<Method> = std::to_array<NamedValue<Method>>({{Method::scfe, "scfe"},
                                                                              {Method::dcfe, "dcfe"},
                                                                              {Method::cem_pn, "cem-pn"},
                                                                              {Method::cem_pp, "cem-pp"},
                                                                              {Method::pcfe, "pcfe"},
                                                                              {Method::mip_live, "mip-live"},
                                                                              {Method::wachter, "wachter"},
                                                                              {Method::nearest, "nearest"}});

// True if the method keeps to Options::max_changes.
bool limits_changes(Method method);
// True if the method asks what keeps the predicted class, and not what changes it.
bool keeps_class(Method method);

enum class Solver { automatic, search, apg, exact };
template <>
inline constexpr auto choices_of<Solver> = std::to_array<NamedValue<Solver>>({{Solver::automatic, "auto"},
                                                                              {Solver::search, "search"},
                                                                              {Solver::apg, "apg"},
                                                                              {Solver::exact, "exact"}});

// A limit on the number of changed features (top_m), or a penalty on the change.
enum class SparsityKind { top_m, l0, l_half, l_two_thirds, l1, none };
template <>
inline constexpr auto choices_of<SparsityKind> =
    std::to_array<NamedValue<SparsityKind>>({{SparsityKind::top_m, "top_m"},
                                             {SparsityKind::l0, "l0"},
                                             {SparsityKind::l_half, "l_half"},
                                             {SparsityKind::l_two_thirds, "l_two_thirds"},
                                             {SparsityKind::l1, "l1"},
                                             {SparsityKind::none, "none"}});

// The validity loss of apg.
enum class LossKind { hinge, probability };
template <>
inline constexpr auto choices_of<LossKind> =
    std::to_array<NamedValue<LossKind>>({{LossKind::hinge, "hinge"}, {LossKind::probability, "probability"}});

// The step size of apg.
enum class StepRule { backtracking, paper };
template <>
inline constexpr auto choices_of<StepRule> = std::to_array<NamedValue<StepRule>>(
    {{StepRule::backtracking, "backtracking"}, {StepRule::paper, "paper"}});

// The distance that pcfe and mip-live minimise.
enum class Norm { l1, l2 };
template <>
inline constexpr auto choices_of<Norm> = std::to_array<NamedValue<Norm>>({{Norm::l1, "l1"},
                                                                          {Norm::l2, "l2"}});

template <class Enum>
constexpr std::string_view name_of(Enum value) {
  static_assert(!choices_of<Enum>.empty(), "this enum has no table of names");
  for (const auto& choice : choices_of<Enum>)
    if (choice.value == value) return choice.name;
  return "unknown";
}

// Nothing if no value has this name.
template <class Enum>
constexpr std::optional<Enum> value_named(std::string_view name) {
  for (const auto& choice : choices_of<Enum>)
    if (choice.name == name) return choice.value;
  return std::nullopt;
}

// The class that an answer has to reach.
class Target {
 public:
  // A class by its number. Implicit, so that an int can be passed as a target.
  constexpr Target(int number) : number_(number) {}
  static constexpr Target of(int number) { return {number}; }
  // The other one of two classes.
  static constexpr Target other() { return Target(Kind::other); }
  // Any class but the predicted one.
  static constexpr Target any() { return Target(Kind::any); }

  constexpr bool is_class() const { return kind_ == Kind::of_number; }
  // The class's number; -1 for other() and any().
  constexpr int number() const { return number_; }
  friend constexpr bool operator==(Target, Target) = default;

 private:
  enum class Kind { of_number, other, any };
  constexpr explicit Target(Kind kind) : kind_(kind) {}

  Kind kind_ = Kind::of_number;
  int number_ = -1;
};

}  // namespace scfe
