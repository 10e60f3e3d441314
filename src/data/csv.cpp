// Reads CSV (RFC 4180) one row at a time through a buffer that moves along the file.
//
//     row  = cell ("," cell)* (LF | CRLF | end)
//     cell = anything without comma and line break | '"' (anything without '"' | '""')* '"'
//
// If the buffer ends within a row, more bytes are read and the row is parsed again.
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <set>

#include "scfe/error.h"
#include "scfe/table.h"
#include "support/text.h"

namespace scfe {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 16;
constexpr std::size_t longest_row = std::size_t{1} << 26;  // so that an unclosed quote cannot fill the memory

constexpr std::size_t most_columns = std::size_t{1} << 20, most_extra = 1000;

constexpr std::array<bool, 256> marks(std::string_view characters) {
  std::array<bool, 256> set{};
  for (const char c : characters) set[static_cast<unsigned char>(c)] = true;
  return set;
}
constexpr auto ends_cell = marks({",\n\0", 3});
constexpr auto ends_quoted = marks({"\"\0", 2});

const char* scan(const char* at, const char* end, const std::array<bool, 256>& stops) {
  while (at != end && !stops[static_cast<unsigned char>(*at)]) ++at;
  return at;
}

struct CloseFile {
  void operator()(std::FILE* file) const { (void)std::fclose(file); }
};

}  // namespace

struct CsvReader::State {
  std::string path;
  std::unique_ptr<std::FILE, CloseFile> file;
  std::vector<char> buffer;
  std::size_t begin = 0, end = 0;  // bytes not yet parsed
  bool all_read = false;
  std::vector<std::string> columns;
  std::size_t row = 0;  // number of the current row; 0: the header

  std::vector<std::string_view> cells;  // of the current row
  std::deque<std::string> unquoted;     // owns the text of cells with quotes inside

  void open(const std::string& name);
  void fill();
  bool next_row();
  const char* parse(const char* at, const char* last);
  const char* parse_plain(const char* at, const char* last);
  const char* parse_quoted(const char* at, const char* last);
  void check_width() const;
  // A row far wider than the header is refused while it is read.
  std::size_t most_cells() const { return columns.empty() ? most_columns : columns.size() + most_extra; }
  std::string place() const;
};

// The parser's position, for error messages.
std::string CsvReader::State::place() const {
  const std::string line = row == 0 ? "header" : "row " + std::to_string(row);
  const std::size_t column = cells.size();
  return path + ": " + line + ", column " +
         (column < columns.size() ? "'" + columns[column] + "'" : std::to_string(column + 1));
}

void CsvReader::State::open(const std::string& name) {
  path = name;
  file.reset(std::fopen(path.c_str(), "rb"));
  if (!file) throw Error(path, "a readable file", std::strerror(errno));
  buffer.resize(buffer_bytes);
  fill();
  const std::string_view start(buffer.data(), end);
  if (start.starts_with("\xFF\xFE") || start.starts_with("\xFE\xFF"))
    throw Error(path, "UTF-8 text", "UTF-16 (by its byte order mark)");
  if (start.starts_with("\xEF\xBB\xBF")) begin = 3;
  if (!next_row()) throw Error(path, "a header line", "an empty file");
  std::set<std::string_view> names;
  for (const std::string_view cell : cells)
    if (!names.insert(cell).second)
      throw Error(path + ": header", "distinct column names", "'" + std::string(cell) + "' twice");
  columns.assign(cells.begin(), cells.end());
}

// Moves the unparsed bytes to the front of the buffer and reads more behind them.
void CsvReader::State::fill() {
  std::memmove(buffer.data(), buffer.data() + begin, end - begin);
  end -= begin;
  begin = 0;
  if (end == buffer.size()) {
    if (buffer.size() >= longest_row)
      throw Error(place(), "a row below 64 MB", "a longer one (a quote that is never closed?)");
    buffer.resize(2 * buffer.size());
  }
  const std::size_t got = std::fread(buffer.data() + end, 1, buffer.size() - end, file.get());
  if (std::ferror(file.get()) != 0) throw Error(path, "a readable file", std::strerror(errno));
  all_read = got == 0;
  end += got;
}

