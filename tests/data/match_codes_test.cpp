// Codes of categories follow the levels in the model file.
#include <gtest/gtest.h>

#include <algorithm>

#include "data/number.h"
#include "scfe/bundle.h"
#include "scfe/error.h"
#include "tests/data/scratch.h"
#include "tests/helper/shared_files.h"
#include "tests/helper/uniform.h"

namespace scfe::test {
namespace {

using Names = std::vector<std::string>;

std::string file(const std::string& name) { return fixture("levels/" + name).string(); }

Schema inferred(const Table& rows) {
  return infer_schema(rows, {.label = "label", .ignore = {"xgboost", "lightgbm"}});
}

Column number(const std::string& name) {
  Column column;
  column.feature.name = name;
  column.feature.kind = Kind::integer;
  return column;
}

Column category(const std::string& name, Names levels) {
  Column column = number(name);
  column.feature.kind = Kind::categorical;
  column.feature.levels = std::move(levels);
  return column;
}

Schema schema_of(std::vector<Column> columns) {
  Schema schema;
  schema.columns = std::move(columns);
  return schema;
}

// infos is written as in the file: "[0:1]" for a number, "-1:0:1" for codes.
ModelFile lightgbm(const std::string& names, const std::string& infos, const std::string& lists) {
  return {"m.txt", "lightgbm",
          "tree\nfeature_names=" + names + "\nfeature_infos=" + infos + "\n\npandas_categorical:" + lists,
          ""};
}

ModelFile xgboost(const std::string& names, const std::string& types, const std::string& model) {
  return {"m.json", "xgboost",
          R"({"learner": {"feature_names": )" + names + R"(, "feature_types": )" + types +
              R"(, "gradient_booster": {"model": )" + model + "}}}",
          ""};
}

void expect_margins(const std::string& name, const Schema& schema, const Table& rows) {
  const ModelFile model_file = read_model_file(file(name));
  const Encoder encoder(match_model(schema, model_file));
  const auto model = open_model(model_file);
  const Encoded encoded = encoder.encode(rows);
  ASSERT_EQ(encoder.inputs(), model->features());
  const auto tape = model->tape(1);
  const std::size_t margin = rows.column(model_file.kind);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    std::vector<double> score(1);
    model->forward_one(encoded.inputs[i], score, *tape);
    EXPECT_NEAR(score[0], *parse_number(rows.cell(i, margin)), 1e-5) << name << ", row " << i;
  }
}

// "?" usually means "missing", but not if the model was trained with it as a level.
TEST(MatchCodes, a_level_that_the_model_knows_does_not_mean_missing) {
  const Schema schema = schema_of({category("job", {"a", "b"}), number("n")});
  Names notes;
  const Schema matched =
      match_model(schema, lightgbm("job n", "0:1:2 [0:1]", R"([["?", "a", "b"]])"), &notes);
  EXPECT_EQ(matched.columns[0].feature.levels, (Names{"?", "a", "b"}));
  EXPECT_FALSE(matched.is_missing("?", "job"));
  EXPECT_TRUE(matched.is_missing("?", "n")) << "it is no level of the other column";
  EXPECT_TRUE(matched.is_missing("NA", "job"));
  EXPECT_EQ(notes.back(), "m.txt: '?' is a level of 'job', so it does not mean 'missing' there");
  EXPECT_NO_THROW((void)Encoder(matched));
}

TEST(MatchCodes, a_policy_for_missing_cells_is_kept) {
  Schema schema = schema_of({category("job", {"a", "b"}), number("n")});
  schema.missing = Missing::drop;
  const Schema matched = match_model(schema, lightgbm("job n", "0:1:2 [0:1]", R"([["?", "a", "b"]])"));
  EXPECT_TRUE(matched.is_missing("?", "job"));
  EXPECT_EQ(matched.columns[0].feature.transitions,
            (std::vector<std::vector<int>>{{1, 2, 0}, {1, 2}, {1, 2}}))
      << "it is not offered";
  Table rows;
  rows.columns = {"job", "n"};
  for (const char* cell : {"?", "1", "a", "?", "b", "2"}) rows.add(cell);
  EXPECT_EQ(Encoder(matched).encode(rows).rows, (std::vector<std::size_t>{2}));
}

TEST(MatchCodes, margins_of_rows_in_text_are_the_libraries_own) {
  const Table rows = read_csv(file("rows.csv"));
  Schema schema = inferred(rows);
  for (const char* name : {"xgboost.json", "xgboost.ubj", "lightgbm.txt"}) {
    expect_margins(name, schema, rows);
    std::ranges::reverse(schema.columns);
    for (Column& column : schema.columns)  // XGBoost sees no category in smoker; 0 and 1 come from the schema
      if (column.feature.name != "smoker") std::ranges::reverse(column.feature.levels);
    expect_margins(name, schema, rows);
  }
}

TEST(MatchCodes, what_is_matched_is_matched_again_as_it_is) {
  const Table rows = read_csv(file("rows.csv"));
  for (const char* name : {"xgboost.json", "lightgbm.txt"}) {
    const ModelFile model = read_model_file(file(name));
    const Schema once = match_model(inferred(rows), model);
    std::vector<std::string> notes;
    EXPECT_EQ(schema_text(match_model(parse_schema(schema_text(once), "s"), model, &notes)),
              schema_text(once));
    EXPECT_TRUE(notes.empty());
  }
}

TEST(MatchCodes, levels_in_the_files_order_and_those_of_the_schema_alone_are_offered) {
  const Table rows = read_csv(file("rows.csv"));
  std::vector<std::string> notes;
  ModelFile model = read_model_file(file("xgboost.json"));
  model.source = "m.json";
  const Schema matched = match_model(inferred(rows), model, &notes);
  const Feature& job = matched.columns[matched.find("job")].feature;
  EXPECT_EQ(job.levels, (Names{"none", "clerk", "nobody", "Müller", "boss, big"}));
  EXPECT_EQ(job.width(), 1U);
  for (std::size_t k = 0; k < job.levels.size(); ++k)
    EXPECT_EQ(std::ranges::count(job.transitions[k], 2), k == 2 ? 1 : 0) << "nobody is no answer";
  const Feature& month = matched.columns[matched.find("month")].feature;
  EXPECT_EQ(month.kind, Kind::categorical);
  EXPECT_EQ(month.levels, (Names{"12", "2", "3", "7"}));
  ASSERT_EQ(notes.size(), 4U);
  EXPECT_EQ(notes[0],
            "m.json: levels of 'job' are in the model's order: none, clerk, nobody, Müller, boss, big");
  EXPECT_EQ(notes[1], "m.json: levels of 'month' are in the model's order: 12, 2, 3, 7");
  EXPECT_EQ(notes[2], "m.json: levels of 'school' are in the model's order: low, mid, high");
  EXPECT_EQ(notes[3], "m.json: levels of 'country' are in the model's order: there, here");
}

TEST(MatchCodes, a_level_that_the_file_does_not_know_is_an_error) {
  const ModelFile model = lightgbm("job", "-1:0:1", R"([["boss","clerk"]])");
  EXPECT_EQ(error_of([&] {
              match_model(schema_of({category("job", {"clerk", "pilot"})}), model);
            }),
            "m.txt: feature 'job': levels of the model: expected one of boss, clerk, got 'pilot'");
  EXPECT_EQ(error_of([&] { match_model(schema_of({number("job")}), model); }),
            "m.txt: feature 'job': expected a category with the levels boss, clerk (as the model has them), "
            "got numbers");
}

TEST(MatchCodes, values_that_are_their_own_codes_stay_numbers) {
  const ModelFile model = lightgbm("kids", "-1:0:1:2", "[[0, 1, 2]]");
  EXPECT_EQ(match_model(schema_of({number("kids")}), model).columns[0].feature.kind, Kind::integer);
  const ModelFile truth = lightgbm("own", "-1:0:1", "[[false, true]]");
  EXPECT_EQ(match_model(schema_of({number("own")}), truth).columns[0].feature.kind, Kind::integer);
}

TEST(MatchCodes, numbers_keep_their_range_and_direction_as_categories) {
  Column month = number("month");
  month.feature.min = 2;
  month.feature.max = 7;
  month.feature.direction = Direction::up;
  month.fill = "3";
  Schema schema = schema_of({month});
  const ModelFile model = lightgbm("month", "-1:0:1:2:3", R"([["12", 2.0, 3, 7]])");
  const Column matched = match_model(schema, model).columns[0];
  EXPECT_EQ(matched.feature.levels, (Names{"12", "2", "3", "7"}));
  EXPECT_EQ(matched.feature.order, (std::vector<int>{1, 2, 3, 0}));
  EXPECT_EQ(matched.feature.transitions,
            (std::vector<std::vector<int>>{{1, 2, 3, 0}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}}));
  EXPECT_EQ(matched.fill, "3");
  EXPECT_FALSE(matched.feature.min || matched.feature.max || matched.feature.step);
  const Encoder encoder(match_model(schema, model));
  EXPECT_EQ(encoder.value_of(0, "7.0"), 3);
  EXPECT_EQ(encoder.value_of(0, "8"), std::nullopt);
  schema.rules = {"month <= 5"};
  EXPECT_EQ(error_of([&] { match_model(schema, model); }),
            "m.txt: feature 'month': levels: expected 12, 2, 3, 7 as the model has them, for the rule "
            "'month <= 5' counts them, got numbers");
}

