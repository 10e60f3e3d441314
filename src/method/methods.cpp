#include "method/methods.h"

#include "scfe/error.h"
#include "solver/written/write_rows.h"

namespace scfe {

void check_linear_method(const MethodQuestion& question, const std::string& name) {
  if (question.space.has_categories()) throw Error("method", "a table of numbers for " + name, "categories");
  if (!question.options.reach.empty())
    throw Error("method", "a classifier for " + name, "a regression model (reach)");
  if (question.options.probability > 0 && question.model.scores() > 1)
    throw Error("probability", "two classes with " + name + ": of several it is no linear constraint",
                std::to_string(question.model.classes()) + " classes");
}

std::vector<Row> without_floor(std::span<const Row> rows) {
  std::vector<Row> plain(rows.begin(), rows.end());
  for (Row& row : plain) row.floor.reset();
  return plain;
}

void write_answers(const Query& query, std::span<const Row> rows, std::span<const ApgFound> points,
                   std::span<Found> found) {
  const std::vector<Row> plain = without_floor(rows);
  write_rows(query, 0, plain, points, found);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::optional<double>& floor = rows[i].floor;
    if (found[i].status == Status::valid && floor && found[i].log_density < *floor)
      found[i].status = Status::below_floor;
    say_why_not(points[i], found[i]);
  }
}

}  // namespace scfe