// The parse functions return the position where they stopped, or null if the buffer ends within the row.
const char* CsvReader::State::parse_plain(const char* at, const char* last) {
  const char* stop = scan(at, last, ends_cell);
  if (stop == last && !all_read) return nullptr;
  if (stop != last && *stop == '\0') throw Error(place(), "text", "a NUL byte: not a text file?");
  const bool line_end = stop == last || *stop == '\n';
  const bool carriage = line_end && stop != at && stop[-1] == '\r';
  cells.emplace_back(at, stop - (carriage ? 1 : 0));
  return stop;
}

const char* CsvReader::State::parse_quoted(const char* at, const char* last) {
  const char* from = ++at;
  std::string* owner = nullptr;
  for (;; at += 2) {
    at = scan(at, last, ends_quoted);
    if (at == last) {
      if (!all_read) return nullptr;
      throw Error(place(), "a closing quote", "the end of the file");
    }
    if (*at == '\0') throw Error(place(), "text", "a NUL byte: not a text file?");
    if (at + 1 == last && !all_read) return nullptr;
    if (at + 1 == last || at[1] != '"') break;
    if (owner == nullptr) owner = &unquoted.emplace_back();
    owner->append(from, at + 1);
    from = at + 2;
  }
  if (owner != nullptr) owner->append(from, at);
  const std::string_view cell = owner != nullptr ? std::string_view(*owner) : std::string_view(from, at);
  ++at;
  if (at != last && *at == '\r') {
    if (at + 1 == last && !all_read) return nullptr;
    if (at + 1 == last || at[1] == '\n') ++at;
  }
  if (at != last && *at != ',' && *at != '\n')
    throw Error(place(), "a comma or line end after a closing quote", "'" + std::string(1, *at) + "'");
  cells.push_back(cell);
  return at;
}

const char* CsvReader::State::parse(const char* at, const char* last) {
  cells.clear();
  unquoted.clear();
  for (;; ++at) {
    if (at == last && !all_read) return nullptr;
    if (cells.size() >= most_cells())
      throw Error(path + ": " + (row == 0 ? "header" : "row " + std::to_string(row)),
                  "at most " + std::to_string(most_cells()) + " cells", "more");
    at = at != last && *at == '"' ? parse_quoted(at, last) : parse_plain(at, last);
    if (at == nullptr) return nullptr;
    if (at == last) return last;
    if (*at == '\n') return at + 1;
  }
}

void CsvReader::State::check_width() const {
  if (cells.size() == columns.size()) return;
  const std::string width = std::to_string(columns.size()) + " cells", got = std::to_string(cells.size());
  const std::string line = path + ": row " + std::to_string(row);
  if (cells.size() > columns.size()) throw Error(line, width + " as the header", got);
  throw Error(line + ", column '" + columns[cells.size()] + "'", width + " as the header", "only " + got);
}

bool CsvReader::State::next_row() {
  for (;;) {
    if (begin == end && all_read) return false;
    const char* const first = buffer.data() + begin;
    const char* const stop = parse(first, buffer.data() + end);
    if (stop == nullptr) {
      fill();
      continue;
    }
    const bool blank = cells.size() == 1 && cells[0].empty() && *first != '"';
    begin += static_cast<std::size_t>(stop - first);
    if (blank && columns.size() != 1) continue;
    return true;
  }
}

CsvReader::CsvReader(const std::string& path) : state_(std::make_unique<State>()) { state_->open(path); }
CsvReader::~CsvReader() = default;
CsvReader::CsvReader(CsvReader&&) noexcept = default;
CsvReader& CsvReader::operator=(CsvReader&&) noexcept = default;

const std::vector<std::string>& CsvReader::columns() const { return state_->columns; }

bool CsvReader::read(Table& batch, std::size_t max_rows) {
  State& s = *state_;
  batch.source = s.path;
  batch.columns = s.columns;
  batch.clear_rows();
  batch.first_row = s.row + 1;
  for (std::size_t count = 0; count < max_rows; ++count) {
    ++s.row;
    if (!s.next_row()) {
      --s.row;
      break;
    }
    s.check_width();
    for (const std::string_view cell : s.cells) batch.add(cell);
  }
  return batch.rows() > 0;
}

}  // namespace scfe
