#include "cli/answer_bytes.h"

namespace scfe::cli {
namespace {

constexpr unsigned statuses = 6, hint_kinds = static_cast<unsigned>(Hint::Kind::robust) + 1;

void put_texts(ByteWriter& out, const std::vector<std::string>& texts) {
  out.put(std::uint64_t{texts.size()});
  for (const std::string& text : texts) out.put_text(text);
}

std::vector<std::string> get_texts(ByteReader& in) {
  std::vector<std::string> texts(in.get_size(sizeof(std::uint64_t)));
  for (std::string& text : texts) text = in.get_text();
  return texts;
}

void put_hints(ByteWriter& out, const std::vector<Hint>& hints) {
  out.put(std::uint64_t{hints.size()});
  for (const Hint& hint : hints) {
    out.put(static_cast<std::uint8_t>(hint.kind));
    out.put(hint.value);
    out.put(hint.l2);
    out.put(hint.reached);
    out.put_text(hint.text);
  }
}

std::vector<Hint> get_hints(ByteReader& in) {
  std::vector<Hint> hints(in.get_size(1 + 4 * sizeof(double)));
  for (Hint& hint : hints) {
    hint.kind = static_cast<Hint::Kind>(in.get_choice(hint_kinds));
    hint.value = in.get<double>();
    hint.l2 = in.get<double>();
    hint.reached = in.get<double>();
    hint.text = in.get_text();
  }
  return hints;
}

void put_changes(ByteWriter& out, const std::vector<FeatureChange>& changes) {
  out.put(std::uint64_t{changes.size()});
  for (const FeatureChange& change : changes) {
    out.put(std::uint64_t{change.feature});
    for (const double value : {change.from, change.to, change.room}) out.put(value);
  }
}

std::vector<FeatureChange> get_changes(ByteReader& in) {
  std::vector<FeatureChange> changes(in.get_size(4 * sizeof(double)));
  for (FeatureChange& change : changes) {
    change.feature = static_cast<std::size_t>(in.get<std::uint64_t>());
    for (double* value : {&change.from, &change.to, &change.room}) *value = in.get<double>();
  }
  return changes;
}

void put_rooms(ByteWriter& out, const std::vector<NumberRoom>& rooms) {
  out.put(std::uint64_t{rooms.size()});
  for (const NumberRoom& room : rooms) {
    out.put(std::uint64_t{room.feature});
    out.put(room.room);
  }
}

std::vector<NumberRoom> get_rooms(ByteReader& in) {
  std::vector<NumberRoom> rooms(in.get_size(2 * sizeof(double)));
  for (NumberRoom& room : rooms) {
    room.feature = static_cast<std::size_t>(in.get<std::uint64_t>());
    room.room = in.get<double>();
  }
  return rooms;
}

// The numbers of an explanation, for both ways.
template <class E>
auto numbers_of(E& e) {
  return std::vector{&e.probability, &e.margin,   &e.output,        &e.l2,         &e.l1,
                     &e.log_density, &e.quantile, &e.stable_margin, &e.lower_bound};
}

void put_explanation(ByteWriter& out, const Explanation& e) {
  out.put(static_cast<std::uint8_t>(e.status));
  for (const std::string& text : {e.reason, e.stability, e.certificate}) out.put_text(text);
  for (const int number : {e.predicted, e.target, e.allowed_changes}) out.put(number);
  out.put_list(e.counterfactual);
  put_changes(out, e.changes);
  for (const double* number : numbers_of(e)) out.put(*number);
  out.put(std::uint64_t{e.gradients});
  for (const bool flag : {e.timed_out, e.proven, e.knee}) out.put_flag(flag);
  put_hints(out, e.hints);
  put_rooms(out, e.rooms);
}

Explanation get_explanation(ByteReader& in) {
  Explanation e;
  e.status = static_cast<Status>(in.get_choice(statuses));
  for (std::string* text : {&e.reason, &e.stability, &e.certificate}) *text = in.get_text();
  for (int* number : {&e.predicted, &e.target, &e.allowed_changes}) *number = in.get<int>();
  e.counterfactual = in.get_list<double>();
  e.changes = get_changes(in);
  for (double* number : numbers_of(e)) *number = in.get<double>();
  e.gradients = static_cast<std::size_t>(in.get<std::uint64_t>());
  for (bool* flag : {&e.timed_out, &e.proven, &e.knee}) *flag = in.get_flag();
  e.hints = get_hints(in);
  e.rooms = get_rooms(in);
  return e;
}

}  // namespace

void put_answer(ByteWriter& out, const Answer& answer) {
  for (const std::string& text : {answer.name, answer.group}) out.put_text(text);
  for (const std::size_t number : {answer.row, answer.rank}) out.put(std::uint64_t{number});
  out.put_flag(answer.first);
  put_explanation(out, answer.explanation);
  for (const double number : {answer.probability_before, answer.output_before}) out.put(number);
  put_texts(out, answer.from);
  put_texts(out, answer.to);
  out.put_list(std::vector<std::uint64_t>(answer.changed.begin(), answer.changed.end()));
}

Answer get_answer(ByteReader& in) {
  Answer answer;
  for (std::string* text : {&answer.name, &answer.group}) *text = in.get_text();
  for (std::size_t* number : {&answer.row, &answer.rank})
    *number = static_cast<std::size_t>(in.get<std::uint64_t>());
  answer.first = in.get_flag();
  answer.explanation = get_explanation(in);
  for (double* number : {&answer.probability_before, &answer.output_before}) *number = in.get<double>();
  answer.from = get_texts(in);
  answer.to = get_texts(in);
  const auto changed = in.get_list<std::uint64_t>();
  answer.changed.assign(changed.begin(), changed.end());
  return answer;
}

}  // namespace scfe::cli
