#include <gtest/gtest.h>

#include "scfe/file.h"
#include "scfe/table.h"
#include "tests/data/scratch.h"
#include "tests/helper/uniform.h"

namespace scfe::test {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(const Table& table) {
  Rows rows(table.rows());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < table.columns.size(); ++j) rows[i].emplace_back(table.cell(i, j));
  return rows;
}

Rows parse(const std::string& text) {
  const Scratch scratch;
  return rows_of(read_csv(scratch.write("t.csv", text)));
}

std::string csv_failure(const std::string& text) {
  const Scratch scratch;
  const std::string path = scratch.write("t.csv", text);
  const std::string message = error_of([&] { (void)read_csv(path); });
  EXPECT_EQ(message.rfind(path, 0), 0U) << message;
  return message.substr(std::min(message.size(), path.size()));
}

TEST(Csv, UnderstandsRfc4180) {
  const Rows one = {{"1", "2"}};
  EXPECT_EQ(parse("a,b\n1,2\n"), one);
  EXPECT_EQ(parse("a,b\n1,2"), one);
  EXPECT_EQ(parse("a,b\r\n1,2\r\n"), one);
  EXPECT_EQ(parse("a,b\r\n1,2\r"), one);
  EXPECT_EQ(parse("\xEF\xBB\xBF"
                  "a,b\n1,2\n"),
            one);
  EXPECT_EQ(parse("a,b\n\n1,2\n\n\n"), one);
  EXPECT_EQ(parse("a,b\n\"1\",\"2\"\n"), one);
  EXPECT_EQ(parse("a,b\n\"1\",\"2\"\r\n"), one);
  EXPECT_EQ(parse("a,b\n,\n"), (Rows{{"", ""}}));
  EXPECT_EQ(parse("a,b\n1,"), (Rows{{"1", ""}}));
  EXPECT_EQ(parse("a,b\n\"x, \"\"y\"\"\r\nz\",\"\"\n"), (Rows{{"x, \"y\"\r\nz", ""}}));
  EXPECT_EQ(parse("a,b\n5'10\",2\n"), (Rows{{"5'10\"", "2"}}));
  EXPECT_EQ(parse("a,b\n"), Rows{});
  EXPECT_EQ(parse("a\n1\n\n\"\"\n"), (Rows{{"1"}, {""}, {""}}));
}

TEST(Csv, HeaderKeepsItsNames) {
  const Scratch scratch;
  const Table table = read_csv(scratch.write("t.csv", "\xEF\xBB\xBF\"a, b\",\"c \"\"d\"\"\"\r\n1,2\r\n"));
  EXPECT_EQ(table.columns, (std::vector<std::string>{"a, b", "c \"d\""}));
  EXPECT_EQ(table.column("c \"d\""), 1U);
}

TEST(Csv, ErrorsNameFileRowAndColumn) {
  EXPECT_EQ(csv_failure(""), ": expected a header line, got an empty file");
  EXPECT_EQ(csv_failure("a,b,c\n1,2,3\n1,2\n"),
            ": row 2, column 'c': expected 3 cells as the header, got only 2");
  EXPECT_EQ(csv_failure("a,b\n1,2,3\n"), ": row 1: expected 2 cells as the header, got 3");
  EXPECT_EQ(csv_failure("a,a\n"), ": header: expected distinct column names, got 'a' twice");
  EXPECT_EQ(csv_failure("a,b\n1,\"2\n3,4\n"),
            ": row 1, column 'b': expected a closing quote, got the end of the file");
  EXPECT_EQ(csv_failure("a,b\n1,2\n\"1\"x,2\n"),
            ": row 2, column 'a': expected a comma or line end after a closing quote, got 'x'");
  EXPECT_EQ(csv_failure(std::string("a,b\n1,\0\n", 8)),
            ": row 1, column 'b': expected text, got a NUL byte: not a text file?");
  EXPECT_EQ(csv_failure("\xFF\xFE"
                        "a"),
            ": expected UTF-8 text, got UTF-16 (by its byte order mark)");
  const std::string message = error_of([] { (void)read_csv("/nowhere/t.csv"); });
  EXPECT_EQ(message, "/nowhere/t.csv: expected a readable file, got No such file or directory");
  const Scratch scratch;
  EXPECT_NE(error_of([&] { (void)read_csv(scratch.path("")); }), "") << "a folder is no table";
}

