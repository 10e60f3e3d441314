// The grammar of rules between numbers (conditional_text.cpp has that of implications and maps):
// rule     at most COUNT of name, name, ...  |  name := sum  |  sum (<= | >= | =) sum
// sum      product (+|-) product ...
// product  factor (*|/) factor ...
// factor   number | name | - factor | ( sum )
// name     the longest feature name that matches here, or any name in quotes or backticks
#include <algorithm>
#include <optional>

#include "actionability/rule_scanner.h"
#include "actionability/rules.h"
#include "scfe/error.h"
#include "scfe/text.h"
#include "support/text.h"

namespace scfe {
namespace {

class Reader {
 public:
  explicit Reader(RuleScanner& scan) : scan_(scan), text_(scan.text()) {}

  void read(Rules& rules) {
    if (scan_.takes_word("at") && scan_.takes_word("most")) return read_together(rules);
    scan_.go_to(0);
    Expression left = sum();
    if (scan_.takes(":=")) return read_derivation(left, rules);
    read_link(left, rules);
  }

 private:
  using Op = Expression::Op;

  void factor(Expression& out) {
    bool negative = false;
    while (scan_.takes("-")) negative = !negative;
    if (scan_.takes("(")) {
      append(out, sum());
      if (!scan_.takes(")")) scan_.fail("')'");
    } else if (const auto constant = scan_.number()) {
      out.steps.push_back({Op::number, *constant});
    } else if (const auto feature = scan_.name()) {
      if (scan_.feature(*feature).kind == Kind::categorical)
        scan_.fail("numbers: '" + scan_.feature(*feature).name + "', just before, is a category");
      out.steps.push_back({Op::feature, 0, *feature});
    } else {
      scan_.fail("a name, a number or '('");
    }
    if (negative) out.steps.push_back({Op::negate});
  }
  static void append(Expression& out, const Expression& part) {
    out.steps.insert(out.steps.end(), part.steps.begin(), part.steps.end());
  }

  void product(Expression& out) {
    factor(out);
    for (;;) {
      const Op op = scan_.takes("*") ? Op::multiply : scan_.takes("/") ? Op::divide : Op::number;
      if (op == Op::number) return;
      factor(out);
      out.steps.push_back({op});
    }
  }

  Expression sum() {
    if (++nesting_ > Expression::max_depth) scan_.fail("fewer parentheses within each other");
    Expression out;
    product(out);
    for (;;) {
      const Op op = scan_.takes("+") ? Op::add : scan_.takes("-") ? Op::subtract : Op::number;
      if (op == Op::number) break;
      product(out);
      out.steps.push_back({op});
    }
    if (out.depth() > Expression::max_depth) scan_.fail("a simpler formula");
    --nesting_;
    return out;
  }

  void end() {
    if (!scan_.at_end()) scan_.fail("the end, or one of + - * /");
  }

  void read_together(Rules& rules) {
    const std::optional<double> count = scan_.number();
    if (!count || *count != std::floor(*count)) scan_.fail("a whole number (at most 1 of a, b)");
    if (!scan_.takes_word("of")) scan_.fail("'of' (at most 1 of a, b)");
    constexpr double most = 1e9;  // more than there are features
    Together group{{}, static_cast<std::size_t>(std::clamp(*count, 0.0, most)), text_};
    do {
      const auto feature = scan_.name();
      if (!feature) scan_.fail("a feature");
      if (std::ranges::find(group.features, *feature) != group.features.end())
        scan_.fail("each feature once");
      group.features.push_back(*feature);
    } while (scan_.takes(","));
    if (!scan_.at_end()) scan_.fail("a comma or the end");
    check_together(group);
    rules.together.push_back(std::move(group));
  }

  void check_together(const Together& group) const {
    const std::size_t listed = group.features.size();
    const std::string& first = scan_.feature(group.features[0]).name;
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
    if (scan_.feature(feature).is_category() || !scan_.feature(feature).levels.empty())
      throw Error("rule '" + text_ + "'", "a feature of numbers before ':='",
                  "'" + scan_.feature(feature).name + "'");
    const Expression formula = sum();
    end();
    if (formula.sources().empty()) throw Error("rule '" + text_ + "'", "features behind ':='", "none");
    rules.derived.push_back({feature, formula, formula.sources(), text_});
  }

  void read_link(Expression left, Rules& rules) {
    const std::size_t sign_at = scan_.at();
    const bool up = scan_.takes("<="), down = !up && scan_.takes(">="),
               equal = !up && !down && (scan_.takes("==") || scan_.takes("="));
    if (!up && !down && !equal) {
      scan_.go_to(sign_at);
      scan_.fail("<=, >=, = or :=");
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

  RuleScanner& scan_;
  const std::string& text_;
  std::size_t nesting_ = 0;
};

}  // namespace

void add_rule(const std::string& text, std::span<const Feature> features, Rules& rules) {
  RuleScanner scan(text, features);
  if (!read_conditional(scan, rules)) Reader(scan).read(rules);
}

}  // namespace scfe
