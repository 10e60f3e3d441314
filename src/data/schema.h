// The JSON spelling of the schema's enums, and the decimals of its columns.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "scfe/schema.h"

namespace scfe {

template <class Choice, std::size_t size>
using Names = std::array<std::pair<std::string_view, Choice>, size>;

inline constexpr Names<Kind, 5> kind_names = {{{"continuous", Kind::continuous},
                                               {"integer", Kind::integer},
                                               {"ordinal", Kind::ordinal},
                                               {"binary", Kind::binary},
                                               {"categorical", Kind::categorical}}};
inline constexpr Names<Direction, 3> direction_names = {
    {{"any", Direction::any}, {"up", Direction::up}, {"down", Direction::down}}};
inline constexpr Names<Encoding, 2> encoding_names = {
    {{"one_hot", Encoding::one_hot}, {"code", Encoding::code}}};
inline constexpr Names<Missing, 3> missing_names = {
    {{"error", Missing::error}, {"drop", Missing::drop}, {"impute", Missing::impute}}};

template <class Choice, std::size_t size>
std::string_view name_of(const Names<Choice, size>& names, Choice choice) {
  for (const auto& [name, value] : names)
    if (value == choice) return name;
  return "";
}

// The decimals that every number of the column has, like two in 12.50 and 13.00; empty if they differ or
// are 0. Answers get as many.
std::optional<int> written_decimals(const Table& table, std::size_t column, const Schema& schema);
// Sets them for numeric columns whose schema does not.
Schema with_written_decimals(Schema schema, const Table& training);

}  // namespace scfe
