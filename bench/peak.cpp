// The peak of one core: single-precision multiply-adds per second with twelve independent sums.
#include <algorithm>
#include <chrono>
#include <cstdio>

int main() {
#ifdef __AVX__
  using Vec [[gnu::vector_size(32)]] = float;
#else
  using Vec [[gnu::vector_size(16)]] = float;
#endif
  constexpr int sums = 12, rounds = 2000000, lanes = sizeof(Vec) / sizeof(float);
  Vec sum[sums];
  for (int i = 0; i < sums; ++i) sum[i] = Vec{} + static_cast<float>(i);
  const Vec factor = Vec{} + 1.0000001F, more = Vec{} + 1e-9F;
  double best = 0;
  for (int run = 0; run < 9; ++run) {
    const auto start = std::chrono::steady_clock::now();
    for (int round = 0; round < rounds; ++round)
#pragma GCC unroll 12
      for (int i = 0; i < sums; ++i) sum[i] = sum[i] * factor + more;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    best = std::max(best, 2.0 * sums * rounds * lanes / seconds / 1e9);
  }
  Vec all{};
  for (const Vec& one : sum) all += one;
  std::printf("{\"gflops\": %.1f, \"sink\": %g}\n", best, static_cast<double>(all[0]));
}