TEST(MatchCodes, spelling_of_truth_values_is_the_tables) {
  const ModelFile model = lightgbm("own", "-1:0:1", "[[true, false]]");
  EXPECT_EQ(match_model(schema_of({category("own", {"FALSE", "TRUE"})}), model).columns[0].feature.levels,
            (Names{"TRUE", "FALSE"}));
}

// LightGBM lists the levels of an ordered category but treats it as a number; a coded number may lack one.
TEST(MatchCodes, lists_are_those_of_the_columns_that_they_fit) {
  const Schema schema =
      schema_of({number("zip"), category("school", {"high", "low"}), category("job", {"boss", "clerk"})});
  const std::string lists = R"([["low","high"],["clerk","boss"]])";
  for (const char* infos : {"-1:7:5 [0:1] -1:0:1", "-1:7:5 -1:0:1 -1:0:1", "[0:9] [0:1] [0:1]"}) {
    const Schema matched = match_model(schema, lightgbm("zip school job", infos, lists));
    EXPECT_EQ(matched.columns[0].feature.kind, Kind::integer) << infos;
    EXPECT_EQ(matched.columns[1].feature.levels, (Names{"low", "high"})) << infos;
    EXPECT_EQ(matched.columns[2].feature.levels, (Names{"clerk", "boss"})) << infos;
  }
  EXPECT_EQ(error_of([&] {
              match_model(schema, lightgbm("zip school job", "[0:9] [0:1] [0:1]", R"([["clerk","boss"]])"));
            }),
            "m.txt: pandas_categorical: expected a list for each of 2 columns (say in the schema which "
            "columns are categories: \"categorical\" with their levels), got 1");
}

