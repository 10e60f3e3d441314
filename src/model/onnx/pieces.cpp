#include "model/onnx/pieces.h"

#include <bit>
#include <map>

#include "scfe/block.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {
namespace {

using Kind = RowRule::Kind;
using Stages = std::vector<Column::Stage>;

constexpr Real largest = std::numeric_limits<Real>::max();
constexpr char too_large[] = "it is too large to be followed";
constexpr double most_work = 2e8;             // numbers computed while rows are followed
constexpr std::size_t most_pieces = 4000000;  // of all rows

bool same(Real a, Real b) { return a == b || (std::isnan(a) && std::isnan(b)); }

Real run(const Stages& stages, Real x) {
  for (const Column::Stage& stage : stages) x = stage(x);
  return x;
}

// Collects pieces in ascending order; equal constants are joined.
class Collected {
 public:
  void add(Piece piece) {
    if (!pieces_.empty() && piece.constant && pieces_.back().constant &&
        same(piece.value, pieces_.back().value))
      pieces_.back() = std::move(piece);
    else
      pieces_.push_back(std::move(piece));
  }
  std::vector<Piece> take() { return std::move(pieces_); }

 private:
  std::vector<Piece> pieces_;
};

Piece constant_piece(Real last, Real value) {
  Piece piece;
  piece.last = last;
  piece.constant = true;
  piece.value = value;
  return piece;
}

RowFunction constant_row(Real value) {
  RowFunction row;
  row.pieces = {constant_piece(largest, value)};
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
      row.pieces[0].last = largest;
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
  using Reads = std::vector<const RowFunction*>;

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
      else
        combine(made[i], rule, reads);
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
      if (piece.constant) piece.value = onnx::run(piece.stages, 0);  // far out, a stage might overflow
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

  // The value of a read row if the input is missing.
  static Real absent_of(const RowFunction& read, std::optional<std::uint32_t> input) {
    return read.input && read.input != input ? read.pieces[0].value : read.absent;
  }

  // All ends of the pieces of the rows.
  static std::vector<Real> ends_of(const Reads& reads) {
    std::vector<Real> ends;
    for (const RowFunction* read : reads)
      for (const Piece& piece : read->pieces) ends.push_back(piece.last);
    std::ranges::sort(ends);
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    return ends;
  }

  // Where a read row ends at `last` by a comparison, this end is as doubtful.
  static void inherit_doubt(Piece& piece, const Reads& reads) {
    for (const RowFunction* read : reads) {
      const Piece& part = read->at(piece.last);
      if (part.last != piece.last || std::isnan(part.key)) continue;
      piece.doubt = std::max(piece.doubt, part.doubt);
      piece.key = part.key;
    }
  }

  // Rows of which every piece follows from one piece of each read row.
  void combine(RowFunction& row, const RowRule& rule, const Reads& reads) {
    Collected pieces;
    Real from = -largest;
    for (const Real last : ends_of(reads)) {
      std::vector<const Piece*> parts;
      for (const RowFunction* read : reads) parts.push_back(&read->at(last));
      if (!join(pieces, rule, parts, from, last, reads))
        return refuse(row, "its form is not known to be monotone");
      from = next_number(last);
    }
    row.pieces = pieces.take();
    std::vector<Real> absent;
    for (const RowFunction* read : reads) absent.push_back(absent_of(*read, row.input));
    row.absent = value_of(rule, absent);
  }

  static Real value_of(const RowRule& rule, const std::vector<Real>& x) {
    switch (rule.kind) {
      case Kind::choice:
        return x[0] != 0 ? x[1] : x[2];
      case Kind::replaced:
        return same(x[0], rule.keys[0]) ? rule.fill : x[0];
      case Kind::table:
        for (std::size_t k = 0; k < rule.keys.size(); ++k)
          if (same(x[0], rule.keys[k])) return rule.values[k];
        return rule.fill;
      default:
        return rule.map(x[0], x.size() > 1 ? x[1] : 0);
    }
  }

  static bool join(Collected& pieces, const RowRule& rule, const std::vector<const Piece*>& parts, Real from,
                   Real last, const Reads& reads) {
    Piece piece;
    piece.last = last;
    inherit_doubt(piece, reads);
    std::vector<Real> x;
    std::size_t moving = 0, which = 0;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      x.push_back(parts[k]->constant ? parts[k]->value : 0);
      if (!parts[k]->constant) ++moving, which = k;
    }
    if (rule.kind == Kind::choice && parts[0]->constant) {
      const Piece& chosen = *parts[x[0] != 0 ? 1 : 2];
      piece.constant = chosen.constant;
      piece.value = chosen.value;
      piece.stages = chosen.stages;
      pieces.add(std::move(piece));
      return true;
    }
    if (moving == 0) {
      piece.constant = true;
      piece.value = value_of(rule, x);
      pieces.add(std::move(piece));
      return true;
    }
    if (moving > 1 || rule.kind == Kind::choice) return false;
    const Stages& stages = parts[which]->stages;
    if (rule.kind == Kind::monotone) {
      if (which > 0 && rule.first_only) return false;
      piece.stages = stages;
      piece.stages.push_back(mapped(rule, which, parts.size() > 1 ? x[1 - which] : 0));
      piece.value = onnx::run(piece.stages, from);
      piece.constant = same(piece.value, onnx::run(piece.stages, last));
      // Far out, a stage may overflow, and infinity times 0 is no number.
      if (piece.constant && std::isnan(piece.value)) piece.value = onnx::run(piece.stages, 0);
      pieces.add(std::move(piece));
      return true;
    }
    std::vector<Real> keys = rule.keys;
    if (parts.size() > 1) keys = {x[1 - which]};
    cut(pieces, rule, {stages, keys, which, x, from}, std::move(piece));
    return true;
  }

