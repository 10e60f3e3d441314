// One answer for each row of a question.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "answer/describe.h"

namespace scfe {

// For each row, where a search with more changes may start.
using WarmStarts = std::vector<std::shared_ptr<const WarmStart>>;

// With options.robust the answers are stable (stable.h). `warm_starts`, if not null, gets one entry per row,
// except with options.robust, where it is not changed.
std::vector<Explanation> answer_rows(const Query& query, std::span<const Row> rows,
                                     WarmStarts* warm_starts = nullptr);

// values[i] as an answer for rows[i] if it meets every condition, and nothing if it does not or if time ran
// out before the check. Certified with options.certify.
std::vector<std::optional<Explanation>> confirm_rows(const Query& query, std::span<const Row> rows,
                                                     std::span<const std::vector<double>> values);

}  // namespace scfe
