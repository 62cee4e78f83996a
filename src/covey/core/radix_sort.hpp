// A stable order of floats by their bits, several times as fast as comparing them.
#pragma once
#include <array>
#include <bit>

#include "points.hpp"

namespace covey {

// The places of finite values from the smallest; equal values keep their order. Bits of floats, with
// the sign turned round, sort like the floats: byte by byte from the last, but for bytes that all share.
inline std::vector<i64> stable_order(const double* values, i64 n) {
  constexpr int BYTES = 8, SIZE = 256;
  constexpr u64 SIGN = u64(1) << 63;
  std::vector<u64> keys(n), other_keys(n);
  std::vector<i64> order(n), other_order(n);
  std::vector<std::array<i64, SIZE>> counts(BYTES, std::array<i64, SIZE>{});
  for (i64 i = 0; i < n; i++) {
    u64 bits = std::bit_cast<u64>(values[i] + 0.0);  // −0.0 and 0.0 are one value
    bits = bits & SIGN ? ~bits : bits | SIGN;
    keys[i] = bits;
    order[i] = i;
    for (int b = 0; b < BYTES; b++) counts[b][bits >> (8 * b) & 255]++;
  }
  for (int b = 0; n > 0 && b < BYTES; b++) {
    auto& places = counts[b];
    if (places[keys[0] >> (8 * b) & 255] == n) continue;
    for (i64 byte = 0, before = 0; byte < SIZE; byte++) before += std::exchange(places[byte], before);
    for (i64 i = 0; i < n; i++) {
      const i64 place = places[keys[i] >> (8 * b) & 255]++;
      other_keys[place] = keys[i];
      other_order[place] = order[i];
    }
    keys.swap(other_keys);
    order.swap(other_order);
  }
  return order;
}

}  // namespace covey
