// Records that are equal in every variable.
//
// Twins are at the same distance from everything, so one of them, the first, stands for all: a file of
// few values is searched as fast as the few different records in it.
#pragma once
#include "splitmix.hpp"

namespace covey {

class Twins {
 public:
  // Only a sample tells whether there are many enough to look for: if none are found, every record is
  // on its own. That costs time at most.
  explicit Twins(Points points) {
    if (!may_pay(points)) return;
    std::vector<i32> all(points.n);
    for (i64 i = 0; i < points.n; i++) all[i] = i32(i);
    lead_ = equals_of(points, all);
    link();
  }

  bool any() const { return !lead_.empty(); }
  // The one by whose number a set of twins is known, there or not.
  i32 lead(i32 record) const { return any() ? lead_[record] : record; }
  // Whether none of its twins that are there have a lower number.
  bool is_first(i32 record) const { return !any() || previous_[record] == NOBODY; }
  // The next higher of its twins. It may be asked of one that has left: whoever was next then.
  i32 next(i32 record) const { return any() ? next_[record] : NOBODY; }

  void leave(i32 record) {
    if (!any()) return;
    if (previous_[record] != NOBODY) next_[previous_[record]] = next_[record];
    if (next_[record] != NOBODY) previous_[next_[record]] = previous_[record];
  }

 private:
  static constexpr i64 SAMPLE = 2048;

  static bool may_pay(Points points) {
    Splitmix chance(0, 0);
    std::vector<i32> some(std::min(points.n, SAMPLE));
    for (i64 i = 0; i < i64(some.size()); i++) some[i] = i32(points.n <= SAMPLE ? i : chance.index(points.n));
    std::sort(some.begin(), some.end());
    some.erase(std::unique(some.begin(), some.end()), some.end());
    return equals_of(points, some) != some;
  }

  // For each of the records the first among them that equals it.
  static std::vector<i32> equals_of(Points points, const std::vector<i32>& records) {
    std::size_t room = 16;
    while (room < 2 * records.size()) room *= 2;
    std::vector<i32> table(room, NOBODY), firsts(records.size());
    for (std::size_t i = 0; i < records.size(); i++) {
      std::size_t place = hash(points, records[i]) & (room - 1);
      while (table[place] != NOBODY && !equal(points, table[place], records[i])) place = (place + 1) & (room - 1);
      if (table[place] == NOBODY) table[place] = records[i];
      firsts[i] = table[place];
    }
    return firsts;
  }
  static bool equal(Points points, i32 a, i32 b) {
    return std::memcmp(points[a], points[b], points.d * sizeof(double)) == 0;
  }
  static u64 hash(Points points, i32 record) {
    u64 total = 0;
    for (int j = 0; j < points.d; j++) {
      u64 bits;
      std::memcpy(&bits, points[record] + j, sizeof bits);
      total = (total ^ bits) * 0x9E3779B97F4A7C15;
      total ^= total >> 32;
    }
    return total;
  }

  void link() {
    std::vector<i32> last(lead_.size(), NOBODY);
    next_.assign(lead_.size(), NOBODY);
    previous_.assign(lead_.size(), NOBODY);
    for (i32 record = 0; record < i32(lead_.size()); record++) {
      i32& before = last[lead_[record]];
      if (before != NOBODY) next_[before] = record;
      previous_[record] = before;
      before = record;
    }
  }

  std::vector<i32> lead_, next_, previous_;
};

}  // namespace covey
