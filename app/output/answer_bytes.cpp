#include "output/answer_bytes.h"

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "scfe/error.h"

namespace scfe::app {
namespace {

// Writing and reading share one list of members (`both`), so that they stay consistent.
struct Put {
  std::string& bytes;

  void raw(void* from, std::size_t size) { bytes.append(static_cast<const char*>(from), size); }
  std::size_t count(std::size_t own) {
    std::uint64_t number = own;
    raw(&number, sizeof number);
    return own;
  }
};

struct Take {
  std::string_view& bytes;
  const std::string& source;

  void raw(void* to, std::size_t size) {
    if (size > bytes.size())
      throw Error(source, std::to_string(size) + " more bytes", std::to_string(bytes.size()));
    std::memcpy(to, bytes.data(), size);
    bytes.remove_prefix(size);
  }
  // Each element takes at least one byte, so a wrong count is detected before anything is allocated.
  std::size_t count(std::size_t) {
    std::uint64_t number = 0;
    raw(&number, sizeof number);
    if (number > bytes.size())
      throw Error(source, "at most " + std::to_string(bytes.size()) + " entries", std::to_string(number));
    return static_cast<std::size_t>(number);
  }
};

template <class Way, class T>
requires std::is_arithmetic_v<T> || std::is_enum_v<T>
void both(Way& way, T& value) { way.raw(&value, sizeof value); }

template <class Way>
void both(Way& way, bool& value) {
  auto byte = static_cast<std::uint8_t>(value);
  way.raw(&byte, 1);
  value = byte != 0;
}

template <class Way>
void both(Way& way, std::string& text) {
  text.resize(way.count(text.size()));
  way.raw(text.data(), text.size());
}

template <class Way, class T>
void both(Way& way, std::vector<T>& list) {
  list.resize(way.count(list.size()));
  for (T& entry : list) both(way, entry);
}

template <class Way, class... T>
void each(Way& way, T&... values) {
  (both(way, values), ...);
}

template <class Way>
void both(Way& way, FeatureChange& c) {
  each(way, c.feature, c.from, c.to, c.room);
}

template <class Way>
void both(Way& way, NumberRoom& n) {
  each(way, n.feature, n.room);
}

template <class Way>
void both(Way& way, Hint& h) {
  each(way, h.kind, h.value, h.l2, h.distance, h.reached, h.text);
}

template <class Way>
void both(Way& way, Explanation& e) {
  each(way, e.status, e.reason, e.predicted, e.target, e.counterfactual, e.changes, e.probability, e.margin,
       e.output, e.l2, e.l1, e.metric, e.distance, e.log_density, e.quantile, e.gradients, e.timed_out,
       e.proof, e.certificate, e.lower_bound, e.stability, e.stable_margin, e.rooms, e.hints,
       e.allowed_changes, e.knee);
}

template <class Way>
void both(Way& way, Answer& a) {
  each(way, a.name, a.group, a.row, a.rank, a.first, a.explanation, a.probability_before, a.output_before,
       a.from, a.to, a.changed);
}

}  // namespace

void append_answer(std::string& bytes, Answer answer) {
  Put way{bytes};
  both(way, answer);
}

Answer take_answer(std::string_view& bytes, const std::string& source) {
  Take way{bytes, source};
  Answer answer;
  both(way, answer);
  return answer;
}

}  // namespace scfe::app
