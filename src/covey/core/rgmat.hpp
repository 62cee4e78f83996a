// RGMAT: halve the records recursively, exchanging records between the halves; then improve the leaves.
#pragma once
#include <tuple>

#include "crossover.hpp"
#include "neighbour_exchange.hpp"
#include "pool.hpp"
#include "quickselect.hpp"
#include "relocation.hpp"

namespace covey {

// See the parameters of RGMAT.
struct RgmatRules {
  i64 k;
  double rate;
  Limits limits;
  u64 seed;
};

class RecursiveSplit {
 public:
  RecursiveSplit(Points points, RgmatRules rules, Pool& pool, Meter meter)
      : points_(points), rules_(rules), pool_(pool), meter_(meter), order_(points.n), places_(points.n),
        begins_leaf_(points.n, 0), workers_(pool.size(), Worker{Crossover(points, places_.data()), {}, {}}) {
    std::iota(order_.begin(), order_.end(), 0);
  }

  // The leaf of each record. The tree is split level by level until its branches are many or small enough to be
  // worked side by side.
  std::vector<i64> leaves() {
    std::vector<Node> nodes{{0, points_.n, 1}};
    const i64 branch = std::max({points_.n / BRANCHES, SMALL_BRANCH, 4 * rules_.k});
    const auto is_large = [&](const Node& node) { return node.size() > branch; };
    while (std::any_of(nodes.begin(), nodes.end(), is_large)) {
      std::vector<Node> halves(2 * nodes.size());
      pool_.each(i64(nodes.size()), 1, [&](i64 i, int thread) {
        std::tie(halves[2 * i], halves[2 * i + 1]) = split(nodes[i], workers_[thread]);
      });
      nodes = std::move(halves);
    }
    pool_.each(i64(nodes.size()), 1, [&](i64 i, int thread) {
      split_to_leaves(nodes[i], workers_[thread]);
      meter_.add_done(nodes[i].size());
    });
    std::vector<i64> labels(points_.n);
    i64 leaf = -1;
    for (i64 i = 0; i < points_.n; i++) labels[order_[i]] = leaf += begins_leaf_[i];
    return labels;
  }

 private:
  // Branches are more than threads, because some take longer than others.
  static constexpr i64 BRANCHES = 32, SMALL_BRANCH = 2000;

  // The records `low` to `high` of the order.
  struct Node {
    i64 low, high;
    u64 number;

    i64 size() const { return high - low; }
  };
  struct Worker {
    Crossover crossover;
    std::vector<Keyed> by_distance;
    std::vector<double> mean;
  };

  void split_to_leaves(const Node& node, Worker& worker) {
    if (node.size() < 2 * rules_.k) {
      begins_leaf_[node.low] = 1;
      return;
    }
    const auto [left, right] = split(node, worker);
    split_to_leaves(left, worker);
    split_to_leaves(right, worker);
  }

  // Every node, of 2k records or more, has its own stream, so nodes can be worked in any order.
  std::pair<Node, Node> split(const Node& node, Worker& worker) {
    const i64 left_size = size_of_left(node.size()), middle = node.low + left_size;
    const std::span<i32> records(order_.data() + node.low, node.size());
    split_off_farthest(records, left_size, worker);
    Splitmix chance(rules_.seed, node.number);
    worker.crossover.run(records.first(left_size), records.subspan(left_size), rules_.rate, rules_.limits, chance,
                         meter_);
    return {{node.low, middle, 2 * node.number}, {middle, node.high, 2 * node.number + 1}};
  }

  // Largest multiple of 2 and k up to n/2; of k alone where that would be nothing.
  i64 size_of_left(i64 n) const {
    const i64 step = rules_.k % 2 == 0 ? rules_.k : 2 * rules_.k, size = n / 2 / step * step;
    return size > 0 ? size : n / 2 / rules_.k * rules_.k;
  }

  // Bring the record farthest from the mean, with its nearest, `count` in all, to the front.
  void split_off_farthest(std::span<i32> records, i64 count, Worker& worker) const {
    std::vector<double>& mean = worker.mean;
    mean.assign(points_.d, 0.0);
    for (i32 record : records)
      for (int j = 0; j < points_.d; j++) mean[j] += points_[record][j];
    for (double& coordinate : mean) coordinate /= double(records.size());
    i32 seed = NOBODY;
    double farthest = -1.0;
    for (i32 record : records) {
      const double distance = squared_distance(points_[record], mean.data(), points_.d);
      if (distance > farthest || (distance == farthest && record < seed)) seed = record, farthest = distance;
    }
    std::vector<Keyed>& by_distance = worker.by_distance;
    by_distance.clear();
    for (i32 record : records) {
      const double distance = squared_distance(points_[record], points_[seed], points_.d);
      by_distance.push_back({record == seed ? -1.0 : distance, record});
    }
    bring_smallest(by_distance.data(), i64(records.size()), count);
    for (std::size_t i = 0; i < records.size(); i++) records[i] = by_distance[i].item;
  }

  Points points_;
  RgmatRules rules_;
  Pool& pool_;
  Meter meter_;
  std::vector<i32> order_;  // each node of the tree is a stretch of it
  std::vector<double> places_;
  std::vector<std::uint8_t> begins_leaf_;
  std::vector<Worker> workers_;
};

// The paper's RGMAT: leaves of the recursion, whose mutation moves records to better ones. Only n mod k records
// are more than leaves need, so few are ever in a leaf that can spare one.
inline std::vector<i64> rgmat_leaves(Points points, RgmatRules rules, double mutation_rate, Pool& pool, Meter meter) {
  Groups groups(points, RecursiveSplit(points, rules, pool, meter).leaves().data(), 2 * rules.k - 1);
  Splitmix chance(rules.seed, 0);
  Relocation(groups, i32(rules.k)).run(mutation_rate, chance, meter);
  return groups.labels();
}

// Labels after exchanges of records between leaves and the `width` leaves `close` to each.
inline std::vector<i64> after_leaf_exchanges(Points points, const i64* labels, const i64* close, i64 width,
                                             RgmatRules rules, Meter meter) {
  Groups groups(points, labels, 2 * rules.k - 1);
  Exchange exchange(groups, rules.k);
  NeighbourExchange neighbours(exchange, close, width, rules.k);
  Splitmix chance(rules.seed + 1, 0);
  for (Series series(rules.limits, meter); series.goes_on() && !neighbours.all_settled();)
    series.note_pass(neighbours.pass(rules.rate, chance));
  return groups.labels();
}

}  // namespace covey
