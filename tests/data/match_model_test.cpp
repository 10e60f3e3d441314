// Columns, levels and classes follow the names in the model file.
#include <gtest/gtest.h>

#include "scfe/bundle.h"
#include "scfe/error.h"
#include "tests/model/onnx/proto.h"

namespace scfe {
namespace {

Column number(const std::string& name) {
  Column column;
  column.feature.name = name;
  return column;
}

Column category(const std::string& name, std::vector<std::string> levels) {
  Column column = number(name);
  column.feature.kind = Kind::categorical;
  column.feature.levels = std::move(levels);
  return column;
}

ModelFile lightgbm(const std::string& names) {
  return {"m.txt", "lightgbm", "tree\nversion=v4\nfeature_names=" + names + "\n\n", ""};
}

std::vector<std::string> order_of(const Schema& schema) {
  std::vector<std::string> names;
  for (const Column& column : schema.columns) names.push_back(column.feature.name);
  return names;
}

template <class Call>
void expect_error(const Call& call, const std::string& message) {
  try {
    call();
    FAIL() << "no error: " << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), message);
  }
}

using Names = std::vector<std::string>;

TEST(MatchModel, columns_by_name) {
  Schema schema;
  schema.columns = {number("age"), number("loan, amount"), number("income")};
  std::vector<std::string> notes;
  const Schema matched = match_model(schema, lightgbm("income age loan__amount"), &notes);
  EXPECT_EQ(order_of(matched), (Names{"income", "age", "loan, amount"}));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0],
            "m.txt: columns are matched with the model's inputs by name: income, age, loan__amount");
}

// A model with one unnamed block of inputs.
ModelFile onnx_of_inputs(std::size_t count) {
  const std::vector<std::byte> bytes =
      test::model(test::Proto()
                      .message(1, test::node("MatMul", {"x", "w"}, {"y"}))
                      .message(5, test::matrix("w", count, 2, std::vector<float>(2 * count, 1)))
                      .message(11, test::port("x", {-1, static_cast<std::int64_t>(count)}))
                      .message(12, test::port("y", {-1, 2})))
          .bytes();
  return {"m.onnx", "onnx", {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, ""};
}

// Runtimes would truncate fractions of inputs that are declared as integers.
TEST(MatchModel, fractions_for_whole_inputs_are_refused) {
  constexpr std::uint64_t real = 1, int64 = 7, boolean = 9;
  const auto onnx = [](std::uint64_t type) {
    const std::vector<std::byte> bytes = test::model(test::Proto()
                                                         .message(1, test::to_float("a", "f"))
                                                         .message(1, test::node("MatMul", {"f", "w"}, {"y"}))
                                                         .message(5, test::matrix("w", 2, 2, {1, -1, 2, 1}))
                                                         .message(11, test::port("a", {-1, 2}, type))
                                                         .message(12, test::port("y", {-1, 2})))
                                             .bytes();
    return ModelFile{"m.onnx", "onnx", {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, ""};
  };
  Schema schema;
  schema.columns = {number("rooms"), number("size")};
  schema.columns[0].feature.kind = Kind::integer;
  EXPECT_NO_THROW((void)match_model(schema, onnx(real)));
  for (const std::uint64_t type : {int64, boolean})
    expect_error(
        [&] { (void)match_model(schema, onnx(type)); },
        "m.onnx: input 'a': expected whole numbers, as the file declares (\"type\": \"integer\" in the "
        "schema), got the continuous column 'size'");
  schema.columns[1].feature.kind = Kind::integer;
  EXPECT_NO_THROW((void)match_model(schema, onnx(int64)));
}

TEST(MatchModel, other_names_say_nothing) {
  Schema schema;
  schema.columns = {number("b"), number("a")};
  std::vector<std::string> notes;
  EXPECT_EQ(order_of(match_model(schema, lightgbm("Column_0 Column_1"), &notes)), (Names{"b", "a"}));
  EXPECT_TRUE(notes.empty());
  EXPECT_EQ(order_of(match_model(schema, lightgbm("b c"), &notes)), (Names{"b", "a"}));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0],
            "m.txt: no column for the model's inputs c; they are taken in the order of the columns");
}

TEST(MatchModel, names_in_part_must_stand_at_their_place) {
  Schema schema;
  schema.columns = {number("b"), number("a")};
  expect_error(
      [&] { match_model(schema, lightgbm("a c")); },
      "m.txt: inputs of the model: expected columns with the names of all inputs, or columns in the order of "
      "the inputs, got no column for c and the column 'a' at another place");
}

