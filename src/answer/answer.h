// One answer for each row of a question.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "answer/describe.h"

namespace scfe {

// What each search left, for one with more changes.
using WarmStarts = std::vector<std::shared_ptr<const WarmStart>>;

// Robust where that is asked for (stable.h). `warm_starts`, if not null, gets those of the rows; robust
// answers leave none.
std::vector<Explanation> answer_rows(const Query& query, std::span<const Row> rows,
                                     WarmStarts* warm_starts = nullptr);

// values[i] as an answer for rows[i], if it meets everything that is asked and there was time to see that;
// certified where that is asked for.
std::vector<std::optional<Explanation>> confirm_rows(const Query& query, std::span<const Row> rows,
                                                     std::span<const std::vector<double>> values);

}  // namespace scfe
