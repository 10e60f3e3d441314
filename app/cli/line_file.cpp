#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "cli/line_format.h"
#include "data/options_json.h"
#include "scfe/error.h"
#include "support/aside_file.h"

namespace scfe::cli {
namespace {

// Passes every whole line to `use` and returns where the last one ends.
template <class Use>
std::uint64_t each_line(const std::string& path, bool with_quotes, const Use& use) {
  std::ifstream file(path, std::ios::binary);
  std::uint64_t end = 0, at = 0;
  std::string line;
  bool quoted = false;
  for (char c = 0; file.get(c);) {
    ++at;
    line += c;
    if (c == '"' && with_quotes) quoted = !quoted;
    if (c != '\n' || quoted) continue;
    use(line);
    line.clear();
    end = at;
  }
  return end;
}

}  // namespace

struct LineFile::File {
  std::string path;
  std::FILE* handle = nullptr;

  File(std::string name, const char* mode) : path(std::move(name)), handle(std::fopen(path.c_str(), mode)) {
    if (handle == nullptr) throw Error(path, "a file that can be written", std::strerror(errno));
  }
  ~File() {
    if (handle != nullptr) (void)std::fclose(handle);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  void require(bool done) const {
    if (!done) throw Error(path, "room to write", std::strerror(errno));
  }
  void write(const std::string& text) const {
    require(std::fwrite(text.data(), 1, text.size(), handle) == text.size());
  }
  void flush() const { require(std::fflush(handle) == 0); }
  void close() {
    std::FILE* closing = std::exchange(handle, nullptr);
    require(std::fclose(closing) == 0);
  }
};

LineFile::LineFile(std::string path, std::unique_ptr<LineFormat> format, std::string key, bool resume_partial)
    : path_(std::move(path)),
      partial_(path_ + ".partial"),
      key_path_(partial_ + ".key"),
      key_(std::move(key)),
      format_(std::move(format)) {
  if (resume_partial && std::filesystem::exists(partial_)) {
    resume();
    return;
  }
  file_ = std::make_unique<File>(partial_, "wb");
  try {
    write_file(key_path_, key_);
    file_->write(format_->head());
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(partial_, ignored);
    throw;
  }
}

void LineFile::resume() {
  if (!std::filesystem::exists(key_path_) || read_file(key_path_) != key_)
    throw Error(partial_, "answers to the same question (model, rows, options)", "answers to another one");
  const std::string head = format_->head();
  bool is_head = true, same_head = true;
  const std::uint64_t end = each_line(partial_, format_->line_ends_in_quotes(), [&](const std::string& line) {
    if (std::exchange(is_head, false))
      same_head = line == head;
    else
      ++(format_->found(line) ? done_.answered : done_.without);
  });
  if (!same_head)
    throw Error(partial_, "answers to the same question (model, rows, options)", "another header");
  keep_ = true;  // rows of a former run are not thrown away for an error of this one
  std::filesystem::resize_file(partial_, end);
  file_ = std::make_unique<File>(partial_, "ab");
  if (end == 0) file_->write(head);
}

LineFile::~LineFile() {
  if (file_ == nullptr || keep_) return;
  file_.reset();
  std::error_code ignored;
  std::filesystem::remove(partial_, ignored);
  std::filesystem::remove(key_path_, ignored);
}

void LineFile::add(const Answer& answer) { file_->write(format_->line(answer)); }

void LineFile::flush() { file_->flush(); }

void LineFile::finish() {
  file_->close();
  std::error_code error;
  std::filesystem::rename(partial_, path_, error);
  if (error) throw Error(path_, "a file that can be written", error.message());
  std::filesystem::remove(key_path_, error);
  file_.reset();
}

std::string question_key(const Question& question, const std::string& rows_path) {
  Options options = question.options;
  options.threads = 0;  // changes no bit of an answer
  std::string text = question.bundle.model_file.bytes + schema_text(question.bundle.encoder.schema()) +
                     options_json(options) + std::to_string(fitted_fingerprint(question.bundle.explainer));
  constexpr std::size_t opening = 4096;
  std::ifstream rows(rows_path, std::ios::binary);
  std::string start(opening, '\0');
  rows.read(start.data(), opening);
  text += start.substr(0, static_cast<std::size_t>(rows.gcount()));
  return std::to_string(fingerprint(text)) + "\n";
}

}  // namespace scfe::cli
