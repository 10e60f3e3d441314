// libFuzzer target: rules between features, one per line.
#include <vector>

#include "fuzz/fuzz.h"
#include "scfe/rules.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using scfe::Feature;
  using scfe::Kind;
  std::vector<Feature> features(4);
  const char* const names[] = {"a", "b", "long name", "c"};
  for (std::size_t f = 0; f < features.size(); ++f) {
    features[f].name = names[f];
    features[f].min = 0;
    features[f].max = 10;
    features[f].step = 0.5;
  }
  features[3].kind = Kind::categorical;
  features[3].levels = {"x", "y"};
  features[3].max = 1;
  std::vector<std::string> rules(1);
  for (const char c : scfe::fuzz::text_of(data, size))
    if (c == '\n')
      rules.emplace_back();
    else
      rules.back() += c;
  scfe::fuzz::expect_result_or_error([&] {
    scfe::check_rules(rules, features);
    for (const scfe::DerivedColumn& derived : scfe::derived_columns(rules, features))
      (void)derived.value(std::vector<double>{1, 2, 3, 0});
  });
  return 0;
}
