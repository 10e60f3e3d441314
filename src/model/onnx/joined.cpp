#include "model/onnx/joined.h"

#include <map>

namespace scfe::onnx {
inline namespace SCFE_PRECISION {
namespace {

using Kind = RowRule::Kind;
using Stages = std::vector<Column::Stage>;

Real value_of(const RowRule& rule, const std::vector<Real>& x) {
  switch (rule.kind) {
    case Kind::choice:
      return x[0] != 0 ? x[1] : x[2];
    case Kind::replaced:
      return same_number(x[0], rule.keys[0]) ? rule.fill : x[0];
    case Kind::table:
      for (std::size_t k = 0; k < rule.keys.size(); ++k)
        if (same_number(x[0], rule.keys[k])) return rule.values[k];
      return rule.fill;
    default:
      return rule.map(x[0], x.size() > 1 ? x[1] : 0);
  }
}

Column::Stage mapped(const RowRule& rule, std::size_t which, Real other) {
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

void cut(CollectedPieces& pieces, const RowRule& rule, Compared piece, Piece whole) {
  std::map<Real, Real> ends;  // with the key that is passed there
  for (const Real key : piece.keys) {
    const auto value = [&](Real x) { return run_stages(piece.stages, x); };
    if (const auto end = last_before_change(piece.from, whole.last, [&](Real x) { return value(x) < key; }))
      ends.emplace(*end, key);
    if (const auto end = last_before_change(piece.from, whole.last, [&](Real x) { return value(x) > key; }))
      ends.emplace(*end, key);
  }
  const bool order = rule.kind == Kind::steps;
  std::vector<Piece> parts;
  const auto add = [&](Piece part) {
    const Real value = run_stages(piece.stages, part.last);
    piece.x[piece.which] = value;
    const bool passes = rule.kind == Kind::replaced && !same_number(value, rule.keys[0]);
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
  if (order && parts.size() == 3 && same_number(parts[0].value, parts[2].value))
    for (std::size_t k = 0; k < 2; ++k) {
      parts[k].doubt = 0;
      parts[k].key = std::numeric_limits<Real>::quiet_NaN();
    }
  for (Piece& part : parts) pieces.add(std::move(part));
}

bool add_joined(CollectedPieces& pieces, const RowRule& rule, const std::vector<const Piece*>& parts,
                Real from, Real last, const Reads& reads) {
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
    piece.value = run_stages(piece.stages, from);
    piece.constant = same_number(piece.value, run_stages(piece.stages, last));
    // Far out, a stage may overflow, and infinity times 0 is no number.
    if (piece.constant && std::isnan(piece.value)) piece.value = run_stages(piece.stages, 0);
    pieces.add(std::move(piece));
    return true;
  }
  std::vector<Real> keys = rule.keys;
  if (parts.size() > 1) keys = {x[1 - which]};
  cut(pieces, rule, {stages, keys, which, x, from}, std::move(piece));
  return true;
}

}  // namespace

bool same_number(Real a, Real b) { return a == b || (std::isnan(a) && std::isnan(b)); }

Real run_stages(const Stages& stages, Real x) {
  for (const Column::Stage& stage : stages) x = stage(x);
  return x;
}

std::vector<Real> ends_of(const Reads& reads) {
  std::vector<Real> ends;
  for (const RowFunction* read : reads)
    for (const Piece& piece : read->pieces) ends.push_back(piece.last);
  std::ranges::sort(ends);
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  return ends;
}

Real absent_of(const RowFunction& read, std::optional<std::uint32_t> input) {
  return read.input && read.input != input ? read.pieces[0].value : read.absent;
}

void inherit_doubt(Piece& piece, const Reads& reads) {
  for (const RowFunction* read : reads) {
    const Piece& part = read->at(piece.last);
    if (part.last != piece.last || std::isnan(part.key)) continue;
    piece.doubt = std::max(piece.doubt, part.doubt);
    piece.key = part.key;
  }
}

bool join_pieces(RowFunction& row, const RowRule& rule, const Reads& reads) {
  CollectedPieces pieces;
  Real from = -largest_number;
  for (const Real last : ends_of(reads)) {
    std::vector<const Piece*> parts;
    for (const RowFunction* read : reads) parts.push_back(&read->at(last));
    if (!add_joined(pieces, rule, parts, from, last, reads)) return false;
    from = next_number(last);
  }
  row.pieces = pieces.take();
  std::vector<Real> absent;
  for (const RowFunction* read : reads) absent.push_back(absent_of(*read, row.input));
  row.absent = value_of(rule, absent);
  return true;
}

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
