# Writes the files of FOLDER as a C++ source OUTPUT: their names below FOLDER and their bytes, as the span page_files().
file(GLOB_RECURSE files RELATIVE ${FOLDER} ${FOLDER}/*)
list(SORT files)
set(arrays "")
set(rows "")
set(count 0)
foreach(file IN LISTS files)
  file(READ ${FOLDER}/${file} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" bytes "${hex}")
  string(LENGTH "${hex}" length)
  math(EXPR length "${length} / 2")
  # One literal of escapes: every byte is two hexadecimal digits behind its own \\x, so none runs into the next.
  string(APPEND arrays "constexpr char bytes_${count}[] = \"${bytes}\";\n")
  string(APPEND rows "    PageFile{\"${file}\", {bytes_${count}, ${length}}},\n")
  math(EXPR count "${count} + 1")
endforeach()
file(WRITE ${OUTPUT} "// Made by cmake/embed.cmake from the files of the page.\n#include <array>\n#include \"server/page.h\"\n
namespace scfe::server {\nnamespace {\n\n${arrays}\nconstexpr std::array<PageFile, ${count}> files = {\n${rows}};\n
}  // namespace\n\nstd::span<const PageFile> page_files() { return files; }\n\n}  // namespace scfe::server\n")