TEST(MatchModel, binaries_are_two_inputs_where_that_gives_the_number_of_inputs) {
  Column sex = category("sex", {"f", "m"}), flag = number("flag");
  sex.feature.kind = flag.feature.kind = Kind::binary;
  Schema schema;
  schema.columns = {number("a"), sex, category("job", {"x", "y", "z"}), flag};
  std::vector<std::string> notes;
  const ModelFile wide = onnx_of_inputs(7), narrow = onnx_of_inputs(6);
  EXPECT_EQ(match_model(schema, wide, &notes).columns[1].feature.kind, Kind::categorical);
  EXPECT_EQ(match_model(schema, wide, &notes).columns[3].feature.kind, Kind::binary) << "it has one number";
  EXPECT_EQ(notes.at(0),
            "m.onnx: the model has 7 inputs, so these columns have one for each of their two levels: sex");
  EXPECT_EQ(match_model(schema, narrow).columns[1].feature.kind, Kind::binary);
  schema.columns[1].feature.direction = Direction::up;
  const Schema directed = match_model(schema, wide);
  EXPECT_EQ(directed.columns[1].feature.order, (std::vector<int>{0, 1})) << "up still means towards m";
  EXPECT_NO_THROW(check_schema(directed, "matched"));
}

TEST(MatchModel, names_as_exporters_spell_them) {
  Schema schema;
  schema.columns = {number("net income"), number("age (years)"), category("job", {"blue collar", "none"})};
  const Schema matched = match_model(schema, lightgbm("age_(years) job_blue_collar job_none net_income"));
  EXPECT_EQ(order_of(matched), (Names{"age (years)", "job", "net income"}));
}

TEST(MatchModel, letters_and_digits_are_enough_where_they_are_one_to_one) {
  Schema schema;
  schema.columns = {number("age"), number("2nd income"), number("loan, \"amount\"")};
  EXPECT_EQ(order_of(match_model(schema, lightgbm("loan_amount _2nd_income age"))),
            (Names{"loan, \"amount\"", "2nd income", "age"}));
  std::vector<std::string> notes;
  schema.columns = {number("a.b"), number("a-b"), number("c")};
  EXPECT_EQ(order_of(match_model(schema, lightgbm("_ab_ a__b c"), &notes)), (Names{"a.b", "a-b", "c"}));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0],
            "m.txt: no column for the model's inputs _ab_, a__b; they are taken in the order of the columns");
}

TEST(MatchModel, one_level_of_two_alone_is_a_one_for_itself) {
  Column sex = category("sex", {"female", "male"});
  sex.feature.kind = Kind::binary;
  sex.feature.direction = Direction::up;
  Schema schema;
  schema.columns = {number("age"), sex};
  const Feature male = match_model(schema, lightgbm("age sex_male")).columns[1].feature;
  EXPECT_EQ(male.kind, Kind::binary);
  EXPECT_EQ(male.levels, (Names{"female", "male"}));
  const Feature female = match_model(schema, lightgbm("age sex_female")).columns[1].feature;
  EXPECT_EQ(female.levels, (Names{"male", "female"}));
  EXPECT_EQ(female.width(), 1U);
  EXPECT_EQ(female.order, (std::vector<int>{1, 0}));  // "up" still means towards male
  schema.rules = {"sex <= 0"};
  expect_error(
      [&] { match_model(schema, lightgbm("age sex_female")); },
      "m.txt: feature 'sex': levels: expected male, female as the model has them, for the rule 'sex <= 0' "
      "counts them, got female, male");
}

TEST(MatchModel, a_column_the_model_does_not_have_is_an_error) {
  Schema schema;
  schema.columns = {number("a"), number("b")};
  expect_error([&] { match_model(schema, lightgbm("a")); },
               "m.txt: inputs of the model: expected one for the column 'b', got a");
}

TEST(MatchModel, levels_as_inputs_in_the_models_order) {
  Schema schema;
  schema.columns = {number("age"), category("job", {"clerk", "none", "manager"})};
  schema.columns[1].feature.distances = {{0, 1, 2}, {3, 0, 4}, {5, 6, 0}};
  schema.columns[1].feature.transitions = {{0, 1}, {1}, {2, 0}};
  schema.columns[1].feature.order = {1, 0, 2};
  const Schema matched = match_model(schema, lightgbm("job_manager job_clerk job_none age"));
  EXPECT_EQ(order_of(matched), (Names{"job", "age"}));
  const Feature& job = matched.columns[0].feature;
  EXPECT_EQ(job.levels, (Names{"manager", "clerk", "none"}));
  EXPECT_EQ(job.distances, (std::vector<std::vector<double>>{{0, 5, 6}, {2, 0, 1}, {4, 3, 0}}));
  EXPECT_EQ(job.transitions, (std::vector<std::vector<int>>{{0, 1}, {1, 2}, {2}}));
  EXPECT_EQ(job.order, (std::vector<int>{2, 1, 0}));
}

TEST(MatchModel, levels_of_a_column_apart_are_an_error) {
  Schema schema;
  schema.columns = {number("age"), category("job", {"clerk", "none"})};
  expect_error([&] { match_model(schema, lightgbm("job_clerk age job_none")); },
               "m.txt: inputs of the model: expected the levels of a column side by side, got "
               "job_clerk, age, job_none");
}

}  // namespace
}  // namespace scfe
