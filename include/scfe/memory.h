// How much memory reading one file may take.
//
// A small file can ask for much: compressed zeros, a tensor that is repeated, a set of categories with one
// large code. What a reader is about to allocate is compared with this limit first, and a file that asks for
// more is refused with an Error. By default the limit is
//
//     64 MB + 32 x the size of the file,  but at most 1 GB, or 8 x the size of the file if that is more
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace scfe {

// Replaces the rule above for every file that the program reads from now on; 0 restores it.
void set_memory_limit(std::size_t bytes);
// The memory that reading a file of this size may take.
std::size_t memory_limit(std::size_t file_bytes);
// Throws an Error that names the source if reading a file of this size would take so many bytes, and that is
// too much.
void expect_memory(std::size_t file_bytes, double bytes, const std::string& source);
// Throws an Error that names the source if a JSON text nests more than 64 levels deep (code that walks it may
// be recursive), or if it would take too much memory once it is parsed. To be called before parsing: it looks
// at brackets and commas alone, and need not be right about texts that are not JSON.
void expect_modest_json(std::string_view text, const std::string& source);
// Throws the Error for a text that no JSON parser takes: source, line and column, and what is there.
[[noreturn]] void refuse_json(std::string_view text, const std::string& source);

}  // namespace scfe