TEST(MatchCodes, without_levels_in_the_file_places_in_the_schema_are_said) {
  const Schema schema = schema_of({number("age"), category("job", {"boss", "clerk"}), number("zip")});
  std::vector<std::string> notes;
  const ModelFile old = xgboost(R"(["age", "job", "zip"])", R"(["int", "c", "c"])", "{}");
  EXPECT_EQ(match_model(schema, old, &notes).columns[1].feature.encoding, Encoding::code);
  const std::string places =
      "the file does not say which code is which level of 'job'; codes 0, 1, ... are taken to be the places "
      "in the schema's levels: boss, clerk";
  EXPECT_EQ(notes, (Names{"m.json: " + places,
                          "m.json: the file does not say which code is which value of 'zip'; the values are "
                          "taken to be the codes"}));
  notes.clear();
  // Without names, columns match by position. The file lists no categories, so values are codes.
  const ModelFile plain = xgboost("[]", R"(["int", "c", "c"])", R"({"cats": {"enc": []}})");
  EXPECT_EQ(match_model(schema, plain, &notes).columns[1].feature.encoding, Encoding::code);
  EXPECT_EQ(notes, (Names{"m.json: " + places}));
  notes.clear();
  // The column has a single input, whatever the training data were.
  EXPECT_EQ(match_model(schema, lightgbm("zip age job", "[0:9] [1:9] [0:1]", "null"), &notes)
                .columns[2]
                .feature.encoding,
            Encoding::code);
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_EQ(notes[0], "m.txt: " + places);
}

