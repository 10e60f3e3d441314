// Fills blocks of lanes from all the rows at work and hands the answers back.
//
// A row's solver is a coroutine. It asks for points, pauses, and is resumed when they are evaluated; in
// between, other rows fill the rest of the block. Since a lane's bits do not depend on its neighbours,
// neither does any answer.
#pragma once

#include <array>
#include <chrono>
#include <coroutine>
#include <span>
#include <vector>

#include "actionability/instance.h"
#include "terms.h"

namespace scfe {

// A question (w on a support) and its answer (margins and log-density, with gradients over all features).
struct Point {
  Point(const Wished& wished, std::size_t max_changes);

  std::vector<int> support;
  std::vector<double> w;                         // one entry per feature of the support
  const std::vector<double>* written = nullptr;  // instead of w: the whole row in original units, as written

  std::array<float, Validity::max_rivals> margin{};  // strongest rival first
  std::vector<float> margin_gradient;                // [rival][feature]
  float log_density = 0;
  std::vector<float> density_gradient, weights;

  const float* gradient_of(std::size_t rival) const {
    return margin_gradient.data() + rival * density_gradient.size();
  }
};

class Lanes {
 public:
  using Clock = std::chrono::steady_clock;

  // `density`: whether log q is wanted at all.
  Lanes(Terms& terms, bool density, Clock::time_point deadline);

  // co_await lanes.evaluate(instance, points): all are answered on return.
  auto evaluate(const Instance& instance, std::span<Point* const> points) {
    struct Wait : Request {
      Lanes& lanes;
      Wait(Lanes& l, const Instance& i, std::span<Point* const> p) : Request{i, p, p.size(), {}}, lanes(l) {}
      bool await_ready() const noexcept { return this->points.empty(); }
      void await_suspend(std::coroutine_handle<> self) {
        this->row = self;
        lanes.enqueue(*this);
      }
      void await_resume() const noexcept {}
    };
    return Wait(*this, instance, points);
  }

  std::size_t waiting() const { return queue_.size() - head_; }
  std::size_t width() const { return u_.capacity(); }
  // Evaluates the next block and resumes the rows that have all their answers.
  void step();
  bool out_of_time() const;

  const Terms& terms() const { return terms_; }

 private:
  struct Request {
    const Instance& instance;
    std::span<Point* const> points;
    std::size_t open;
    std::coroutine_handle<> row;
  };
  struct Entry {
    Request* request;
    Point* point;
  };
  void enqueue(Request& request);
  void gather(std::size_t lane, const Instance& instance, const Point& point);
  void scatter(std::size_t lane, Point& point) const;

  Terms& terms_;
  bool density_;
  Clock::time_point deadline_;
  Block u_, x_, anchors_;
  std::vector<Entry> queue_;
  std::size_t head_ = 0;
  std::vector<std::coroutine_handle<>> ready_;
};

}  // namespace scfe
