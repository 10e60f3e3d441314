#include "scfe/bundle.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <functional>

#include "data/bundle_file.h"
#include "data/checksum.h"
#include "plausibility/catalogue.h"
#include "scfe/diagnostics.h"
#include "scfe/file.h"
#include "scfe/options_json.h"
#include "tests/data/scratch.h"
#include "tests/helper/uniform.h"
#include "tests/plausibility/own_density.h"

namespace scfe::test {
namespace {

Bundle fit_wine(const Options& options, const std::string& task = "wine") {
  const Table table = read_csv(data_file("wine.csv"));
  const Schema schema = read_schema(data_file(task + ".schema.json"));
  std::vector<DensityModel> own;
  if (options.density == DensityKind::own) own = {bell_density(Encoder(schema).encode(table).inputs)};
  return fit_bundle(read_model_file(data_file("models/" + task + ".json")), schema, table, options, own);
}

void expect_same(const Explanation& a, const Explanation& b) {
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.reason(), b.reason());
  EXPECT_EQ(a.counterfactual, b.counterfactual);
  EXPECT_EQ(a.probability, b.probability);
  EXPECT_EQ(a.margin, b.margin);
  EXPECT_EQ(a.l2, b.l2);
  EXPECT_EQ(a.log_density, b.log_density);
  EXPECT_EQ(a.quantile, b.quantile);
  EXPECT_EQ(a.gradients, b.gradients);
}

TEST(Bundle, LoadedGivesTheSameBits) {
  const Scratch scratch;
  const Table table = read_csv(data_file("wine.csv"));
  for (const DensityRow& density : density_catalogue()) {
    SCOPED_TRACE(density.name);
    Options options;
    options.density = density.kind;
    options.threads = 2;
    options.hints = false;  // does not affect the answers, but takes time
    const Bundle fitted = fit_wine(options);
    save_bundle(scratch.path("e.scfe"), fitted);
    const Bundle loaded = load_bundle(scratch.path("e.scfe"));
    const Matrix rows = fitted.encoder.encode(table).inputs;
    const auto before = fitted.explainer.explain(rows), after = loaded.explainer.explain(rows);
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i) expect_same(before[i], after[i]);
    for (const int target : {0, 1}) {
      EXPECT_EQ(Diagnostics(fitted.explainer).density_summary(target),
                Diagnostics(loaded.explainer).density_summary(target));
      EXPECT_EQ(Diagnostics(fitted.explainer).class_rows(target).values,
                Diagnostics(loaded.explainer).class_rows(target).values);
    }
    save_bundle(scratch.path("again.scfe"), loaded);
    EXPECT_EQ(read_file(scratch.path("again.scfe")), read_file(scratch.path("e.scfe")));
  }
}

TEST(Bundle, KeepsEveryOptionAndTheFeatures) {
  const Scratch scratch;
  Options options;
  options.density = DensityKind::knn;
  options.sparsity = SparsityKind::l0;
  options.solver = Solver::apg;
  options.tune = true;
  options.probability = 0.1 + 0.7;
  options.seed = ~std::uint64_t{0};
  options.target = 1;
  const Bundle fitted = fit_wine(options, "wine3");
  save_bundle(scratch.path("e.scfe"), fitted);
  const Bundle loaded = load_bundle(scratch.path("e.scfe"));
  EXPECT_EQ(options_json(loaded.explainer.options()), options_json(options));
  EXPECT_EQ(loaded.explainer.options().probability, options.probability);
  EXPECT_EQ(loaded.explainer.options().seed, options.seed);
  EXPECT_EQ(schema_text(loaded.encoder.schema()), schema_text(fitted.encoder.schema()));
  EXPECT_EQ(loaded.model_file.bytes, fitted.model_file.bytes);
  EXPECT_EQ(fingerprint(loaded.model_file.bytes), fingerprint(fitted.model_file.bytes));
  const auto &a = fitted.explainer.features(), &b = loaded.explainer.features();
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t j = 0; j < a.size(); ++j) {
    EXPECT_EQ(a[j].name, b[j].name);
    EXPECT_EQ(a[j].unit, b[j].unit);
    EXPECT_EQ(a[j].kind, b[j].kind);
    EXPECT_EQ(a[j].min, b[j].min);
    EXPECT_EQ(a[j].max, b[j].max);
    EXPECT_EQ(a[j].step, b[j].step);
  }
  Matrix rows(3, 13);
  const Matrix all = fitted.encoder.encode(read_csv(data_file("wine.csv"))).inputs;
  std::copy_n(all.values.begin(), rows.values.size(), rows.values.begin());
  const auto before = fitted.explainer.explain(rows), after = loaded.explainer.explain(rows);
  for (std::size_t i = 0; i < before.size(); ++i) expect_same(before[i], after[i]);
}

TEST(Bundle, LoadsInMilliseconds) {
  const Scratch scratch;
  save_bundle(scratch.path("e.scfe"), fit_wine({}));
  (void)load_bundle(scratch.path("e.scfe"));
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 10; ++i) (void)load_bundle(scratch.path("e.scfe"));
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  RecordProperty("milliseconds", std::to_string(100 * taken.count()));
  EXPECT_LT(taken.count() / 10, 0.1);
}

