#include "model/ops/image_stretch.h"

#include <array>

#include "scfe/block.h"

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

constexpr std::size_t near_weights = std::size_t{1} << 17;  // floats that stay in the cache beside an image
constexpr std::size_t small_group = 4;                      // images whose tiles together fill the registers
constexpr std::size_t turned = 16;  // lanes that are transposed to images together: a cache line
constexpr std::size_t most_operands = 2;

// Transposes rows [channel][pixel][lane] to one image [pixel][channel] per lane, and back. With a single
// channel all pixels are one run.
void to_images(Const rows, std::size_t lane, ImageSize size, Images images, std::size_t count) {
  const std::size_t run = size.channels == 1 ? size.pixels : size.channels, steps = size.floats() / run;
  for (std::size_t p = 0; p < steps; ++p)
    kernel::kernels().transpose(run, count, {row(rows, p) + lane, steps * rows.stride},
                                {images.data + p * run, images.stride});
}
void to_rows(Images images, ImageSize size, Mutable rows, std::size_t lane, std::size_t count) {
  const std::size_t run = size.channels == 1 ? size.pixels : size.channels, steps = size.floats() / run;
  for (std::size_t p = 0; p < steps; ++p)
    kernel::kernels().transpose(count, run, {images.data + p * run, images.stride},
                                {row(rows, p) + lane, steps * rows.stride});
}

void add(Images from, Images to, std::size_t floats, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const float* source = from[i];
    float* target = to[i];
    for (std::size_t k = 0; k < floats; ++k) target[k] += source[k];
  }
}

}  // namespace

ImageStretch::ImageStretch(ImageSize in, std::vector<ImageStep> steps) : in_(in), steps_(std::move(steps)) {
  std::size_t weights = 0;
  for (const ImageStep& step : steps_) weights += step.op->weights();
  group_ = weights > near_weights ? turned : small_group;
  for (const ImageStep& step : steps_) {
    kept_from_.push_back(kept_);
    kept_ += padded((step.op->kept(step.size) + sizeof(float) - 1) / sizeof(float));
    room_ = std::max(room_, step.op->scratch(group_));
  }
  lay_out();
}

std::size_t ImageStretch::stride(std::size_t value) const { return padded(size(value).floats()); }

void ImageStretch::lay_out() {
  const std::size_t values = steps_.size() + 1;
  ahead_.resize(values);
  back_.resize(values);
  fresh_.resize(steps_.size());
  for (std::size_t v = 0; v < values; ++v) ahead_[v].rows = back_[v].rows = group_ * stride(v);
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    for (const std::size_t x : steps_[s].x) ahead_[x].at(s + 1);
    ahead_[s + 1].at(s + 1);
  }
  for (std::size_t s = steps_.size(); s-- > 0;) {
    back_[s + 1].at(steps_.size() - s);
    for (const std::size_t x : steps_[s].x) {
      fresh_[s].push_back(!back_[x].used);
      if (!fresh_[s].back()) spare_ = std::max(spare_, most_operands * back_[x].rows);
      back_[x].at(steps_.size() - s);
    }
  }
  for (std::vector<Life>* lives : {&ahead_, &back_}) {
    lives->front().used = lives->back().used = false;  // input and output have memory of their own
    between_ = std::max(between_, place(*lives));
  }
}

struct ImageStretch::Room {
  float *in, *out, *values, *spare, *scratch;
  float* kept;
};

// Counted in rows of the arena. A row holds at least `turned` floats, because strides are whole cache lines.
std::size_t ImageStretch::scratch() const {
  return stride(0) + stride(steps_.size()) + (between_ + spare_ + room_ + turned - 1) / turned;
}

Images ImageStretch::at(const Room& room, const std::vector<Life>& lives, std::size_t value) const {
  const bool last = value == steps_.size();
  return {value == 0 ? room.in : last ? room.out : room.values + lives[value].offset, stride(value)};
}