// "Zoë", "Ann", "Bea" with end positions in bytes, and in characters as XGBoost 3.1 and 3.2 write them.
TEST(MatchCodes, levels_of_more_than_ascii_are_read_in_bytes_and_in_letters) {
  const auto names = [](const std::string& encoding) {
    return xgboost(R"(["name"])", R"(["c"])", R"({"cats": {"enc": [)" + encoding + "]}}");
  };
  const Names wanted = {"Zoë", "Ann", "Bea"};
  const ModelFile bytes =
      names(R"({"offsets": [0, 4, 7, 10], "values": [90, 111, -61, -85, 65, 110, 110, 66, 101, 97]})");
  const ModelFile letters =
      names(R"({"offsets": [0, 3, 6, 9], "values": [90, 111, -61, -85, 65, 110, 110, 66, 101]})");
  const Schema schema = schema_of({category("name", {"Ann", "Bea", "Zoë"})});
  EXPECT_EQ(match_model(schema, bytes).columns[0].feature.levels, wanted);
  EXPECT_EQ(match_model(schema, letters).columns[0].feature.levels, wanted);
  EXPECT_EQ(match_model(schema_of({category("name", {"Ann", "Zoë"})}), letters).columns[0].feature.levels,
            (Names{"Zoë", "Ann", "Be?"}));
  EXPECT_EQ(error_of([&] {
              match_model(schema_of({category("name", {"Bea", "Bee", "Zoë"})}), letters);
            }),
            "m.json: levels: expected a file that tells them apart (this one has lost the ends of some), got "
            "Bea, Bee, Zoë");
}

TEST(MatchCodes, class_names_that_are_none_of_the_labels_are_said) {
  ModelFile model = read_model_file(file("logistic.onnx"));
  model.source = "m.onnx";
  Schema schema = schema_of({number("size (cm)"), number("2nd income"), number("age, years")});
  const auto notes_with = [&](const Names& classes) {
    schema.label = {"label", {}, {}};
    for (const std::string& name : classes) schema.label.classes.push_back({name, {name}});
    std::vector<std::string> notes;
    (void)match_model(schema, model, &notes);
    return notes;
  };
  EXPECT_TRUE(notes_with({"no", "yes"}).empty());
  EXPECT_EQ(notes_with({"yes", "no"}), (Names{"m.onnx: classes are in the model's order: no, yes"}));
  EXPECT_EQ(
      notes_with({"AAA", "BBB"}),
      (Names{"m.onnx: none of the model's classes no, yes is one of the label's AAA, BBB; they are taken "
             "in the label's order"}));
}

TEST(MatchCodes, spoilt_categories_are_an_error) {
  const Schema schema = schema_of({category("job", {"boss", "clerk"})});
  const auto xgb = [&](const std::string& encoding) {
    return error_of([&] {
      match_model(schema, xgboost(R"(["job"])", R"(["c"])", R"({"cats": {"enc": [)" + encoding + "]}}"));
    });
  };
  EXPECT_EQ(xgb(R"({"offsets": [0, 4, 9], "values": [98, 111]})"),
            "m.json: cats: expected texts within their list, got 4");
  EXPECT_EQ(xgb(R"({"offsets": [0, -1], "values": [98, 111]})").substr(0, 6), "m.json");
  EXPECT_EQ(xgb(R"({"offsets": [0, 1], "values": ["b"]})").substr(0, 6), "m.json");
  EXPECT_EQ(xgb(R"({"type": 15, "values": [null]})"),
            "m.json: cats: expected texts and numbers as categories, got null");
  EXPECT_EQ(error_of([&] { match_model(schema, lightgbm("job", "-1:0:1", "[[\"boss\"")); }),
            "m.txt: pandas_categorical: line 1, column 8: expected a JSON document, got the end of the text");
  for (const char* lists : {"{}", "[1]"})
    EXPECT_EQ(error_of([&] { match_model(schema, lightgbm("job", "-1:0:1", lists)); }),
              "m.txt: pandas_categorical: expected a list of lists of categories, got another");
}

TEST(MatchCodes, a_spoilt_file_is_an_error_or_matched) {
  const Schema schema = inferred(read_csv(file("rows.csv")));
  Uniform random(3);
  for (const char* name : {"xgboost.json", "xgboost.ubj", "lightgbm.txt"}) {
    const ModelFile model = read_model_file(file(name));
    const int last = static_cast<int>(model.bytes.size()) - 1;
    // Damages the places of names and categories: both ends of the file, and around "enc".
    const auto middle = static_cast<int>(std::min(model.bytes.find("enc"), model.bytes.size() / 2));
    for (int trial = 0; trial < 300; ++trial) {
      ModelFile spoilt = model;
      const int from = trial % 3 == 0 ? 0 : trial % 3 == 1 ? last - 400 : middle;
      for (int k = 0; k < 3; ++k)
        spoilt.bytes[static_cast<std::size_t>(random.integer(from, std::min(from + 400, last)))] =
            static_cast<char>(random.integer(0, 255));
      try {
        (void)match_model(schema, spoilt);
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(model.source), std::string::npos);
      }
    }
  }
}

}  // namespace
}  // namespace scfe::test