// Updates the checksum of a modified file.
void sign(std::string& bytes) {
  const std::string_view view(bytes);
  const std::uint64_t sum = fnv1a(view.substr(32), fnv1a(view.substr(0, 24)));
  std::memcpy(bytes.data() + 24, &sum, sizeof sum);
}

class DamagedBundle : public testing::TestWithParam<std::string_view> {
 protected:
  void SetUp() override {
    Options options;
    options.density = value_named<DensityKind>(GetParam()).value();
    save_bundle(scratch_.path("e.scfe"), fit_wine(options));
    whole_ = read_file(scratch_.path("e.scfe"));
  }
  std::string failure(std::string_view bytes) {
    const std::string path = scratch_.write("d.scfe", bytes);
    const std::string message = error_of([&] { (void)load_bundle(path); });
    EXPECT_TRUE(message.empty() || message.starts_with(path)) << message;
    return message;
  }
  Scratch scratch_;
  std::string whole_;
};

TEST_P(DamagedBundle, CutOffAnywhereIsAnError) {
  for (std::size_t size = 0; size < whole_.size(); size += size < 300 ? 1 : 997)
    EXPECT_NE(failure(std::string_view(whole_).substr(0, size)), "") << size;
  EXPECT_NE(failure(whole_ + "x"), "");
}

TEST_P(DamagedBundle, AFlippedBitAnywhereIsAnError) {
  Uniform random(6);
  for (std::size_t at = 0; at < whole_.size();
       at += at < 300 ? 1 : 1 + static_cast<std::size_t>(random(0, 1500))) {
    std::string bytes = whole_;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.integer(0, 7)));
    EXPECT_NE(failure(bytes), "") << at;
  }
}

