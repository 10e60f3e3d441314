// Lists that begin where a cache line does: large ones would begin 16 bytes into a page, and every other load
// of 32 bytes would touch two lines.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace scfe {

template <class T>
struct CacheLines {
  using value_type = T;
  static constexpr std::align_val_t line{64};

  CacheLines() = default;
  template <class U>
  CacheLines(const CacheLines<U>&) {}  // NOLINT(google-explicit-constructor): what an allocator must have
  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), line)); }
  void deallocate(T* list, std::size_t) { ::operator delete(list, line); }
  bool operator==(const CacheLines&) const { return true; }
};

template <class T>
using LineList = std::vector<T, CacheLines<T>>;

}  // namespace scfe