  static Column::Stage mapped(const RowRule& rule, std::size_t which, Real other) {
    Column::Stage stage;
    stage.kind = RowOrigin::Kind::mapped;
    stage.map = rule.map;
    stage.value = other;
    stage.second = which == 1;
    if (!rule.linear) return stage;
    stage.scale = 1, stage.shift = 0;
    stage.shift = stage(0);
    stage.scale = stage(1) - stage.shift;
    return stage;
  }

  // A monotone piece that is compared with keys.
  struct Compared {
    const Stages& stages;
    const std::vector<Real>& keys;
    std::size_t which;
    std::vector<Real> x;
    Real from;
  };

  static void cut(Collected& pieces, const RowRule& rule, Compared piece, Piece whole) {
    std::map<Real, Real> ends;  // with the key that is passed there
    for (const Real key : piece.keys) {
      const auto value = [&](Real x) { return onnx::run(piece.stages, x); };
      if (const auto end = last_before_change(piece.from, whole.last, [&](Real x) { return value(x) < key; }))
        ends.emplace(*end, key);
      if (const auto end = last_before_change(piece.from, whole.last, [&](Real x) { return value(x) > key; }))
        ends.emplace(*end, key);
    }
    const bool order = rule.kind == Kind::steps;
    std::vector<Piece> parts;
    const auto add = [&](Piece part) {
      const Real value = onnx::run(piece.stages, part.last);
      piece.x[piece.which] = value;
      const bool passes = rule.kind == Kind::replaced && !same(value, rule.keys[0]);
      part.constant = !passes;
      if (passes)
        part.stages = piece.stages;
      else
        part.value = value_of(rule, piece.x);
      parts.push_back(std::move(part));
    };
    for (const auto& [end, key] : ends) {
      if (end == whole.last) continue;
      Piece part;
      part.last = end;
      if (order) {
        part.key = key;
        part.doubt = doubt_of(piece.stages, static_cast<double>(end));
      }
      add(std::move(part));
    }
    add(std::move(whole));
    // Equality with a key is not a question of order: the value is the same on both sides of it.
    if (order && parts.size() == 3 && same(parts[0].value, parts[2].value))
      for (std::size_t k = 0; k < 2; ++k) {
        parts[k].doubt = 0;
        parts[k].key = std::numeric_limits<Real>::quiet_NaN();
      }
    for (Piece& part : parts) pieces.add(std::move(part));
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
    if (ends.empty()) ends = {largest};
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
      Collected pieces;
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

Real Piece::operator()(Real x) const { return constant ? value : run(stages, x); }

const Piece& RowFunction::at(Real x) const {
  return *std::ranges::lower_bound(pieces, std::min(x, largest), {}, &Piece::last);
}

std::vector<RowFunction> row_functions(const Plan& plan, int buffer) { return RowFollower(plan).run(buffer); }

std::int64_t place(Real x) {
  using Pattern = std::conditional_t<is_double, std::uint64_t, std::uint32_t>;
  const auto size = static_cast<std::int64_t>(std::bit_cast<Pattern>(std::abs(x)));
  return std::signbit(x) ? -size : size;
}
Real at_place(std::int64_t index) {
  using Pattern = std::conditional_t<is_double, std::uint64_t, std::uint32_t>;
  const Real size = std::bit_cast<Real>(static_cast<Pattern>(index >= 0 ? index : -index));
  return index >= 0 ? size : -size;
}
Real next_number(Real x) { return x < largest ? at_place(place(x) + 1) : x; }

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
