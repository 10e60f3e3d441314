// What is left of the memory that reading one file may take (scfe/memory.h).
#pragma once

#include <cstddef>
#include <string>

namespace scfe {

class Budget {
 public:
  // `source` names the file, or the part of it, in the Error.
  Budget(std::size_t file_bytes, std::string source);

  // Called before allocating so many bytes. Throws an Error if the file has asked for too much by then.
  void take(double bytes);

 private:
  double limit_, taken_ = 0;
  std::string source_;
};

}  // namespace scfe
