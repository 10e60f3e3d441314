#include "output/answer_bytes.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "scfe/error.h"

namespace scfe::app {
namespace {

// Writing and reading share one list of members (`members_of`), so that they stay consistent.
struct Put {
  std::string& bytes;

  void raw(void* from, std::size_t size) { bytes.append(static_cast<const char*>(from), size); }
  // Seven bits a byte, the lowest first; the eighth says that more follow.
  std::uint64_t whole(std::uint64_t own) {
    for (std::uint64_t rest = own;; rest >>= 7) {
      bytes.push_back(static_cast<char>((rest & 127) | (rest > 127 ? 128 : 0)));
      if (rest <= 127) return own;
    }
  }
  std::size_t count(std::size_t own, std::size_t /*a_byte*/ = 1) {
    return static_cast<std::size_t>(whole(own));
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
  std::uint64_t whole(std::uint64_t) {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      std::uint8_t byte = 0;
      raw(&byte, 1);
      number |= std::uint64_t{byte & 127U} << shift;
      if (byte < 128) return number;
    }
    throw Error(source, "a whole number of 64 bits", "more");
  }
  // So many entries take at least one byte, so a wrong count is detected before anything is allocated.
  std::size_t count(std::size_t, std::size_t a_byte = 1) {
    const std::uint64_t number = whole(0);
    if (number > a_byte * bytes.size())
      throw Error(source, "at most " + std::to_string(a_byte * bytes.size()) + " entries",
                  std::to_string(number));
    return static_cast<std::size_t>(number);
  }
};

bool same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

template <class Way>
void both(Way& way, double& value) {
  way.raw(&value, sizeof value);
}

template <class Way, class T>
requires std::is_integral_v<T> || std::is_enum_v<T>
void both(Way& way, T& value) {  // -1 is as short as 1: 0, -1, 1, -2 become 0, 1, 2, 3
  const auto number = static_cast<std::int64_t>(value);
  const std::uint64_t folded =
      (static_cast<std::uint64_t>(number) << 1) ^ static_cast<std::uint64_t>(number >> 63);
  const std::uint64_t given = way.whole(folded);
  value = static_cast<T>(static_cast<std::int64_t>((given >> 1) ^ (~(given & 1) + 1)));
}

template <class Way>
void both(Way& way, std::string& text) {
  text.resize(way.count(text.size()));
  way.raw(text.data(), text.size());
}

// Most entries may be 0: of each eight, a byte says which are not.
template <class Way>
void both(Way& way, std::vector<double>& list) {
  list.resize(way.count(list.size(), 8));
  for (std::size_t first = 0; first < list.size(); first += 8) {
    const std::size_t count = std::min<std::size_t>(8, list.size() - first);
    std::uint8_t others = 0;
    for (std::size_t i = 0; i < count; ++i)
      others = static_cast<std::uint8_t>(others | (same(list[first + i], 0) ? 0U : 1U << i));
    way.raw(&others, 1);
    for (std::size_t i = 0; i < count; ++i)
      if ((others >> i & 1U) != 0) both(way, list[first + i]);
  }
}

template <class Way, class T>
void both(Way& way, std::vector<T>& list) {
  list.resize(way.count(list.size()));
  for (T& entry : list) both(way, entry);
}

auto members_of(FeatureChange& c) { return std::tie(c.feature, c.from, c.to, c.room); }
auto members_of(NumberRoom& n) { return std::tie(n.feature, n.room); }
auto members_of(Hint& h) { return std::tie(h.kind, h.value, h.l2, h.distance, h.reached, h.text); }
auto members_of(Explanation& e) {
  return std::tie(e.status, e.reasons, e.blocking, e.predicted, e.target, e.counterfactual, e.changes,
                  e.probability, e.margin, e.output, e.l2, e.l1, e.metric, e.distance, e.log_density,
                  e.quantile, e.gradients, e.timed_out, e.proof, e.certificate, e.lower_bound, e.stability,
                  e.stable_margin, e.rooms, e.hints, e.allowed_changes, e.knee);
}
auto members_of(Answer& a) {
  return std::tie(a.name, a.group, a.row, a.rank, a.first, a.explanation, a.probability_before,
                  a.output_before, a.from, a.to, a.changed);
}

template <class T>
bool is_usual(const T& own, const T& usual) {
  if constexpr (std::is_floating_point_v<T>)
    return same(own, usual);
  else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
    return own == usual;
  else if constexpr (requires { own.empty(); })
    return own.empty();
  else
    return false;
}

// Bits say which members are not as those of a new object; only these follow.
template <class Way, class T>
requires requires(T& value) { members_of(value); }
void both(Way& way, T& value) {
  T usual{};
  const auto own = members_of(value), theirs = members_of(usual);
  const auto each = [&]<std::size_t... I>(std::index_sequence<I...>) {
    const std::uint64_t others =
        way.whole(((is_usual(std::get<I>(own), std::get<I>(theirs)) ? 0 : std::uint64_t{1} << I) | ...));
    ((others >> I & 1 ? both(way, std::get<I>(own)) : void()), ...);
  };
  each(std::make_index_sequence<std::tuple_size_v<decltype(own)>>());
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