Kept ImageStretch::kept_at(const Room& room, std::size_t step) const {
  return {reinterpret_cast<std::uint8_t*>(room.kept + kept_from_[step]), kept_ * sizeof(float)};
}

void ImageStretch::group_forward(const Room& room, std::size_t count) const {
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    const ImageStep& step = steps_[s];
    std::array<Images, most_operands> x;
    for (std::size_t i = 0; i < step.x.size(); ++i) x[i] = at(room, ahead_, step.x[i]);
    step.op->forward({{x.data(), step.x.size()},
                      at(room, ahead_, s + 1),
                      kept_at(room, s),
                      room.scratch,
                      step.size,
                      count});
  }
}

void ImageStretch::group_backward(const Room& room, std::size_t count) const {
  for (std::size_t s = steps_.size(); s-- > 0;) {
    const ImageStep& step = steps_[s];
    std::array<Images, most_operands> dx;
    for (std::size_t i = 0; i < step.x.size(); ++i) {
      dx[i] = at(room, back_, step.x[i]);
      if (!fresh_[s][i]) dx[i].data = room.spare + i * spare_ / most_operands;
    }
    step.op->backward({at(room, back_, s + 1),
                       {dx.data(), step.x.size()},
                       kept_at(room, s),
                       room.scratch,
                       step.size,
                       count});
    for (std::size_t i = 0; i < step.x.size(); ++i)
      if (!fresh_[s][i]) add(dx[i], at(room, back_, step.x[i]), size(step.x[i]).floats(), count);
  }
}

ImageStretch::Room ImageStretch::room_in(Mutable scratch) const {
  float* in = scratch.data;
  float* out = in + turned * stride(0);
  float* values = out + turned * stride(steps_.size());
  return {in, out, values, values + between_, values + between_ + spare_, nullptr};
}

template <class Run>
void ImageStretch::each_group(const Room& whole, std::size_t lanes, Run run) const {
  for (std::size_t i = 0; i < lanes; i += group_) {
    Room room = whole;
    room.in += i * stride(0);
    room.out += i * stride(steps_.size());
    room.kept += i * kept_;
    run(room, std::min(group_, lanes - i));
  }
}

void ImageStretch::forward(const Forward& run) const {
  Room room = room_in(run.scratch);
  const std::size_t last = steps_.size();
  room.kept = row(run.y, size(last).floats());
  for (std::size_t lane = 0; lane < run.used; lane += turned, room.kept += turned * kept_) {
    const std::size_t lanes = std::min(turned, run.used - lane);
    to_images(run.x[0], lane, in_, {room.in, stride(0)}, lanes);
    each_group(room, lanes, [&](const Room& at, std::size_t count) { group_forward(at, count); });
    to_rows({room.out, stride(last)}, size(last), run.y, lane, lanes);
  }
}

void ImageStretch::backward(const Backward& run) const {
  Room room = room_in(run.scratch);
  const std::size_t last = steps_.size();
  // Forward wrote these rows after y for backward only, so backward may change them.
  room.kept = const_cast<float*>(row(run.y, size(last).floats()));
  for (std::size_t lane = 0; lane < run.used; lane += turned, room.kept += turned * kept_) {
    const std::size_t lanes = std::min(turned, run.used - lane);
    to_images(run.dy, lane, size(last), {room.out, stride(last)}, lanes);
    each_group(room, lanes, [&](const Room& at, std::size_t count) { group_backward(at, count); });
    to_rows({room.in, stride(0)}, in_, run.dx[0], lane, lanes);
  }
}

double ImageStretch::flops() const {
  double count = 0;
  for (const ImageStep& step : steps_) count += step.op->flops(step.size);
  return count;
}

std::size_t ImageStretch::parameters() const {
  std::size_t count = 0;
  for (const ImageStep& step : steps_) count += step.op->parameters();
  return count;
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
