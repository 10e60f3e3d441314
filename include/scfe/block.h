// A block of points laid out as [feature][lane]. A lane is one point to evaluate: the iterate of a row in
// `apg`, a candidate in `search`. Models and terms work on whole blocks and treat all lanes alike; the result
// of a lane depends neither on other lanes nor on the width of the block.
//
// Lanes are padded to a multiple of lane_step, so that loops need no remainder; padding lanes are undefined.
// Each feature starts at a new cache line and has room for at least 16 lanes.
#pragma once

#include <cstddef>
#include <memory>

namespace scfe {

inline constexpr std::size_t lane_step = 8;

constexpr std::size_t padded(std::size_t lanes) { return (lanes + lane_step - 1) / lane_step * lane_step; }

class Block {
 public:
  Block() = default;
  // Zero-filled. Holds up to `capacity` lanes, which are all in use at first.
  Block(std::size_t features, std::size_t capacity);

  std::size_t features() const { return features_; }
  std::size_t lanes() const { return lanes_; }
  std::size_t capacity() const { return capacity_; }
  std::size_t padded_lanes() const { return padded(lanes_); }
  std::size_t stride() const { return stride_; }
  void set_lanes(std::size_t lanes);  // at most the capacity; never allocates

  float* operator[](std::size_t feature) { return values_.get() + feature * stride_; }
  const float* operator[](std::size_t feature) const { return values_.get() + feature * stride_; }
  float* data() { return values_.get(); }
  const float* data() const { return values_.get(); }

 private:
  struct Free {
    void operator()(float* values) const;
  };
  std::size_t features_ = 0, lanes_ = 0, capacity_ = 0, stride_ = 0;
  std::unique_ptr<float[], Free> values_;
};

}  // namespace scfe
