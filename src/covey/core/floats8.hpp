// Eight floats at once.
#pragma once

namespace covey {

typedef float floats8 __attribute__((vector_size(32)));

inline floats8 all_of(float x) { return floats8{x, x, x, x, x, x, x, x}; }
inline floats8 lesser(floats8 a, floats8 b) { return a < b ? a : b; }
inline floats8 greater(floats8 a, floats8 b) { return a > b ? a : b; }

inline float sum_of(floats8 a) { return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7])); }

// A bit for each of the eight that is at most `limit`.
inline unsigned at_most(floats8 a, float limit) {
#ifdef __AVX__
  return unsigned(__builtin_ia32_movmskps256((floats8)(a <= all_of(limit))));
#else
  unsigned bits = 0;
  for (int c = 0; c < 8; c++) bits |= unsigned(a[c] <= limit) << c;
  return bits;
#endif
}

}  // namespace covey
