#include "model/onnx/pieces.h"

#include <map>

#include "model/onnx/joined.h"
#include "scfe/block.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {
namespace {

using Kind = RowRule::Kind;

constexpr char too_large[] = "it is too large to be followed";
constexpr double most_work = 2e8;             // numbers computed while rows are followed
constexpr std::size_t most_pieces = 4000000;  // of all rows

Piece constant_piece(Real last, Real value) {
  Piece piece;
  piece.last = last;
  piece.constant = true;
  piece.value = value;
  return piece;
}

RowFunction constant_row(Real value) {
  RowFunction row;
  row.pieces = {constant_piece(largest_number, value)};
  row.absent = value;
  return row;
}

class RowFollower {
 public:
  explicit RowFollower(const Plan& plan) : plan_(plan), rows_(plan.buffers.size()) {
    for (std::size_t j = 0; j < plan.features; ++j) {
      RowFunction row;
      row.input = static_cast<std::uint32_t>(j);
      row.pieces.resize(1);
      row.pieces[0].last = largest_number;
      row.absent = std::numeric_limits<Real>::quiet_NaN();
      rows_[0].push_back(std::move(row));
    }
    for (std::size_t b = 0; b < plan.buffers.size(); ++b)
      if (const TensorPtr& constant = plan.buffers[b].constant)
        for (std::size_t i = 0; i < constant->size(); ++i)
          rows_[b].push_back(constant_row(static_cast<Real>(constant->real(i))));
  }

  std::vector<RowFunction> run(int buffer) {
    for (const Step& step : plan_.steps) {
      if (!rows_[id(buffer)].empty()) break;
      follow(step);
    }
    return std::move(rows_[id(buffer)]);
  }

 private:
  void follow(const Step& step) {
    step_ = &step;
    std::vector<RowFunction>& made = rows_[id(step.y)];
    made.resize(plan_.buffers[id(step.y)].rows);
    std::map<std::optional<std::uint32_t>, std::vector<std::size_t>> others;  // rows to be computed, by input
    std::optional<RowFunction> whole;  // the beginning of a row that reads all rows
    for (std::size_t i = 0; i < made.size(); ++i) {
      if (i > 0) pieces_ += made[i - 1].pieces.size();
      if (pieces_ > most_pieces) {
        refuse(made[i], too_large);
        continue;
      }
      const std::optional<RowOrigin> origin = step.op->origin(i);
      if (origin && origin->kind != RowOrigin::Kind::equal) {
        made[i] = through(rows_[id(step.x[origin->operand])][origin->row], stage_of(*origin));
        continue;
      }
      const RowRule rule = step.op->rule(i);
      if (rule.all && whole) {
        made[i] = *whole;
        if (whole->obstacle.empty()) others[whole->input].push_back(i);
        continue;
      }
      const Reads reads = reads_of(rule);
      const bool started = start(made[i], reads);
      if (rule.all) whole = made[i];
      if (!started) continue;
      if (rule.kind == Kind::any)
        others[made[i].input].push_back(i);
      else if (!join_pieces(made[i], rule, reads))
        refuse(made[i], "its form is not known to be monotone");
    }
    for (const auto& [input, rows] : others) compute(input, rows);
  }

  static Column::Stage stage_of(const RowOrigin& origin) {
    return {origin.kind, origin.rounds, origin.scale, origin.shift, origin.fill};
  }

  static RowFunction through(RowFunction row, const Column::Stage& stage) {
    if (!row.obstacle.empty()) return row;
    const bool copies =
        stage.kind == RowOrigin::Kind::affine && !stage.rounds && stage.scale == 1 && stage.shift == 0;
    if (copies) return row;
    for (Piece& piece : row.pieces) {
      if (piece.constant) {
        piece.value = stage(piece.value);
        continue;
      }
      piece.stages.push_back(stage);
      piece.constant = stage.kind == RowOrigin::Kind::affine && stage.scale == 0;
      if (piece.constant) piece.value = run_stages(piece.stages, 0);  // far out, a stage might overflow
    }
    row.absent = stage(row.absent);
    return row;
  }

  Reads reads_of(const RowRule& rule) const {
    Reads reads;
    if (rule.all)
      for (const int x : step_->x)
        for (const RowFunction& row : rows_[id(x)]) reads.push_back(&row);
    for (const RowRule::Read& read : rule.reads)
      reads.push_back(&rows_[id(step_->x[read.operand])][read.row]);
    return reads;
  }

  void refuse(RowFunction& row, const std::string& why) const { row.obstacle = step_->node + ": " + why; }

  // A product with 0, for example, whatever its input: converters make columns of ones in this way.
  static bool is_constant(const RowFunction& row) { return row.pieces.size() == 1 && row.pieces[0].constant; }

