// RGMAT's mutation: records that move alone, to a group where they lower the SSE.
#pragma once
#include "exchange.hpp"

namespace covey {

class Relocation {
 public:
  Relocation(Groups& groups, i32 k) : groups_(groups), k_(k) {}

  // Move `rate` of the records, each to its best group, where sizes k to 2k − 1 and gain allow.
  void run(double rate, Splitmix& chance, const Meter& meter) {
    std::vector<i32> records(groups_.points.n);
    std::iota(records.begin(), records.end(), 0);
    const i64 count = i64(rate * double(records.size()));
    chance.draw(records, count);
    for (i64 i = 0; i < count; i++)
      if (groups_.size(groups_.group_of(records[i])) > k_) {
        meter.stop_if_told();
        relocate(records[i]);
      }
  }

 private:
  void relocate(i32 x) {
    const i32 own = groups_.group_of(x);
    const double size = groups_.size(own);
    i32 best = NOBODY;
    double least = from_mean(x, own) * size / (size - 1.0) - LEAST_GAIN;
    for (i32 g = 0; g < groups_.count(); g++) {
      if (g == own || groups_.size(g) >= 2 * k_ - 1) continue;
      const double size = groups_.size(g), cost = from_mean(x, g) * size / (size + 1.0);
      if (cost < least) best = g, least = cost;
    }
    if (best != NOBODY) groups_.relocate(x, best);
  }
  double from_mean(i32 x, i32 g) const {
    return squared_distance(groups_.points[x], groups_.mean(g), groups_.points.d);
  }

  Groups& groups_;
  i32 k_;
};

}  // namespace covey
