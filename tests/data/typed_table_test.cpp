// Typed columns give the same inputs as their text, without passing through it.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "scfe/encoder.h"
#include "scfe/error.h"
#include "scfe/text.h"

namespace scfe {
namespace {

TypedColumn numbers(std::vector<double> values, TypedColumn::Numbers how = TypedColumn::Numbers::doubles) {
  TypedColumn column;
  column.numbers = std::move(values);
  column.written_as = how;
  return column;
}

TypedColumn texts(std::vector<std::int32_t> codes, std::vector<std::string> levels) {
  TypedColumn column;
  column.has_texts = true;
  column.codes = std::move(codes);
  column.texts = std::make_shared<const std::vector<std::string>>(std::move(levels));
  return column;
}

// The cells of a typed table as a table of texts.
Table as_text(const Table& typed) {
  Table table;
  table.source = typed.source;
  table.columns = typed.columns;
  for (std::size_t row = 0; row < typed.rows(); ++row)
    for (std::size_t column = 0; column < typed.columns.size(); ++column) table.add(typed.cell(row, column));
  return table;
}

Table mixed_table(std::size_t rows) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> real(-1e3, 1e3);
  std::vector<double> wide, whole, flag;
  std::vector<std::int32_t> codes;
  for (std::size_t row = 0; row < rows; ++row) {
    wide.push_back(real(random));
    whole.push_back(std::round(real(random)));
    flag.push_back(static_cast<double>(row % 2));
    codes.push_back(static_cast<std::int32_t>(random() % 3));
  }
  Table table;
  table.source = "rows";
  table.add_column("wide", numbers(std::move(wide)));
  table.add_column("whole", numbers(std::move(whole)));
  table.add_column("flag", numbers(std::move(flag)));
  table.add_column("colour", texts(std::move(codes), {"red", "green", "blue"}));
  return table;
}

TEST(TypedTable, gives_the_schema_and_the_inputs_of_its_text) {
  const Table typed = mixed_table(500), text = as_text(typed);
  const Schema schema = infer_schema(typed, {});
  Schema from_text = infer_schema(text, {});
  for (Column& column : from_text.columns) column.written_decimals.reset();  // numbers in memory have none
  EXPECT_EQ(schema_text(schema), schema_text(from_text));
  const Encoder encoder(schema);
  const Encoded a = encoder.encode(typed), b = encoder.encode(text);
  ASSERT_EQ(a.inputs.rows, 500U);
  EXPECT_EQ(a.inputs.values, b.inputs.values);
  for (std::size_t row = 0; row < 500; ++row)
    EXPECT_EQ(encoder.decode(a.inputs[row], typed, row), encoder.decode(b.inputs[row], text, row));
  const Table part = typed.slice(100, 50);
  EXPECT_EQ(part.first_row, 101U);
  const Encoded c = encoder.encode(part);
  for (std::size_t row = 0; row < 50; ++row)
    for (std::size_t i = 0; i < encoder.inputs(); ++i) EXPECT_EQ(c.inputs[row][i], a.inputs[100 + row][i]);
}

TEST(TypedTable, categories_keep_their_own_levels_and_order) {
  Table table;
  table.source = "rows";
  TypedColumn size = texts({2, 0, 2, 0}, {"small", "medium", "large"});
  size.is_category = size.is_ordered = true;
  table.add_column("size", size);
  const Schema schema = infer_schema(table, {});
  EXPECT_EQ(schema.columns[0].feature.levels, (std::vector<std::string>{"small", "medium", "large"}));
  EXPECT_EQ(schema.columns[0].feature.order, (std::vector<int>{0, 1, 2}));
}

TEST(TypedTable, single_precision_is_written_short_and_taken_exactly) {
  Table table;
  table.source = "rows";
  table.add_column(
      "x", numbers({static_cast<double>(0.1F), static_cast<double>(2.5F)}, TypedColumn::Numbers::floats));
  EXPECT_EQ(table.cell(0, 0), "0.1");
  const Schema schema = infer_schema(table, {});
  EXPECT_EQ(schema.columns[0].feature.step, step_of_decimals(1));
  EXPECT_EQ(Encoder(schema).encode(table).inputs[0][0], static_cast<double>(0.1F));
}

TEST(TypedTable, booleans_fit_features_of_numbers_and_of_levels) {
  Table table;
  table.source = "rows";
  table.add_column("flag", numbers({0, 1, 1}, TypedColumn::Numbers::booleans));
  const Encoder plain(infer_schema(table, {}));
  EXPECT_EQ(plain.encode(table).inputs.values, (std::vector<double>{0, 1, 1}));
  const Encoder named(infer_schema(as_text(table), {}));
  EXPECT_EQ(named.schema().columns[0].feature.levels, (std::vector<std::string>{"False", "True"}));
  EXPECT_EQ(named.encode(table).inputs.values, (std::vector<double>{0, 1, 1}));
}

TEST(TypedTable, missing_and_infinite_numbers_are_named) {
  Table table;
  table.source = "rows";
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  table.add_column("x", numbers({1, 2}));
  const Encoder encoder(infer_schema(table, {}));
  for (const auto& [value, words] : {std::pair(nan, "expected a value"), std::pair(inf, "'inf'")}) {
    Table bad;
    bad.source = "rows";
    bad.add_column("x", numbers({1, value}));
    try {
      (void)encoder.encode(bad);
      ADD_FAILURE() << words;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("rows: row 2, column 'x'"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  }
  Table uneven;
  uneven.add_column("x", numbers({1, 2}));
  EXPECT_THROW(uneven.add_column("y", numbers({1})), Error);
}

}  // namespace
}  // namespace scfe