// Files with a valid checksum but arbitrary content: loading returns a bundle or throws an Error.
TEST_P(DamagedBundle, SignedNonsenseNeverCrashes) {
  Uniform random(7);
  std::size_t refused = 0;
  for (int trial = 0; trial < 300; ++trial) {
    std::string bytes = whole_;
    const std::size_t start = trial % 2 == 0 ? 32 : 0;
    const double reach = trial % 3 == 0 ? 256 : static_cast<double>(bytes.size() - start);
    for (int changes = random.integer(1, 4); changes > 0; --changes) {
      const auto at = std::min(bytes.size() - 9, start + static_cast<std::size_t>(random(0, reach)));
      const std::uint64_t value = random.chance(0.5) ? ~std::uint64_t{0} >> random.integer(0, 63)
                                                     : static_cast<std::uint64_t>(random.integer(0, 255));
      std::memcpy(bytes.data() + at, &value, random.chance(0.5) ? 8 : 1);
    }
    sign(bytes);
    try {
      (void)load_bundle(scratch_.write("d.scfe", bytes));
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 50U);
}

std::vector<std::string_view> density_names() {
  std::vector<std::string_view> names;
  for (const DensityRow& row : density_catalogue()) names.push_back(row.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Densities, DamagedBundle, testing::ValuesIn(density_names()),
                         [](const auto& tested) { return std::string(tested.param); });

TEST(Bundle, SaysWhatIsWrong) {
  const Scratch scratch;
  const auto failure = [&](const std::string& bytes) {
    const std::string path = scratch.write("d.scfe", bytes);
    const std::string message = error_of([&] { (void)load_bundle(path); });
    return message.substr(std::min(path.size(), message.size()));
  };
  const std::string whole = pack_sections({{"model", "x"}});
  EXPECT_EQ(failure(""), ": expected a fitted file written by scfe, got an empty file");
  EXPECT_EQ(failure("a,b\n1,2\n"), ": expected a fitted file written by scfe, got another kind of file");
  EXPECT_EQ(failure(whole.substr(0, 20)), ": expected a whole fitted file, got one cut off after 20 bytes");
  EXPECT_EQ(failure(whole.substr(0, 60)), ": expected a whole fitted file of 65 bytes, got 60 (cut off)");
  std::string newer = whole;
  newer[8] = 9;
  EXPECT_EQ(failure(newer), ": version: expected 8 (fit again with this program), got 9");
  std::string damaged = whole;
  damaged[64] = 'y';
  EXPECT_NE(failure(damaged).find("(the file is damaged)"), std::string::npos);
  EXPECT_EQ(failure(pack_sections({})), ": section 'model': expected to be there, got none");
  EXPECT_EQ(failure(whole), ": model: expected 8 more bytes, got 1");
  EXPECT_EQ(error_of([] { (void)load_bundle("/nowhere/e.scfe"); }),
            "/nowhere/e.scfe: expected a readable file, got No such file or directory");
}

// The features and the rules are in the schema and in the explainer.
TEST(Bundle, WhatItHoldsTwiceHasToAgree) {
  const Scratch scratch;
  const std::string path = scratch.path("e.scfe");
  const Bundle fitted = fit_bundle(read_model_file(data_file("models/german_credit.onnx")),
                                   read_schema(data_file("german_credit.schema.json")),
                                   read_csv(data_file("german_credit.csv")), {});
  save_bundle(path, fitted);
  const std::string whole = read_file(path);
  EXPECT_NO_THROW((void)load_bundle(path));
  const BundleFile sections(whole, path);
  const auto failure = [&](const std::function<void(Schema&)>& change) {
    Schema schema = fitted.encoder.schema();
    change(schema);
    scratch.write("e.scfe", pack_sections({{"model", std::string(sections.section("model"))},
                                           {"schema", schema_text(schema)},
                                           {"options", std::string(sections.section("options"))},
                                           {"explainer", std::string(sections.section("explainer"))}}));
    return error_of([&] { (void)load_bundle(path); });
  };
  const std::size_t category = fitted.encoder.schema().find("purpose");
  EXPECT_EQ(failure([](Schema&) {}), "");
  const std::vector<std::function<void(Schema&)>> changes = {
      [&](Schema& s) {
        std::swap(s.columns[category].feature.levels[0], s.columns[category].feature.levels[1]);
      },
      [&](Schema& s) { s.columns[category].feature.levels[0] += "x"; },
      [&](Schema& s) { s.columns[category].feature.levels.pop_back(); },
      [&](Schema& s) { s.columns[category].feature.immutable ^= true; },
      [](Schema& s) { std::swap(s.columns[0], s.columns[1]); },
      [](Schema& s) { s.columns[0].feature.name += "x"; },
      [](Schema& s) { s.columns.pop_back(); },
      [](Schema& s) { s.rules.emplace_back("age <= 99"); },
      [](Schema& s) {
        s.label.classes.push_back({"third", {"third"}});
      },
  };
  for (const auto& change : changes) EXPECT_NE(failure(change), "");
}

// Training rows by feature and by model input are the same rows.
TEST(Bundle, FittingByFeatureGivesTheSameBytes) {
  const Scratch scratch;
  const Encoder encoder(read_schema(data_file("german_credit.schema.json")));
  const Table table = read_csv(data_file("german_credit.csv"));
  const ModelFile file = read_model_file(data_file("models/german_credit.onnx"));
  const Encoder matched(match_model(encoder.schema(), file));
  const Encoded inputs = matched.encode_labelled(table), values = matched.encode_values(table, true);
  EXPECT_EQ(inputs.labels, values.labels);
  for (const DensityKind density :
       {DensityKind::none, DensityKind::mixture, DensityKind::kde, DensityKind::knn}) {
    Options options;
    options.density = density;
    options.distance = density == DensityKind::kde ? Distance::mad : Distance::l2;
    const Explainer a(open_model(file), {inputs.inputs, inputs.labels, matched.features()}, options),
        b(open_model(file), {values.values, values.labels, matched.features(), {}, true}, options);
    EXPECT_EQ(fitted_fingerprint(a), fitted_fingerprint(b));
    const auto by_inputs = a.predictions(inputs.inputs), by_values = b.predictions_of_values(values.values);
    ASSERT_EQ(by_inputs.size(), by_values.size());
    for (std::size_t i = 0; i < by_inputs.size(); ++i)
      EXPECT_EQ(by_inputs[i].probability, by_values[i].probability);
  }
}

TEST(Bundle, FittingSaysWhatDoesNotFit) {
  const Table table = read_csv(data_file("wine.csv"));
  const ModelFile model = read_model_file(data_file("models/wine3.json"));
  const auto failure = [&](const Schema& schema) {
    const std::string message = error_of([&] { (void)fit_bundle(model, schema, table, {}); });
    return message.substr(std::min(model.source.size(), message.size()));
  };
  Schema schema = read_schema(data_file("wine.schema.json"));
  EXPECT_EQ(failure(schema), ": classes: expected 2 (of the schema's label), got 3");
  schema.columns.pop_back();
  EXPECT_EQ(failure(schema), ": inputs: expected 12 (of the schema's features), got 13");
  const std::string table_path = data_file("wine.csv");
  const std::string message = error_of([&] { (void)open_model(read_model_file(table_path)); });
  EXPECT_TRUE(message.starts_with(table_path)) << message;
}

TEST(OptionsJson, RefusesWhatItDoesNotKnow) {
  const auto failure = [](const std::string& text) {
    return error_of([&] { (void)parse_options_json(text, "o"); });
  };
  EXPECT_EQ(failure("{}"), "");
  EXPECT_EQ(failure(R"({"max-changes": 2.5})"),
            "o: max-changes: expected a whole number from 1 to the number of features, got 2.5");
  EXPECT_EQ(failure(R"({"max-changes": 1e99})"),
            "o: max-changes: expected a whole number from 1 to the number of features, got 1e+99");
  EXPECT_EQ(failure(R"({"solver": 1})"), "o: solver: expected auto, search, apg or exact, got 1");
  EXPECT_NE(failure(R"({"solwer": 1})").find("'solwer'"), std::string::npos);
  EXPECT_EQ(failure("[]"), "o: expected an object of options, got array");
}

}  // namespace
}  // namespace scfe::test
