// Random numbers: SplitMix64 streams, cheap to derive one for each task, so that results do not depend
// on which thread takes which task.
#pragma once
#include <array>
#include <span>
#include <utility>

#include "points.hpp"

namespace covey {

class Splitmix {
 public:
  Splitmix(u64 seed, u64 node) : state_(mixed(mixed(seed + STEP) + node * STEP)) {}

  u64 next() { return mixed(state_ += STEP); }
  // A number from 0 to bound − 1.
  u64 below(u64 bound) { return (next() >> 32) * bound >> 32; }
  // From 0 up to, but not including, 1.
  double unit() { return double(next() >> 11) * 0x1p-53; }
  // A number from 0 to bound − 1 by multiplying a unit, which is fair up to larger bounds than `below`.
  i64 index(i64 bound) { return i64(unit() * double(bound)); }
  // Pass over one number, which costs less than drawing it.
  void skip() { state_ += STEP; }

  // Bring `count` items drawn without replacement to the front, in random order.
  void draw(std::span<i32> items, i64 count) {
    const i64 n = i64(items.size());
    for (i64 i = 0; i < count; i++) std::swap(items[i], items[i + index(n - i)]);
  }

 private:
  static constexpr u64 STEP = 0x9E3779B97F4A7C15;
  static u64 mixed(u64 word) {
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9;
    word = (word ^ word >> 27) * 0x94D049BB133111EB;
    return word ^ word >> 31;
  }
  u64 state_;
};

// Exponential numbers of mean one, from the twelve highest bits of a random word.
inline float exponential(u64 word) {
  static const std::array<float, 4096> table = [] {
    std::array<float, 4096> values{};
    for (int i = 0; i < 4096; i++) values[i] = float(-std::log((i + 0.5) / 4096.0));
    return values;
  }();
  return table[word >> 52];
}

}  // namespace covey