  // Finds the input on which all depend; false if there are several, or an obstacle before.
  bool start(RowFunction& row, const Reads& reads) const {
    for (const RowFunction* read : reads) {
      if (!read->obstacle.empty()) row.obstacle = read->obstacle;
      if (!row.obstacle.empty()) return false;
      if (!read->input || is_constant(*read)) continue;
      if (row.input && *row.input != *read->input) refuse(row, "its result depends on several inputs");
      row.input = read->input;
    }
    for (const RowFunction* read : reads)
      if (!row.input) row.input = read->input;
    return row.obstacle.empty();
  }

  // Rows of any form whose read rows are constant in each piece: the operator computes one lane a piece.
  void compute(std::optional<std::uint32_t> input, const std::vector<std::size_t>& rows) {
    std::vector<RowFunction>& made = rows_[id(step_->y)];
    Reads reads;
    for (const std::size_t i : rows) {
      const RowRule rule = step_->op->rule(i);
      const Reads more = reads_of(rule);
      reads.insert(reads.end(), more.begin(), more.end());
      if (rule.all) break;
    }
    std::ranges::sort(reads);
    reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
    for (const RowFunction* read : reads)
      for (const Piece& piece : read->pieces)
        if (!piece.constant) return refuse_all(rows, "its form is not known to be monotone");
    std::vector<Real> ends = ends_of(reads);
    if (ends.empty()) ends = {largest_number};
    const std::size_t lanes = padded(ends.size() + 1);
    double numbers = static_cast<double>(made.size());
    for (const int x : step_->x) numbers += static_cast<double>(rows_[id(x)].size());
    work_ += numbers * static_cast<double>(lanes);
    if (work_ > most_work) return refuse_all(rows, too_large);
    std::vector<std::vector<Real>> values;
    std::vector<Const> x;
    for (const int operand : step_->x) {
      const std::vector<RowFunction>& from = rows_[id(operand)];
      std::vector<Real>& block = values.emplace_back(from.size() * lanes, Real{0});
      for (std::size_t r = 0; r < from.size(); ++r) {
        const bool other = from[r].input && from[r].input != input && !is_constant(from[r]);
        if (!from[r].obstacle.empty() || other) continue;
        for (std::size_t l = 0; l < ends.size(); ++l)
          if (const Piece& piece = from[r].at(ends[l]); piece.constant) block[r * lanes + l] = piece.value;
        block[r * lanes + ends.size()] = absent_of(from[r], input);
      }
    }
    for (const std::vector<Real>& block : values) x.push_back({block.data(), lanes});
    std::vector<Real> y((made.size() + step_->op->keeps()) * lanes), scratch(step_->op->scratch() * lanes);
    step_->op->forward({x, {y.data(), lanes}, {scratch.data(), lanes}, lanes, ends.size() + 1});
    for (const std::size_t i : rows) {
      CollectedPieces pieces;
      for (std::size_t l = 0; l < ends.size(); ++l) {
        Piece piece = constant_piece(ends[l], y[i * lanes + l]);
        inherit_doubt(piece, reads);
        pieces.add(std::move(piece));
      }
      made[i].pieces = pieces.take();
      made[i].absent = y[i * lanes + ends.size()];
    }
  }

  void refuse_all(const std::vector<std::size_t>& rows, const std::string& why) {
    for (const std::size_t i : rows) refuse(rows_[id(step_->y)][i], why);
  }

  const Plan& plan_;
  const Step* step_ = nullptr;
  std::vector<std::vector<RowFunction>> rows_;  // [buffer][row]
  double work_ = 0;
  std::size_t pieces_ = 0;
};

}  // namespace

Real Piece::operator()(Real x) const { return constant ? value : run_stages(stages, x); }

const Piece& RowFunction::at(Real x) const {
  return *std::ranges::lower_bound(pieces, std::min(x, largest_number), {}, &Piece::last);
}

std::vector<RowFunction> row_functions(const Plan& plan, int buffer) { return RowFollower(plan).run(buffer); }

// A stage that rounds to whole numbers hides what arithmetic before and after it does to the last digits.
double doubt_of(const std::vector<Column::Stage>& stages, double x) {
  const Column column{0, stages};
  const bool whole = std::ranges::any_of(stages, [](const Column::Stage& stage) {
    return stage.kind == RowOrigin::Kind::mapped && stage.scale == 1 && stage.shift == 0;
  });
  double slope = 1;
  for (const Column::Stage& stage : stages) slope *= static_cast<double>(stage.scale);
  if (column.plain() || whole || slope == 0) return 0;
  const Column::Range range = column.in_library(x);
  const double rounding = 0x1p-23 * std::max(std::abs(range.least), std::abs(range.most));
  return (range.most - range.least + rounding) / std::abs(slope);
}

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
