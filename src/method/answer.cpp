#include "method/answer.h"

#include <algorithm>

#include "solver/written/write_rows.h"

namespace scfe {
namespace {

constexpr std::size_t block_rows = 64;

}  // namespace

std::vector<Instance> without_floor(std::span<const Instance> instances) {
  std::vector<Instance> plain(instances.begin(), instances.end());
  for (Instance& instance : plain) instance.floor.reset();
  return plain;
}

void write_answers(const Problem& problem, std::span<const ApgFound> points, std::span<Found> found) {
  const std::vector<Instance> plain = without_floor(problem.instances);
  write_rows({problem.wished, problem.setting.writing, problem.wished.validity.required()}, plain, points,
             found);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::optional<double>& floor = problem.instances[i].floor;
    if (found[i].status == Status::valid && floor && found[i].log_density < *floor)
      found[i].status = Status::below_floor;
    if (found[i].status != Status::not_found) continue;
    if (!points[i].finite) found[i].status = Status::not_finite;
    if (points[i].timed_out) found[i].status = Status::time_limit;
  }
}

Judge::Judge(const Wished& wished)
    : terms_(wished, block_rows),
      u_(terms_.columns(), block_rows),
      x_(wished.space.inputs(), block_rows),
      anchors_(terms_.columns(), block_rows),
      row_(wished.space) {}

std::vector<float> Judge::margins(std::span<const std::vector<double>> rows) {
  std::vector<float> margins;
  for (std::size_t first = 0; first < rows.size(); first += block_rows) {
    const std::size_t count = std::min(block_rows, rows.size() - first);
    for (Block* block : {&u_, &x_, &anchors_}) block->set_lanes(count);
    for (std::size_t lane = 0; lane < count; ++lane) {
      row_.set(terms_.wished().space, rows[first + lane]);
      terms_.set_values(lane, rows[first + lane]);
      for (std::size_t i = 0; i < row_.inputs.size(); ++i) x_[i][lane] = row_.inputs[i];
      for (std::size_t j = 0; j < row_.columns.size(); ++j) u_[j][lane] = row_.columns[j];
    }
    terms_.evaluate(u_, x_, anchors_, {0, false, false});
    for (std::size_t lane = 0; lane < count; ++lane) margins.push_back(terms_.margins()[0][lane]);
  }
  return margins;
}

}  // namespace scfe
