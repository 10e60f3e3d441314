// How likely chance alone would keep a rule. Chance keeps the values of each column and mixes the rows of one
// of them at random, every order being equally likely. All probabilities are logarithms.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace scfe {

inline constexpr double false_alarm_rate = 0.01;     // for all rules of a table together
inline constexpr double least_expected = 20;         // rows that chance would break
inline constexpr double most_exceptions = 0.01;      // of the rows that chance would break
inline constexpr double least_disordered = 1 / 20.;  // share of rows in which chance would break an order

class Chance {
 public:
  explicit Chance(std::size_t most_rows);

  // P(X <= together) for two events of a and b among n rows, where X counts the rows with both:
  // hypergeometric, P(X = x) = C(a, x) C(n - a, b - x) / C(n, b).
  double of_so_few(std::size_t n, std::size_t a, std::size_t b, std::size_t together) const;

  // An upper bound of the probability that, but for some exceptions, each of so many keys has one value, if
  // no value has more than `share` of the rows. For any choice of the exceptions, all rows behind the first
  // of their key have to repeat its value:
  //     C(n, exceptions) share^(n - exceptions - keys)
  double of_map(std::size_t n, std::size_t exceptions, std::size_t keys, double share) const;

 private:
  double choose(std::size_t n, std::size_t k) const {
    return log_factorial_[n] - log_factorial_[k] - log_factorial_[n - k];
  }
  std::vector<double> log_factorial_;
};

// For two columns with low <= high in every row: how likely that is, and how many rows would break it.
struct OrderByChance {
  double log_probability, expected;
};
// With the low values from the largest to the smallest, the i-th (from 0) finds c_i high values that are at
// least as large, of which i are already taken: the probability is the product of (c_i - i) / (n - i).
OrderByChance order_by_chance(std::span<const double> low, std::span<const double> high);

}  // namespace scfe
