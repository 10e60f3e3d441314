#include "scfe/schema.h"

#include <gtest/gtest.h>

#include <string>

#include "scfe/file.h"
#include "tests/data/scratch.h"

namespace scfe::test {
namespace {

Table table_of(const std::string& text) {
  const Scratch scratch;
  Table table = read_csv(scratch.write("t.csv", text));
  table.source = "t.csv";
  return table;
}

// The error message for a document with these members in addition to format and version.
std::string schema_failure(const std::string& members) {
  return error_of([&] {
    (void)parse_schema("{\"format\": \"scfe-schema\", \"version\": 1, " + members + "}", "S.json");
  });
}

std::string feature_failure(const std::string& members) {
  return schema_failure("\"features\": [{\"name\": \"a\", \"type\": \"continuous\"}, {" + members + "}]");
}

TEST(Schema, TextComesBack) {
  Schema schema;
  Column amount;
  amount.feature = {"amount \"x\"", Kind::integer, 250, 18424, 100, true, Direction::up, 2.5, "€", {}};
  amount.fill = "2300";
  Column open;
  open.feature.name = "open";
  open.feature.max = 0.1;
  open.feature.step = 0.0;
  open.fill = "1.50";
  Column housing;
  housing.feature.name = "housing";
  housing.feature.kind = Kind::categorical;
  housing.feature.levels = {"free", "own, or so", "rent"};
  housing.feature.encoding = Encoding::code;
  housing.other = "rent";
  housing.fill = "free";
  schema.columns = {amount, open, housing};
  schema.label = {"risk", {{"bad", {"0", "2"}}, {"good", {"good"}}}, {}};
  schema.id = "applicant";
  schema.ignore = {"note", "x"};
  schema.missing = Missing::impute;
  schema.missing_strings = {"", "-"};
  const std::string text = schema_text(schema);
  const Schema back = parse_schema(text, "S.json");
  EXPECT_EQ(schema_text(back), text);
  EXPECT_EQ(back.columns[0].feature.max, 18424);
  EXPECT_EQ(back.columns[0].feature.step, 100);
  EXPECT_EQ(back.columns[0].feature.direction, Direction::up);
  EXPECT_EQ(back.columns[0].feature.unit, "€");
  EXPECT_EQ(back.columns[0].fill, "2300");
  EXPECT_FALSE(back.columns[1].feature.min);
  EXPECT_EQ(back.columns[1].feature.step, 0);
  EXPECT_EQ(back.columns[1].fill, "1.50");
  EXPECT_EQ(back.columns[2].feature.levels, housing.feature.levels);
  EXPECT_EQ(back.columns[2].feature.encoding, Encoding::code);
  EXPECT_EQ(back.columns[2].other, "rent");
  EXPECT_EQ(back.label.classes[0].values, (std::vector<std::string>{"0", "2"}));
  EXPECT_EQ(back.label.classes[1].values, std::vector<std::string>{"good"});
  EXPECT_EQ(back.id, "applicant");
  EXPECT_EQ(back.missing, Missing::impute);
  EXPECT_EQ(back.missing_strings, schema.missing_strings);
}

TEST(Schema, ErrorsNameThePlace) {
  const std::pair<std::string, std::string> cases[] = {
      {R"("name": "b", "type": "number")",
       "S.json: features[1] ('b').type: expected one of continuous, integer, ordinal, binary, categorical, "
       "got "
       "\"number\""},
      {R"("name": "b", "type": "integer", "rang": [0, 1])",
       "S.json: features[1] ('b'): expected only the keys name, type, range, decimals, step, "
       "written_decimals, "
       "unit, immutable, "
       "direction, "
       "weight, levels, encoding, order, distances, transitions, other, fill, got 'rang'"},
      {R"("type": "integer")", "S.json: features[1].name: expected a value, got none"},
      {R"("name": "b", "type": "integer", "range": [3, 1])",
       "S.json: features[1] ('b').range: expected lo <= hi, got 3 > 1"},
      {R"("name": "b", "type": "integer", "range": [3])",
       "S.json: features[1] ('b').range: expected [lo, hi], got [3]"},
      {R"("name": "b", "type": "integer", "range": [0, "x"])",
       "S.json: features[1] ('b').range[1]: expected a number, got \"x\""},
      {R"("name": "b", "type": "continuous", "decimals": 1.5)",
       "S.json: features[1] ('b').decimals: expected a whole number from 0 to 15, got 1.5"},
      {R"("name": "b", "type": "continuous", "decimals": 1, "step": 2)",
       "S.json: features[1] ('b').step: expected either decimals or step, not both, got 2"},
      {R"("name": "b", "type": "continuous", "step": -1)",
       "S.json: features[1] ('b').step: expected a number >= 0, got -1"},
      {R"("name": "b", "type": "continuous", "weight": 0)",
       "S.json: features[1] ('b').weight: expected a number > 0, got 0"},
      {R"("name": "b", "type": "continuous", "immutable": "yes")",
       "S.json: features[1] ('b').immutable: expected true or false, got \"yes\""},
      {R"("name": "b", "type": "continuous", "direction": "left")",
       "S.json: features[1] ('b').direction: expected one of any, up, down, got \"left\""},
      {R"("name": "b", "type": "continuous", "encoding": "code")",
       "S.json: features[1] ('b').encoding: expected an encoding for categorical features only, got "
       "\"code\""},
      {R"("name": "b", "type": "categorical", "levels": ["x", "y"], "written_decimals": 2)",
       "S.json: features[1] ('b').written_decimals: expected none where there are levels, got 2"},
      {R"("name": "b", "type": "continuous", "levels": ["x"])",
       "S.json: features[1] ('b').levels: expected none for a feature of numbers, got 1"},
      {R"("name": "b", "type": "categorical")",
       "S.json: features[1] ('b').levels: expected the levels of a categorical feature, got none"},
      {R"("name": "b", "type": "categorical", "levels": ["x", "x"])",
       "S.json: features[1] ('b').levels: expected distinct levels, got 'x' twice"},
      {R"("name": "b", "type": "binary", "levels": ["x"])",
       "S.json: features[1] ('b').levels: expected two for a binary feature, got 1"},
      {R"("name": "b", "type": "binary", "levels": ["x", "y"], "range": [0, 1])",
       "S.json: features[1] ('b'): expected no range, decimals or step where there are levels, got one"},
      {R"("name": "b", "type": "categorical", "levels": ["x"], "other": "y")",
       "S.json: features[1] ('b').other: expected one of the levels, got 'y'"},
      {R"("name": "b", "type": "categorical", "levels": ["x"], "fill": "y")",
       "S.json: features[1] ('b').fill: expected one of the levels, got 'y'"},
      {R"("name": "b", "type": "continuous", "fill": "y")",
       "S.json: features[1] ('b').fill: expected a number, got 'y'"},
      {R"("name": "a", "type": "continuous")",
       "S.json: features[1].name: expected a column of its own, got 'a', used twice"},
      {R"("name": "", "type": "continuous")", "S.json: features[1].name: expected a name, got ''"},
  };
  for (const auto& [members, message] : cases) EXPECT_EQ(feature_failure(members), message);
}

TEST(Schema, ErrorsOutsideTheFeatures) {
  const std::string features = R"("features": [{"name": "a", "type": "continuous"}])";
  const std::pair<std::string, std::string> cases[] = {
      {features + R"(, "lable": {})",
       "S.json: document: expected only the keys format, version, label, id, ignore, missing, features, "
       "rules, learned_rules, got "
       "'lable'"},
      {R"("features": [])", "S.json: features: expected at least one, got none"},
      {R"("id": "x")", "S.json: features: expected a value, got none"},
      {R"("features": {})", "S.json: features: expected a list, got {}"},
      {features + R"(, "id": "a")", "S.json: id: expected a column of its own, got 'a', used twice"},
      {features + R"(, "missing": {"policy": "guess"})",
       "S.json: missing.policy: expected one of error, drop, impute, got \"guess\""},
      {features + R"(, "label": {"column": "y", "classes": ["x"]})",
       "S.json: label.classes: expected two or more, got 1"},
      {features + R"(, "label": {"column": "y", "classes": ["x", "x"]})",
       "S.json: label.classes[1].name: expected a name of its own, got 'x'"},
      {features + R"(, "label": {"column": "y", "classes": ["x", {"name": "z", "values": ["x"]}]})",
       "S.json: label.classes[1].values: expected values of no other class, got 'x'"},
      {features + R"(, "label": {"column": "y", "above": 1, "classes": ["x", "y", "z"]})",
       "S.json: label.classes: expected two (not above, above), got 3"},
  };
  for (const auto& [members, message] : cases) EXPECT_EQ(schema_failure(members), message);
  EXPECT_EQ(error_of([] { (void)parse_schema(R"({"format": "other"})", "S.json"); }),
            "S.json: format: expected \"scfe-schema\", got \"other\"");
  EXPECT_EQ(error_of([] { (void)parse_schema(R"({"format": "scfe-schema", "version": 2})", "S.json"); }),
            "S.json: version: expected 1, got 2");
  const std::string broken = error_of([] { (void)parse_schema("{\n\"a\": }", "S.json"); });
  EXPECT_EQ(broken, "S.json: line 2, column 6: expected a JSON document, got '\"a\": }'");
  EXPECT_EQ(error_of([] { (void)read_schema("/nowhere/S.json"); }),
            "/nowhere/S.json: expected a readable file, got No such file or directory");
}

TEST(Schema, LabelsAreFoundByTextNumberAndThreshold) {
  Label label{"y", {{"bad", {"0"}}, {"good", {"1", "yes"}}}, {}};
  EXPECT_EQ(label.class_of("0"), 0);
  EXPECT_EQ(label.class_of("1.0"), 1);
  EXPECT_EQ(label.class_of("yes"), 1);
  EXPECT_FALSE(label.class_of("2"));
  EXPECT_EQ(label.find("good"), 1);
  EXPECT_EQ(label.find("0"), 0);
  EXPECT_EQ(error_of([&] { (void)label.find("fine"); }), "class: expected one of bad, good, got 'fine'");
  const Label above{"y", {{"low", {}}, {"high", {}}}, 21.2};
  EXPECT_EQ(above.class_of("21.2"), 0);
  EXPECT_EQ(above.class_of("21.3"), 1);
  EXPECT_FALSE(above.class_of("x"));
  EXPECT_EQ(above.find("high"), 1);
}

TEST(Inference, ReadsTypesRangesDecimalsAndLevels) {
  const Table table = table_of(
      "id,real,whole,flag,yes,colour,rare,constant,y\n"
      "a,1.50,3,0,yes,red,1e-3,7,no\n"
      "b,-2.25,1,1,no,blue,0.1234567891,7,yes\n"
      "c,,10,1,yes,green,2,7,no\n"
      "d,4,2,0,yes,red,3,7,no\n");
  const Schema schema = infer_schema(table, {.label = "y", .id = "id"});
  ASSERT_EQ(schema.columns.size(), 7U);
  const auto feature = [&](const char* name) { return schema.columns[schema.find(name)].feature; };
  EXPECT_EQ(feature("real").kind, Kind::continuous);
  EXPECT_EQ(feature("real").min, -2.25);
  EXPECT_EQ(feature("real").max, 4);
  EXPECT_EQ(feature("real").step, 0.01);
  EXPECT_EQ(schema.columns[0].fill, "1.5");
  EXPECT_EQ(feature("whole").kind, Kind::integer);
  EXPECT_EQ(feature("whole").step, 1);
  EXPECT_EQ(feature("flag").kind, Kind::binary);
  EXPECT_TRUE(feature("flag").levels.empty());
  EXPECT_EQ(feature("yes").kind, Kind::binary);
  EXPECT_EQ(feature("yes").levels, (std::vector<std::string>{"no", "yes"}));
  EXPECT_EQ(feature("colour").kind, Kind::categorical);
  EXPECT_EQ(feature("colour").levels, (std::vector<std::string>{"blue", "green", "red"}));
  EXPECT_EQ(schema.columns[4].fill, "red");
  EXPECT_EQ(feature("rare").step, 0) << "ten decimals: nine significant digits";
  EXPECT_EQ(feature("constant").kind, Kind::integer);
  EXPECT_EQ(schema.label.classes[1].name, "yes");
  EXPECT_EQ(schema.id, "id");
  EXPECT_EQ(schema_text(parse_schema(schema_text(schema), "S")), schema_text(schema));
}

TEST(Inference, takes_as_many_classes_as_the_model_has) {
  std::string text = "a,y\n";
  for (int i = 0; i < 500; ++i) text += std::to_string(i) + "," + std::to_string(i % 250) + "\n";
  int asked = 0;
  const auto infer = [&](const std::string& table, std::size_t classes) {
    return infer_schema(table_of(table), {.label = "y", .model_classes = [&asked, classes] {
                                            ++asked;
                                            return classes;
                                          }});
  };
  const Schema schema = infer(text, 250);
  ASSERT_EQ(schema.label.classes.size(), 250U);
  for (std::size_t k = 0; k < 250; ++k) EXPECT_EQ(schema.label.classes[k].name, std::to_string(k));
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(infer("a,y\n1,0\n2,1\n", 250).label.classes.size(), 2U);
  EXPECT_EQ(asked, 1) << "the model is asked only about a label of many classes";
  EXPECT_EQ(
      error_of([&] { (void)infer(text, 249); }),
      "t.csv: label 'y': expected at most 249 classes as the model has, a threshold (--above), or for a "
      "model of numbers a range to reach (--reach), got more");
}

TEST(Inference, SaysWhatItCannotTell) {
  std::string numbers = "a,y\n", names = "a,y\n", slip = "a,y\n";
  for (int i = 0; i < 300; ++i) {
    numbers += std::to_string(i) + "," + std::to_string(i) + "\n";
    names += "name" + std::to_string(i) + ",0\n";
    slip += (i == 250 ? "2O" : std::to_string(i)) + "," + std::to_string(i % 2) + "\n";
  }
  const auto infer = [](const std::string& text, const Inference& how) {
    return error_of([&] { (void)infer_schema(table_of(text), how); });
  };
  EXPECT_EQ(
      infer(numbers, {.label = "y"}),
      "t.csv: label 'y': expected at most 20 classes, a threshold (--above), or for a model of numbers a "
      "range to reach (--reach), got more");
  EXPECT_EQ(
      infer(names, {}),
      "t.csv: row 1, column 'a': expected a number, or a column of at most 100 levels (--ignore or --id "
      "leave a column out), got 'name0'");
  EXPECT_EQ(infer(names, {.label = "y"}), "t.csv: label 'y': expected at least two classes, got 1");
  EXPECT_EQ(infer(slip, {.label = "y"}),
            "t.csv: row 251, column 'a': expected a number as in most rows, got '2O'");
  EXPECT_EQ(infer("a,b\n1,NA\n2,?\n", {}),
            "t.csv: column 'b': expected at least one cell that is not missing, got none");
  EXPECT_EQ(infer("a,b\n", {}), "t.csv: expected at least one row, got none");
  EXPECT_EQ(infer("a,b\n1,2\n", {.label = "c"}), "t.csv: expected a column 'c', got columns a, b");
  EXPECT_EQ(infer("a\n1\n3+\n2\n", {}), "");
}

TEST(Inference, ClassesAreInTheOrderOfTheirNumbers) {
  const Schema schema = infer_schema(table_of("a,y\n1,10\n2,9\n3,10\n"), {.label = "y"});
  EXPECT_EQ(schema.label.classes[0].name, "9");
  const Schema above = infer_schema(table_of("a,y\n1,10\n2,9\n3,10\n"), {.label = "y", .above = 9.5});
  EXPECT_EQ(above.label.classes[1].name, "above 9.5");
}

// docs/schema.md is the reference: its example is read, and it has a line for every key that the reader
// knows.
TEST(Schema, IsDescribedKeyByKey) {
  const std::string page = read_file(std::string(SCFE_SOURCE_DIR) + "/docs/schema.md");
  const std::string fence = "```json\n";
  const std::size_t begin = page.find(fence) + fence.size();
  const std::string example = page.substr(begin, page.find("```", begin) - begin);
  EXPECT_EQ(parse_schema(example, "docs/schema.md").columns.size(), 8U);

  int keys = 0;
  const auto each_is_described = [&](const std::string& failure, const std::string& prefix) {
    const std::string opening = "only the keys ";
    const std::size_t first = failure.find(opening) + opening.size();
    std::string list = failure.substr(first, failure.find(", got") - first) + ", ";
    for (std::size_t comma = list.find(", "); comma != std::string::npos; comma = list.find(", ")) {
      const std::string key = list.substr(0, comma);
      list.erase(0, comma + 2);
      ++keys;
      const bool is_row = page.find("| `" + prefix + key + "` |") != std::string::npos;
      const bool is_group = page.find("| `" + key + ".") != std::string::npos;
      EXPECT_TRUE(is_row || is_group || key == "format" || key == "version") << prefix << key;
    }
  };
  each_is_described(schema_failure("\"nonsense\": 1, \"features\": []"), "");
  each_is_described(schema_failure("\"label\": {\"nonsense\": 1}, \"features\": []"), "label.");
  each_is_described(schema_failure("\"missing\": {\"nonsense\": 1}, \"features\": []"), "missing.");
  each_is_described(schema_failure("\"features\": [{\"nonsense\": 1}]"), "");
  EXPECT_EQ(keys, 31);
}

TEST(Schema, LearnedRulesAreKeptWithTheirEvidence) {
  const std::string text =
      R"({"format": "scfe-schema", "version": 1, "features": [{"name": "a", "type": "continuous"},)"
      R"( {"name": "b", "type": "continuous"}], "rules": ["a <= 3"], "learned_rules": [)"
      R"({"rule": "a <= b", "evidence": "0 of 900 rows; 440 expected", "used": true},)"
      R"( {"rule": "b <= 4", "evidence": "1 of 900 rows; 220 expected", "used": false}]})";
  for (const Schema& schema :
       {parse_schema(text, "S.json"), parse_schema(schema_text(parse_schema(text, "S.json")), "again")}) {
    EXPECT_EQ(schema.rules, (std::vector<std::string>{"a <= 3", "a <= b"}));
    EXPECT_EQ(schema.own_rules(), std::vector<std::string>{"a <= 3"});
    ASSERT_EQ(schema.learned.size(), 2U);
    EXPECT_EQ(schema.learned[1].text, "b <= 4");
    EXPECT_EQ(schema.learned[1].evidence, "1 of 900 rows; 220 expected");
    EXPECT_FALSE(schema.learned[1].used);
  }
}

}  // namespace
}  // namespace scfe::test
