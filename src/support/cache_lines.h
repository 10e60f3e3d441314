// Vectors aligned to cache lines. By default large vectors start 16 bytes into a page, so that every other
// 32-byte load touches two lines. Very large vectors use huge pages if available, which speeds up random
// access (fewer misses of the address translation cache).
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
  CacheLines(const CacheLines<U>&) {}  // NOLINT(google-explicit-constructor): required of allocators
  T* allocate(std::size_t count) {
    const std::size_t size = count * sizeof(T);
    void* list = ::operator new(size, alignment(size));
#ifdef MADV_HUGEPAGE
    if (size >= large) madvise(list, size, MADV_HUGEPAGE);  // only a hint; may be ignored
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

// Prefetches the cache lines of a range.
inline void fetch_lines(const void* from, std::size_t size) {
  constexpr std::size_t line = 64;
  for (std::size_t i = 0; i < size; i += line) __builtin_prefetch(static_cast<const char*>(from) + i);
}

}  // namespace scfe
