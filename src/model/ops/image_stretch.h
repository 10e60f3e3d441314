// Several image operators as one operator on rows of lanes: y = f_n(... f_1(x)).
//
// A few images at a time are transposed from [feature][lane] to [pixel][channel], run through all operators
// while they are in the cache, and transposed back. If the weights do not fit the cache, more images run
// together, so that the weights are loaded less often.
#pragma once

#include "model/onnx/place.h"
#include "model/ops/image.h"
#include "model/ops/operator.h"

namespace scfe::onnx::inline SCFE_PRECISION {

struct ImageStep {
  std::shared_ptr<const ImageOp> op;
  std::vector<std::size_t> x;  // operands: 0 is the input of the stretch, k the result of step k - 1
  ImageSize size;              // of the result
};

class ImageStretch : public Operator {
 public:
  ImageStretch(ImageSize in, std::vector<ImageStep> steps);
  void forward(const Forward& run) const override;
  void backward(const Backward& run) const override;
  bool overwrites() const override { return true; }
  bool reads_x() const override { return false; }
  bool reads_y() const override { return true; }
  std::size_t scratch() const override;
  std::size_t keeps() const override { return kept_; }
  double flops() const override;
  std::size_t parameters() const override;

 private:
  // How the scratch of a run is divided; input and output come first, for all lanes transposed together.
  struct Room;

  ImageSize size(std::size_t value) const { return value == 0 ? in_ : steps_[value - 1].size; }
  std::size_t stride(std::size_t value) const;
  Images at(const Room& room, const std::vector<Life>& lives, std::size_t value) const;
  Kept kept_at(const Room& room, std::size_t step) const;
  void lay_out();
  Room room_in(Mutable scratch) const;
  // Calls run(room, count) for the images of up to `turned` lanes, a group at a time.
  template <class Run>
  void each_group(const Room& whole, std::size_t lanes, Run run) const;
  void group_forward(const Room& room, std::size_t count) const;
  void group_backward(const Room& room, std::size_t count) const;

  ImageSize in_;
  std::vector<ImageStep> steps_;
  std::size_t group_ = 1;                 // images that run together
  std::vector<Life> ahead_, back_;        // memory of the values and of their gradients, in floats
  std::vector<std::vector<bool>> fresh_;  // [step][operand]: true if it contributes first to that gradient
  // Floats for values, for a gradient that must be added to another, and for the operators' scratch.
  std::size_t between_ = 0, spare_ = 0, room_ = 0;
  std::vector<std::size_t> kept_from_;  // per step: where its bytes begin, in floats of an image
  std::size_t kept_ = 0;
};

}  // namespace scfe::onnx::inline SCFE_PRECISION
