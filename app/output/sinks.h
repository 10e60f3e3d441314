// The output formats.
#pragma once

#include <memory>
#include <string>

#include "ask/answer.h"
#include "ask/answer_columns.h"
#include "ask/question.h"

namespace scfe::app {

// Aligned tables on stdout, for people.
std::unique_ptr<Sink> table_sink(const Question& question);
// The same lines as text.
std::string answer_text(const Question& question, const Answer& answer);

// CSV on stdout.
std::unique_ptr<Sink> csv_stdout(const Question& question);

// The format of an output file, by its extension: .csv, .json (JSON lines), .html.
enum class Format { csv, json, html };
Format format_of(const std::string& path);

// The files of --output. Throws Error if one has an unknown extension.
std::vector<std::string> output_paths(const Arguments& arguments);

}  // namespace scfe::app
