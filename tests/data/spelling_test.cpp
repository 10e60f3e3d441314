#include <gtest/gtest.h>

#include "scfe/text.h"

namespace scfe::test {
namespace {

TEST(Spelling, the_nearest_name_is_a_slip_away) {
  const std::vector<std::string> known = {"amount", "duration_months", "age", "job", "a", "installment_rate"};
  for (const auto& [typed, meant] :
       std::vector<std::pair<std::string, std::string>>{{"amout", "amount"},
                                                        {"amuont", "amount"},
                                                        {"Amount", "amount"},
                                                        {"amounts", "amount"},
                                                        {"duration_month", "duration_months"},
                                                        {"duraton_mnths", "duration_months"},
                                                        {"agee", "age"},
                                                        {"AGE", "age"},
                                                        {"instalment_rate", "installment_rate"},
                                                        {"salary", ""},
                                                        {"xyz", ""},
                                                        {"b", ""},
                                                        {"", ""},
                                                        {std::string(100000, 'a'), ""}})
    EXPECT_EQ(nearest_name(typed, known), meant) << typed;
  EXPECT_EQ(nearest_name("anything", {}), "");
}

TEST(Spelling, an_unknown_name_says_what_is_known) {
  const std::vector<std::string> known = {"kde", "mixture", "none"};
  EXPECT_STREQ(unknown_name("density", "value", "mixtur", known).what(),
               "density: unknown value 'mixtur': did you mean 'mixture'?");
  EXPECT_STREQ(unknown_name("", "density", "kd", known).what(), "unknown density 'kd': did you mean 'kde'?");
  EXPECT_STREQ(unknown_name("", "density", "parzen", known).what(),
               "density: expected one of kde, mixture, none, got 'parzen'");
}

}  // namespace
}  // namespace scfe::test
