// Records halved again and again, so that those of a half lie together.
#pragma once
#include "meter.hpp"
#include "pool.hpp"
#include "quickselect.hpp"

namespace covey {

// Leaf i has the records order[starts[i]] to order[starts[i + 1]].
struct Halves {
  std::vector<i32> order;
  std::vector<i64> starts;
};

// Halve at the median of a key until no leaf has more than `leaf` records, the halves of a level side by side.
// set_keys(node, items, count) sets the keys of the records of a node; nodes are numbered as in a heap. The first
// cut may fall elsewhere: at another share of the records.
template <class SetKeys>
Halves split_at_medians(i64 n, i64 leaf, Pool& pool, Meter meter, SetKeys&& set_keys, double first_share = 0.5) {
  std::vector<Keyed> items(n);
  for (i64 i = 0; i < n; i++) items[i] = {0.0, i32(i)};
  std::vector<i64> starts{0, n}, next;
  for (i64 nodes = 1; n / nodes > leaf; nodes *= 2) {
    next.assign(2 * nodes + 1, n);
    pool.each(nodes, 1, [&](i64 node, int) {
      meter.stop_if_told();
      const i64 start = starts[node], end = starts[node + 1];
      const i64 middle = nodes == 1 ? i64(first_share * double(n)) : (start + end) / 2;
      next[2 * node] = start;
      next[2 * node + 1] = middle;
      if (end - start < 2) return;
      set_keys(nodes - 1 + node, items.data() + start, end - start);
      bring_smallest(items.data() + start, end - start, middle - start);
    });
    starts.swap(next);
  }
  Halves halves{std::vector<i32>(n), std::move(starts)};
  for (i64 i = 0; i < n; i++) halves.order[i] = items[i].item;
  return halves;
}

// The variable in which some records differ most; the first of several.
inline int widest_side(Points points, const Keyed* items, i64 count) {
  std::vector<double> low(points.d, INF), high(points.d, -INF);
  for (i64 i = 0; i < count; i++) {
    const double* x = points[items[i].item];
    for (int j = 0; j < points.d; j++) {
      low[j] = std::min(low[j], x[j]);
      high[j] = std::max(high[j], x[j]);
    }
  }
  int side = 0;
  for (int j = 1; j < points.d; j++)
    if (high[j] - low[j] > high[side] - low[side]) side = j;
  return side;
}

// Split across the widest side.
inline Halves median_split(Points points, i64 leaf, Pool& pool, Meter meter, double first_share = 0.5) {
  const auto by_widest_side = [&](i64, Keyed* items, i64 count) {
    const int side = widest_side(points, items, count);
    for (i64 i = 0; i < count; i++) items[i].key = points[items[i].item][side];
  };
  return split_at_medians(points.n, leaf, pool, meter, by_widest_side, first_share);
}

}  // namespace covey
