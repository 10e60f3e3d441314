// The grammar of rules:
// rule     at most COUNT of name, name, ...  |  name := sum  |  sum (<= | >= | =) sum
// sum      product (+|-) product ...
// product  factor (*|/) factor ...
// factor   number | name | - factor | ( sum )
// name     the longest feature name that matches here, or any name in quotes or backticks
#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "actionability/rules.h"
#include "scfe/error.h"
#include "scfe/text.h"
#include "support/text.h"

namespace scfe {
namespace {

bool starts_number(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.'; }
bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

class Reader {
 public:
  Reader(const std::string& text, std::span<const Feature> features) : text_(text), features_(features) {}

  void read(Rules& rules) {
    if (takes_word("at") && takes_word("most")) return read_together(rules);
    at_ = 0;
    Expression left = sum();
    if (takes(":=")) return read_derivation(left, rules);
    read_link(left, rules);
  }

 private:
  using Op = Expression::Op;

  [[noreturn]] void fail(const std::string& expected) {
    skip();
    const std::string rest = text_.substr(at_, 20);
    throw Error(place(), expected, rest.empty() ? "its end" : "'" + rest + "'");
  }
  std::string place() const { return "rule '" + text_ + "', position " + std::to_string(at_ + 1); }

  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool takes(std::string_view sign) {
    skip();
    if (text_.compare(at_, sign.size(), sign) != 0) return false;
    at_ += sign.size();
    return true;
  }
  bool takes_word(std::string_view word) {
    skip();
    const std::size_t end = at_ + word.size();
    if (text_.compare(at_, word.size(), word) != 0 || (end < text_.size() && in_word(text_[end])))
      return false;
    at_ = end;
    return true;
  }
  // Length of the longest feature name that matches here as a whole word; "2nd" and the like need quotes.
  std::size_t longest_name() const {
    std::size_t longest = 0;
    for (const Feature& feature : features_) {
      const std::string& name = feature.name;
      const std::size_t end = at_ + name.size();
      const bool here = !name.empty() && !starts_number(name[0]) &&
                        text_.compare(at_, name.size(), name) == 0 &&
                        (end == text_.size() || !in_word(text_[end]) || !in_word(name.back()));
      if (here) longest = std::max(longest, name.size());
    }
    return longest;
  }

  std::size_t find(const std::string& name) {
    for (std::size_t f = 0; f < features_.size(); ++f)
      if (features_[f].name == name) return f;
    std::vector<std::string> known;
    for (const Feature& feature : features_) known.push_back(feature.name);
    if (nearest_name(name, known).empty()) fail("a feature (" + join(known, ", ") + ")");
    throw unknown_name(place(), "feature", name, known);
  }

  std::optional<std::size_t> name() {
    skip();
    if (at_ == text_.size()) return std::nullopt;
    const char quote = text_[at_];
    if (quote == '"' || quote == '\'' || quote == '`') {
      const std::size_t end = text_.find(quote, at_ + 1);
      if (end == std::string::npos) fail(std::string("a name in quotes that ends with ") + quote);
      const std::size_t feature = find(text_.substr(at_ + 1, end - at_ - 1));
      at_ = end + 1;
      return feature;
    }
    if (const std::size_t length = longest_name(); length > 0) {
      const std::size_t feature = find(text_.substr(at_, length));
      at_ += length;
      return feature;
    }
    if (in_word(quote) && !starts_number(quote)) {
      const auto end =
          std::find_if_not(text_.begin() + static_cast<std::ptrdiff_t>(at_), text_.end(), in_word);
      find({text_.begin() + static_cast<std::ptrdiff_t>(at_), end});
    }
    return std::nullopt;
  }

  std::optional<double> number() {
    skip();
    double value = 0;
    const char* begin = text_.data() + at_;
    if (at_ == text_.size() || !starts_number(*begin)) return std::nullopt;
    const auto [end, failure] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (failure != std::errc() || !std::isfinite(value)) fail("a finite number");
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }

  void factor(Expression& out) {
    bool negative = false;
    while (takes("-")) negative = !negative;
    if (takes("(")) {
      append(out, sum());
      if (!takes(")")) fail("')'");
    } else if (const auto constant = number()) {
      out.steps.push_back({Op::number, *constant});
    } else if (const auto feature = name()) {
      if (features_[*feature].kind == Kind::categorical)
        fail("numbers: '" + features_[*feature].name + "', just before, is a category");
      out.steps.push_back({Op::feature, 0, *feature});
    } else {
      fail("a name, a number or '('");
    }
    if (negative) out.steps.push_back({Op::negate});
  }
  static void append(Expression& out, const Expression& part) {
    out.steps.insert(out.steps.end(), part.steps.begin(), part.steps.end());
  }

  void product(Expression& out) {
    factor(out);
    for (;;) {
      const Op op = takes("*") ? Op::multiply : takes("/") ? Op::divide : Op::number;
      if (op == Op::number) return;
      factor(out);
      out.steps.push_back({op});
    }
  }

  Expression sum() {
    if (++nesting_ > Expression::max_depth) fail("fewer parentheses within each other");
    Expression out;
    product(out);
    for (;;) {
      const Op op = takes("+") ? Op::add : takes("-") ? Op::subtract : Op::number;
      if (op == Op::number) break;
      product(out);
      out.steps.push_back({op});
    }
    if (out.depth() > Expression::max_depth) fail("a simpler formula");
    --nesting_;
    return out;
  }

  void end() {
    skip();
    if (at_ < text_.size()) fail("the end, or one of + - * /");
  }

  void read_together(Rules& rules) {
    const std::optional<double> count = number();
    if (!count || *count != std::floor(*count)) fail("a whole number (at most 1 of a, b)");
    if (!takes_word("of")) fail("'of' (at most 1 of a, b)");
    constexpr double most = 1e9;  // more than there are features
    Together group{{}, static_cast<std::size_t>(std::clamp(*count, 0.0, most)), text_};
    do {
      const auto feature = name();
      if (!feature) fail("a feature");
      if (std::ranges::find(group.features, *feature) != group.features.end()) fail("each feature once");
      group.features.push_back(*feature);
    } while (takes(","));
    skip();
    if (at_ < text_.size()) fail("a comma or the end");
    check_together(group);
    rules.together.push_back(std::move(group));
  }

  void check_together(const Together& group) const {
    const std::size_t listed = group.features.size();
    const std::string& first = features_[group.features[0]].name;
    if (listed == 1)
      throw Error("rule '" + text_ + "'",
                  "two or more features, of which so many may change (at most 1 of a, b)",
                  "'" + first + "' alone (a limit of its value is " + first + " <= 5)");
    if (group.most == 0 || group.most >= listed)
      throw Error("rule '" + text_ + "'",
                  "a number from 1 to " + std::to_string(listed - 1) + " (fewer than the features listed)",
                  std::to_string(group.most));
  }

  void read_derivation(const Expression& left, Rules& rules) {
    if (left.steps.size() != 1 || left.steps[0].op != Op::feature)
      throw Error("rule '" + text_ + "'", "one feature before ':='", "a formula");
    const std::size_t feature = left.steps[0].feature;
    if (features_[feature].is_category() || !features_[feature].levels.empty())
      throw Error("rule '" + text_ + "'", "a feature of numbers before ':='",
                  "'" + features_[feature].name + "'");
    const Expression formula = sum();
    end();
    if (formula.sources().empty()) throw Error("rule '" + text_ + "'", "features behind ':='", "none");
    rules.derived.push_back({feature, formula, formula.sources(), text_});
  }

  void read_link(Expression left, Rules& rules) {
    const std::size_t sign_at = at_;
    const bool up = takes("<="), down = !up && takes(">="),
               equal = !up && !down && (takes("==") || takes("="));
    if (!up && !down && !equal) {
      at_ = sign_at;
      fail("<=, >=, = or :=");
    }
    append(left, sum());
    end();
    left.steps.push_back({Op::subtract});
    const std::optional<LinearForm> form = linear_form(left);
    if (!form)
      throw Error("rule '" + text_ + "'", "no product or ratio of features (a derived column may hold it)",
                  "one");
    if (form->coefficient.empty())
      throw Error("rule '" + text_ + "'", "features that do not cancel out", "none");
    Link link{.terms = {}, .text = text_};
    for (const auto& [feature, coefficient] : form->coefficient) {
      if (!std::isfinite(coefficient))
        throw Error("rule '" + text_ + "'", "finite numbers", scfe::number(coefficient));
      link.terms.push_back({feature, coefficient});
    }
    if (!std::isfinite(form->constant))
      throw Error("rule '" + text_ + "'", "finite numbers", scfe::number(form->constant));
    if (!down) link.hi = 0 - form->constant;
    if (!up) link.lo = 0 - form->constant;
    rules.links.push_back(std::move(link));
  }

  const std::string& text_;
  std::span<const Feature> features_;
  std::size_t at_ = 0, nesting_ = 0;
};

}  // namespace

void add_rule(const std::string& text, std::span<const Feature> features, Rules& rules) {
  Reader(text, features).read(rules);
}

}  // namespace scfe
