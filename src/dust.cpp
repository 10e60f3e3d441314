#include "dust.h"

#include <algorithm>
#include <cmath>

#include "support/random.h"

namespace scfe {
namespace {

constexpr std::size_t copies = 8, lanes_at_once = 8;
constexpr float of_value = 1e-6F, of_range = 1e-7F;

class Dust {
 public:
  Dust(const Wished& wished, std::size_t lanes)
      : wished_(wished),
        tape_(wished.model.tape(copies * lanes)),
        x_(wished.space.inputs(), copies * lanes),
        scores_(wished.model.scores(), copies * lanes),
        margins_(wished.validity.rivals(), copies * lanes),
        rival_(wished.validity.rivals() * margins_.stride()),
        range_(wished.space.inputs(), 0.0F) {
    const Space& space = wished.space;
    for (std::size_t f = 0; f < space.features(); ++f)
      if (!space.is_category(f)) range_[space.input_of(f)] = static_cast<float>(space.range(space.first(f)));
  }

  void lower(const Block& x, std::span<const std::size_t> lanes, Block& margins) {
    for (Block* block : {&x_, &scores_, &margins_}) block->set_lanes(copies * lanes.size());
    load(x, lanes);
    wished_.model.forward(x_, scores_, *tape_);
    wished_.validity.margins(scores_, margins_, rival_);
    for (std::size_t k = 0; k < lanes.size(); ++k) {
      const float* of_copies = margins_[0] + k * copies;
      margins[0][lanes[k]] = std::min(margins[0][lanes[k]], *std::min_element(of_copies, of_copies + copies));
    }
  }

 private:
  // Signs are the same for every row; every second copy moves opposite to the one before.
  void load(const Block& x, std::span<const std::size_t> lanes) {
    Random random(1);
    for (std::size_t i = 0; i < range_.size(); ++i)
      for (std::size_t c = 0; c < copies; c += 2) {
        const float sign = random.uniform() < 0.5 ? -1.0F : 1.0F;
        for (std::size_t k = 0; k < lanes.size(); ++k) {
          const float value = x[i][lanes[k]], move = sign * dust(i, value);
          x_[i][k * copies + c] = value + move;
          x_[i][k * copies + c + 1] = value - move;
        }
      }
  }
  float dust(std::size_t input, float value) const {
    const bool stays = range_[input] == 0 || value == std::nearbyint(value);
    return stays ? 0 : of_value * std::abs(value) + of_range * range_[input];
  }

  const Wished& wished_;
  std::unique_ptr<Model::Tape> tape_;
  Block x_, scores_, margins_;
  std::vector<int> rival_;
  std::vector<float> range_;  // per input; 0: not moved
};

}  // namespace

void lower_to_copies(const Wished& wished, const Block& x, Block& margins) {
  std::vector<std::size_t> granted;
  for (std::size_t lane = 0; lane < x.lanes(); ++lane)
    if (static_cast<double>(margins[0][lane]) >= wished.validity.granted()) granted.push_back(lane);
  if (granted.empty()) return;
  Dust dust(wished, std::min(granted.size(), lanes_at_once));
  for (std::span<const std::size_t> rest = granted; !rest.empty();) {
    const std::size_t count = std::min(rest.size(), lanes_at_once);
    dust.lower(x, rest.first(count), margins);
    rest = rest.subspan(count);
  }
}

}  // namespace scfe
