// FNV-1a, 64 bit (Fowler, Noll, Vo): h = (h xor byte) · prime for each byte. Both steps are invertible, so
// changing a single byte always changes the checksum.
#pragma once

#include <cstdint>
#include <string_view>

namespace scfe {

inline constexpr std::uint64_t fnv_start = 0xcbf29ce484222325U;

constexpr std::uint64_t fnv1a(std::string_view bytes, std::uint64_t hash = fnv_start) {
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
  return hash;
}

}  // namespace scfe
