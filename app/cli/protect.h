// Keeps outputs from destroying what is read, and each other. Files are told apart by device and inode, not
// by their names: ./out.csv, a link to out.csv and out.csv are one file.
#pragma once

#include "cli/verb.h"

namespace scfe::app {

// Throws Error if a file that is written, or the journal in which its rows are kept until then, is also read
// or written as another one.
void protect_files(const Verb& verb, const Arguments& arguments);

}  // namespace scfe::app
