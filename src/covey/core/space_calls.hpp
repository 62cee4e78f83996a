// Neighbours, cuts of space and priced groups as Python calls them.
#pragma once
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include "approximate_neighbours.hpp"
#include "border.hpp"
#include "cut_tree.hpp"
#include "median_split.hpp"
#include "pricing.hpp"

namespace covey {

// Records in an order in which near ones are mostly near each other.
inline Labels median_order(Matrix values, i64 leaf, int threads, Meters meter) {
  const Points points = as_points(values);
  require(leaf >= 1, "a leaf has at least one record");
  std::vector<i64> order(points.n);
  {
    nb::gil_scoped_release others_may_run;
    Threads held(threads);
    const Halves halves = median_split(points, leaf, held.pool(), Meter(meter.data()));
    std::copy(halves.order.begin(), halves.order.end(), order.begin());
  }
  return as_array(std::move(order));
}

inline std::pair<Rows<i32>, Rows<double>> approximate_neighbours(Matrix values, i64 count, int trees, i64 leaf,
                                                                 int rounds, int friends, i64 seed, int threads,
                                                                 Meters meter) {
  const Points points = as_rows(values);
  require_finite(points.rows, points.n * points.d);  // distances that overflow are the farthest
  require(count >= 1 && count < points.n && count < (1 << 24), "there are not so many neighbours");
  require(trees >= 1 && leaf >= 2 * count + 2, "lists would not be filled");
  require(trees <= 10'000 && rounds >= 0 && rounds <= 10'000, "amounts are out of range");
  require(friends >= 1 && friends <= 4096, "amounts are out of range");
  std::vector<i32> records;
  std::vector<double> squares;
  {
    nb::gil_scoped_release others_may_run;
    Threads held(threads);
    ApproximateNeighbours found(points, int(count), held.pool(), Meter(meter.data()));
    found.find({trees, leaf, rounds, friends, u64(seed)});
    records = found.records();
    squares = found.squares();
  }
  return {as_matrix(std::move(records), count), as_matrix(std::move(squares), count)};
}

// The node of a tree of cuts at which each point ends; see cut_tree.hpp.
inline Labels cut_tree_leaves(Matrix values, Numbers sides, Vector cuts, Numbers lower, Numbers upper, int threads) {
  const Points points = as_rows(values);
  const i64 n_nodes = i64(sides.shape(0));
  require(n_nodes >= 1 && i64(cuts.shape(0)) == n_nodes && i64(lower.shape(0)) == n_nodes &&
              i64(upper.shape(0)) == n_nodes,
          "lengths differ");
  for (i64 node = 0; node < n_nodes; node++) {
    if (sides.data()[node] < 0) continue;
    const i64 low = lower.data()[node], high = upper.data()[node];
    require(sides.data()[node] < points.d, "a number is out of range");
    require(node < low && low < n_nodes && node < high && high < n_nodes, "nodes come after the one above them");
  }
  std::vector<i64> leaves;
  {
    nb::gil_scoped_release others_may_run;
    Threads held(threads);
    const CutTree tree(n_nodes, sides.data(), cuts.data(), lower.data(), upper.data());
    leaves = tree.leaves_of(points, held.pool());
  }
  return as_array(std::move(leaves));
}

// Lower bounds on the reduced costs below each leader, whether all searches were complete, and the groups found.
inline std::tuple<Array<double>, bool, Rows<i64>> price_groups(Matrix values, Vector prices, Matrix near, Numbers sizes,
                                                               double limit, i64 patience, i64 kept, int threads,
                                                               Meters meter) {
  const Points points = as_points(values), sums = as_rows(near);
  require(i64(prices.shape(0)) == points.n && sums.n == points.n, "lengths differ");
  require(sizes.shape(0) >= 1 && kept >= 1 && kept <= 10'000, "amounts are out of range");
  require_finite(prices.data(), points.n);
  require_finite(sums.rows, sums.n * sums.d);
  for (std::size_t i = 0; i < sizes.shape(0); i++)
    require(sizes.data()[i] >= 2 && sizes.data()[i] <= sums.d + 1, "sizes are out of range");
  Pricing::Rules rules{{sizes.data(), sizes.data() + sizes.shape(0)}, limit, patience, int(kept)};
  std::vector<double> lower;
  std::vector<i64> groups;
  bool complete;
  int width;
  {
    nb::gil_scoped_release others_may_run;
    Threads held(threads);
    const Pricing::Priced records{points, prices.data(), near.data(), sums.d};
    Finds finds = Pricing(records, rules, held.pool(), Meter(meter.data())).find();
    complete = finds.all_complete();
    width = finds.width;
    groups = finds.groups();
    lower = std::move(finds.lower);
  }
  return {as_array(std::move(lower)), complete, as_matrix(std::move(groups), width)};
}

}  // namespace covey