std::string nasty(Uniform& random) {
  static const std::vector<std::string> pieces = {",",   "\"",   "\n", "\r\n",         "\r", " ", "a",
                                                  "0.5", "\"\"", "é",  "\xEF\xBB\xBF", "\t", ";"};
  std::string cell;
  for (int i = random.integer(0, 5); i > 0; --i)
    cell += pieces[static_cast<std::size_t>(random.integer(0, static_cast<int>(pieces.size()) - 1))];
  return cell;
}

TEST(Csv, RandomTablesComeBack) {
  const Scratch scratch;
  Uniform random(1);
  for (int trial = 0; trial < 300; ++trial) {
    Table table;
    const int columns = random.integer(1, 5), rows = random.integer(0, 20);
    for (int j = 0; j < columns; ++j) table.columns.push_back(nasty(random) + std::to_string(j));
    std::vector<std::string> cells(table.columns.size());
    for (int i = 0; i < rows; ++i) {
      for (std::string& cell : cells) cell = nasty(random);
      table.add_row(cells);
    }
    write_csv(scratch.path("t.csv"), table);
    const Table back = read_csv(scratch.path("t.csv"));
    ASSERT_EQ(back.columns, table.columns);
    ASSERT_EQ(rows_of(back), rows_of(table)) << trial;
  }
}

TEST(Csv, BatchesAreTheWholeAndKeepCount) {
  const Scratch scratch;
  std::string text = "row,text\n";
  for (int i = 1; i <= 5000; ++i) {
    const std::string number = std::to_string(i);
    text +=
        number + ",\"" + std::string(static_cast<std::size_t>(i % 700), 'x') + "\n\"\"" + number + "\"\r\n";
  }
  CsvReader reader(scratch.write("t.csv", text));
  Table batch;
  std::size_t expected = 1;
  while (reader.read(batch, 7)) {
    ASSERT_LE(batch.rows(), 7U);
    ASSERT_EQ(batch.first_row, expected);
    for (std::size_t i = 0; i < batch.rows(); ++i, ++expected) {
      ASSERT_EQ(batch.cell(i, 0), std::to_string(expected));
      ASSERT_EQ(batch.cell(i, 1).size(), expected % 700 + 2 + std::to_string(expected).size());
    }
  }
  EXPECT_EQ(expected, 5001U);
  EXPECT_FALSE(reader.read(batch, 7));
  EXPECT_EQ(batch.rows(), 0U);
}

TEST(Csv, ErrorsInLaterBatchesCountFromTheStart) {
  const Scratch scratch;
  std::string text = "a,b\n";
  for (int i = 0; i < 100; ++i) text += "1,2\n";
  CsvReader reader(scratch.write("t.csv", text + "1\n"));
  Table batch;
  EXPECT_TRUE(reader.read(batch, 60));
  EXPECT_NE(error_of([&] { reader.read(batch, 60); }).find("row 101, column 'b'"), std::string::npos);
}

TEST(Csv, RowsLongerThanTheBufferAreRead) {
  const Scratch scratch;
  const std::string longest(std::size_t{3} << 20, 'x');
  const Table table = read_csv(scratch.write("t.csv", "a,b\n1," + longest + "\n\"" + longest + "\",2\n"));
  ASSERT_EQ(table.rows(), 2U);
  EXPECT_EQ(table.cell(0, 1), longest);
  EXPECT_EQ(table.cell(1, 0), longest);
}

TEST(Csv, WriterQuotesOnlyWhereNeeded) {
  std::string text;
  append_csv_row(text, std::vector<std::string>{"plain", "a b", "1.5", "", "x,y", "say \"hi\"", " edge"});
  EXPECT_EQ(text, "plain,a b,1.5,,\"x,y\",\"say \"\"hi\"\"\",\" edge\"\n");
}

TEST(AsideFile, IsThereWholeOrNotAtAll) {
  const Scratch scratch;
  const std::string path = scratch.path("out.csv");
  {
    AsideFile file(path);
    file.write("half");
  }
  EXPECT_EQ(scratch.files(), 0U);
  {
    AsideFile file(path);
    file.write("one\n");
    file.write("two\n");
    EXPECT_FALSE(std::filesystem::exists(path));
    file.commit();
  }
  EXPECT_EQ(read_file(path), "one\ntwo\n");
  EXPECT_EQ(scratch.files(), 1U);
  EXPECT_NE(error_of([] { AsideFile file("/nowhere/out.csv"); }).find("/nowhere/out.csv"), std::string::npos);
}

}  // namespace
}  // namespace scfe::test
