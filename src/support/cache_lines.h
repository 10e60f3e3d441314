// Lists that begin where a cache line does: large ones would begin 16 bytes into a page, and every other load
// of 32 bytes would touch two lines. Those of many megabytes lie on large pages where the system has them:
// who reads here and there in them would wait for the tables of small ones as long as for the data.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace scfe {

template <class T>
struct CacheLines {
  using value_type = T;

  CacheLines() = default;
  template <class U>
  CacheLines(const CacheLines<U>&) {}  // NOLINT(google-explicit-constructor): what an allocator must have
  T* allocate(std::size_t count) {
    const std::size_t size = count * sizeof(T);
    void* list = ::operator new(size, alignment(size));
#ifdef MADV_HUGEPAGE
    if (size >= large) madvise(list, size, MADV_HUGEPAGE);  // a wish: nothing is lost where it is not granted
#endif
    return static_cast<T*>(list);
  }
  void deallocate(T* list, std::size_t count) { ::operator delete(list, alignment(count * sizeof(T))); }
  bool operator==(const CacheLines&) const { return true; }

 private:
  static constexpr std::size_t line = 64, page = std::size_t{1} << 21, large = 2 * page;
  static std::align_val_t alignment(std::size_t size) { return std::align_val_t{size < large ? line : page}; }
};

template <class T>
using LineList = std::vector<T, CacheLines<T>>;

// On their way from memory.
inline void fetch_lines(const void* from, std::size_t size) {
  constexpr std::size_t line = 64;
  for (std::size_t i = 0; i < size; i += line) __builtin_prefetch(static_cast<const char*>(from) + i);
}

}  // namespace scfe
