// Collects the points of all rows in work into blocks of lanes, evaluates them and returns the results.
//
// The solver of a row is a coroutine. It asks for points, pauses, and is resumed when they are evaluated;
// meanwhile other rows fill the rest of the block. The bits of a lane do not depend on its neighbours, so
// answers do not depend on the batch.
#pragma once

#include <array>
#include <chrono>
#include <coroutine>
#include <span>
#include <vector>

#include "actionability/links.h"
#include "objective/evaluate.h"
#include "query/row.h"

namespace scfe {

// A point (w on a support) and its evaluation (margins and log-density, with gradients over all columns).
struct Point {
  Point(const Query& query, std::size_t max_changes);

  std::vector<int> support;                      // columns
  std::vector<double> w;                         // one entry per column of the support
  const std::vector<double>* written = nullptr;  // instead of w: the values of the whole row, as written
  const Row* base = nullptr;                     // start from this row, whose categories are already changed

  std::array<float, Validity::max_rivals> margin{};  // strongest rival first
  std::vector<float> margin_gradient;                // [rival][column]
  float log_density = 0;
  std::vector<float> density_gradient, weights;

  const float* gradient_of(std::size_t rival) const {
    return margin_gradient.data() + rival * density_gradient.size();
  }
};

// A row in all forms that the terms need: columns of the work space, inputs of the model, values.
struct RowForms {
  std::vector<float> columns, inputs;
  std::vector<double> values;

  explicit RowForms(const Space& space)
      : columns(space.columns()), inputs(space.inputs()), values(space.features()) {}
  void set(const Space& space, std::span<const double> values);
  void set(const Space& space, std::size_t feature, double value);
};

// A row with at most one feature changed, as written, to be evaluated without gradients.
struct Probe {
  const RowForms* row = nullptr;
  int feature = -1;  // -1: the row as it is
  double value = 0;

  float margin = 0, log_density = 0;
};

class Lanes {
 public:
 private:
  struct Request {
    const Row& asked;
    std::size_t open;
    std::coroutine_handle<> row;

    Request(const Row& r, std::size_t count) : asked(r), open(count) {}
  };
  template <class Item>
  struct Wait : Request {
    Lanes& lanes;
    std::span<Item> items;

    Wait(Lanes& l, const Row& r, std::span<Item> all) : Request(r, all.size()), lanes(l), items(all) {}
    bool await_ready() const noexcept { return items.empty(); }
    void await_suspend(std::coroutine_handle<> self) {
      this->row = self;
      lanes.enqueue(*this, items);
    }
    void await_resume() const noexcept {}
  };

 public:
  // `density`: true if log q is needed at all.
  Lanes(Terms& terms, bool density, Deadline deadline);

  // co_await lanes.evaluate(asked, points): all points are evaluated on return. measure(): same for
  // probes.
  Wait<Point* const> evaluate(const Row& asked, std::span<Point* const> points) {
    return {*this, asked, points};
  }
  Wait<Probe> measure(const Row& asked, std::span<Probe> probes) { return {*this, asked, probes}; }

  bool waiting() const { return points_.waiting() + probes_.waiting() > 0; }
  std::size_t width() const { return u_.capacity(); }
  // Evaluates the next block and resumes the rows whose points are all evaluated.
  void step();
  bool out_of_time() const { return is_past(deadline_); }

  const Terms& terms() const { return terms_; }

 private:
  template <class Item>
  struct Queue {
    struct Entry {
      Request* request;
      Item* item;
    };
    std::vector<Entry> entries;
    std::size_t head = 0;

    std::size_t waiting() const { return entries.size() - head; }
    void drop(std::size_t count);
  };
  void enqueue(Request& request, std::span<Point* const> points);
  void enqueue(Request& request, std::span<Probe> probes);
  void gather(const Queue<Point>& queue, std::size_t count);
  void gather(const Queue<Probe>& queue, std::size_t first_lane, std::size_t count);
  void gather(std::size_t lane, const Row& asked, const Point& point);
  void gather(std::size_t lane, const Row& asked, const Probe& probe);
  void stand_at(const std::vector<double>& values);
  void load(std::size_t lane, const RowForms& row);
  void spread(std::size_t first, std::size_t count, const Row& asked, const RowForms& row);
  void load(std::size_t lane, std::size_t feature);
  void scatter(std::size_t lane, const Row& asked, Point& point);
  void scatter(std::size_t lane, const Row& asked, Probe& probe);
  void pull_back(std::size_t lane, const Links& links, std::span<float> gradient);
  template <class Item>
  void scatter(Queue<Item>& queue, std::size_t first_lane, std::size_t count);
  void answer(std::size_t points, std::size_t probes);

  Terms& terms_;
  bool density_;
  Deadline deadline_;
  Block u_, x_, anchors_;
  RowForms row_;
  const std::vector<double>* standing_ =
      nullptr;  // the values that row_ holds, except for the features in changed_
  std::vector<std::size_t> changed_;
  Queue<Point> points_;
  Queue<Probe> probes_;
  std::vector<std::coroutine_handle<>> ready_;
};

}  // namespace scfe
