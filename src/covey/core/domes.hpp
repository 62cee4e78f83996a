// Domes: the record farthest from the mean of the rest, with its nearest records, again and again.
#pragma once
#include "outermost.hpp"

namespace covey {

// Records dome by dome, each with its nearest first; what is left is the last dome.
inline std::vector<i64> dome_by_dome(Unassigned& left, i64 dome_size) {
  Outermost outermost(left);
  std::vector<double> middle, keys(dome_size);
  std::vector<float> at;
  std::vector<i32> found(dome_size);
  std::vector<i64> order;
  order.reserve(left.points().n);
  const auto take = [&](i32 record) {
    left.take(record);
    order.push_back(record);
  };
  while (left.size() >= 2 * dome_size) {
    left.center(middle);
    const i32 seed = outermost.farthest_from(middle);
    take(seed);
    left.sync();
    Best best(found.data(), keys.data(), int(dome_size) - 1);
    left.tree.collect<false>(left.points()[seed], {nullptr, 0}, best, at);
    best.close();
    for (i64 i = 0; i < dome_size - 1; i++) take(found[i]);
  }
  for (i64 r = 0; r < left.points().n; r++)
    if (left.is_alive(i32(r))) order.push_back(r);
  return order;
}

}  // namespace covey
