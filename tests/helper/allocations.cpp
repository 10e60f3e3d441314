#include "tests/helper/allocations.h"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

thread_local long count = 0;

[[maybe_unused]] void* counted(std::size_t size, std::size_t alignment) {
  ++count;
  // aligned_alloc requires a multiple of the alignment.
  void* memory = std::aligned_alloc(alignment, (size + alignment) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

namespace scfe::test {

long allocations() { return count; }

}  // namespace scfe::test

#ifndef SCFE_SANITIZED
void* operator new(std::size_t size) { return counted(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
#endif
