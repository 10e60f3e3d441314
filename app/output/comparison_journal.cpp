#include "output/comparison_journal.h"

#include <array>
#include <cstring>

#include "output/line_format.h"
#include "scfe/error.h"
#include "scfe/file.h"

namespace scfe::app {
namespace {

constexpr double no_floor = -1;

using MetricNumbers = std::array<double, 13>;

MetricNumbers numbers_of(const AnswerMetrics& m) {
  return {m.valid ? 1.0 : 0.0,
          m.change.l2,
          m.change.l1,
          static_cast<double>(m.change.l0),
          m.lof,
          m.log_kde,
          m.log_gmm,
          m.quantile,
          m.nearest,
          m.below_floor ? (*m.below_floor ? 1.0 : 0.0) : no_floor,
          m.seconds,
          m.change.distance,
          static_cast<double>(m.row)};
}

AnswerMetrics metrics_of(const MetricNumbers& n) {
  AnswerMetrics m;
  m.valid = n[0] > 0;
  m.change = {n[1], n[2], static_cast<std::size_t>(n[3]), n[11]};
  m.lof = n[4], m.log_kde = n[5], m.log_gmm = n[6], m.quantile = n[7], m.nearest = n[8];
  if (n[9] != no_floor) m.below_floor = n[9] > 0;
  m.seconds = n[10];
  m.row = static_cast<std::size_t>(n[12]);
  return m;
}

template <class T>
T taken(std::string_view& bytes, const std::string& source) {
  T value;
  if (bytes.size() < sizeof value) throw Error(source, "whole batches", "a part of one");
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return value;
}

template <class T>
std::string copied_bytes(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

}  // namespace

ComparisonJournal::ComparisonJournal(const std::string& path, const std::string& key, bool resume)
    : source_(journal_path(path)), journal_(path, key, resume) {
  journal_.replay([&](std::string_view bytes) { read(bytes); });
}

void ComparisonJournal::read(std::string_view bytes) {
  const auto head = taken<std::array<std::uint64_t, 2>>(bytes, source_);
  MeasuredBatch& batch = known_[{head[0], head[1]}];
  batch.seconds = taken<double>(bytes, source_);
  while (!bytes.empty()) batch.answers.push_back(metrics_of(taken<MetricNumbers>(bytes, source_)));
}

ComparisonStore ComparisonJournal::store() {
  ComparisonStore store;
  store.find = [this](Batch batch) {
    const auto found = known_.find(batch);
    return found == known_.end() ? nullptr : &found->second;
  };
  store.add = [this](Batch batch, const MeasuredBatch& measured) {
    std::string bytes = copied_bytes(std::array<std::uint64_t, 2>{batch.first, batch.second});
    bytes += copied_bytes(measured.seconds);
    for (const AnswerMetrics& m : measured.answers) bytes += copied_bytes(numbers_of(m));
    journal_.write(bytes);
    journal_.flush();
  };
  return store;
}

std::string comparison_key(const Question& base, const std::vector<Contender>& contenders,
                           const Table& table) {
  std::string further;
  for (const Contender& one : contenders) {
    further += one.name + "\n" + one.command + "\n";
    further += one.question ? question_key(*one.question, "") : read_file(one.answers_file);
  }
  for (const std::string& column : table.columns) further += column + "\n";
  for (std::size_t row = 0; row < table.rows(); ++row)
    for (std::size_t column = 0; column < table.columns.size(); ++column)
      further.append(table.cell(row, column)).push_back('\0');
  return question_key(base, further);
}

}  // namespace scfe::app
