// A tree of cuts across variables, and the leaf in which a record ends.
#pragma once
#include "pool.hpp"
#include "points.hpp"

namespace covey {

class CutTree {
 public:
  // Node i is cut at cuts[i] across variable sides[i], with the nodes lower[i] and upper[i], of higher numbers,
  // behind it; a leaf has the side −1.
  CutTree(i64 n_nodes, const i64* sides, const double* cuts, const i64* lower, const i64* upper) : nodes_(n_nodes) {
    for (i64 i = 0; i < n_nodes; i++) nodes_[i] = {cuts[i], sides[i], {lower[i], upper[i]}};
  }

  std::vector<i64> leaves_of(Points points, Pool& pool) const {
    const i64 grain = 4096;
    std::vector<i64> leaves(points.n, 0);
    pool.each((points.n + grain - 1) / grain, 1, [&](i64 part, int) {
      const i64 end = std::min(points.n, (part + 1) * grain);
      for (i64 i = part * grain; i < end; i += ABREAST) walk(points, i, std::min(end - i, ABREAST), leaves.data() + i);
    });
    return leaves;
  }

 private:
  static constexpr i64 ABREAST = 8;

  struct Node {
    double cut;
    i64 side;
    i64 below[2];
  };

  std::vector<Node> nodes_;

  // Some points go down side by side, so that none waits for another's step. A point on a cut lies above it, and
  // so does one without a value there.
  void walk(Points points, i64 first, i64 count, i64* at) const {
    for (bool moved = true; moved;) {
      moved = false;
      for (i64 c = 0; c < count; c++) {
        const Node& node = nodes_[at[c]];
        if (node.side < 0) continue;
        at[c] = node.below[!(points[first + c][node.side] < node.cut)];
        moved = true;
      }
    }
  }
};

}  // namespace covey
