// A tree of cuts across variables, and the leaf in which a record ends.
#pragma once
#include "pool.hpp"
#include "points.hpp"

namespace covey {

// Node i is cut at cuts[i] across variable sides[i], with the nodes lower[i] and upper[i], of higher numbers,
// behind it; a leaf has the side −1.
struct CutTree {
  const i64* sides;
  const double* cuts;
  const i64 *lower, *upper;

  // A point on a cut lies above it, and so does one without a value there.
  i64 leaf_of(const double* point) const {
    i64 node = 0;
    while (sides[node] >= 0) node = point[sides[node]] < cuts[node] ? lower[node] : upper[node];
    return node;
  }

  std::vector<i64> leaves_of(Points points, Pool& pool) const {
    const i64 grain = 4096;
    std::vector<i64> leaves(points.n);
    pool.each((points.n + grain - 1) / grain, 1, [&](i64 part, int) {
      for (i64 i = part * grain; i < std::min(points.n, (part + 1) * grain); i++) leaves[i] = leaf_of(points[i]);
    });
    return leaves;
  }
};

}  // namespace covey
