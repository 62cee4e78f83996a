// Groups that cost less than the prices of their records, or proof that there are none.
//
// Every record has a price. The reduced cost of a group is its SSE less the prices of its members. Records lie in
// order of falling price, and a group is found from its first member, its leader: the groups of a partition have
// different leaders.
#pragma once
#include "branch_and_bound.hpp"
#include "meter.hpp"
#include "pool.hpp"

namespace covey {

// What was found below each leader: the counts[i] best groups, the cheapest first, of at most `kept`. Rows of
// `members` are filled up with −1. No group led by i costs less than lower[i] ≤ 0, whether the search below it was
// complete[i] or not.
struct Finds {
  Finds(i64 n, int kept, int width)
      : kept(kept), width(width), lower(n), complete(n), counts(n), costs(n * kept), members(n * kept * width) {}

  int kept, width;
  std::vector<double> lower;
  std::vector<char> complete;
  std::vector<i64> counts;
  std::vector<double> costs;
  std::vector<i64> members;

  // Only groups below this are of interest: the limit, or the worst of a full list.
  double wanted(i64 leader, double limit) const {
    return counts[leader] == kept ? costs[(leader + 1) * kept - 1] : limit;
  }

  bool all_complete() const { return std::find(complete.begin(), complete.end(), 0) == complete.end(); }

  // The members of all groups that were found, a row each.
  std::vector<i64> groups() const {
    std::vector<i64> found;
    for (std::size_t leader = 0; leader < counts.size(); leader++) {
      const i64* first = members.data() + i64(leader) * kept * width;
      found.insert(found.end(), first, first + counts[leader] * width);
    }
    return found;
  }

  // Put a group in its place among the best of its leader.
  void keep(i64 leader, double cost, const std::vector<i64>& group) {
    i64 place = std::min<i64>(counts[leader], kept - 1);
    counts[leader] = place + 1;
    double* all_costs = costs.data() + leader * kept;
    i64* all_members = members.data() + leader * kept * width;
    for (; place > 0 && all_costs[place - 1] > cost; place--) {
      all_costs[place] = all_costs[place - 1];
      std::copy_n(all_members + (place - 1) * width, width, all_members + place * width);
    }
    all_costs[place] = cost;
    i64* to = all_members + place * width;
    std::fill(std::copy(group.begin(), group.end(), to), to + width, NOBODY);
  }
};

class Pricing {
 public:
  using Priced = BranchAndBound::Priced;

  // Groups of one of the `sizes` with a reduced cost below `limit` ≥ 0. A search below a leader looks at about
  // `patience` branches; what it leaves out counts with its bound.
  struct Rules {
    std::vector<i64> sizes;
    double limit;
    i64 patience;
    int kept;
  };

  Pricing(const Priced& records, const Rules& rules, Pool& pool, Meter meter)
      : records_(records), rules_(rules), pool_(pool), meter_(meter) {}

  // The meter counts leaders.
  Finds find() {
    const i64 n = records_.points.n;
    Finds finds(n, rules_.kept, int(*std::max_element(rules_.sizes.begin(), rules_.sizes.end())));
    std::vector<Room> rooms;
    for (int thread = 0; thread < pool_.size(); thread++) rooms.emplace_back(records_);
    pool_.each(n, 1, [&](i64 leader, int thread) {
      price_leader(leader, rooms[thread], finds);
      meter_.add_done(1);
    });
    return finds;
  }

 private:
  // With more candidates than this there is no search, only its bound: distances take memory.
  static constexpr std::size_t MOST_CANDIDATES = 3000;

  // What a thread needs.
  struct Room {
    explicit Room(const Priced& records) : branches(records) {}

    BranchAndBound branches;
    std::vector<double> distances, keys, least;
    std::vector<i32> candidates;
    std::vector<i64> group;
  };

  const Priced& records_;
  const Rules& rules_;
  Pool& pool_;
  Meter meter_;

  void price_leader(i64 leader, Room& room, Finds& finds) const {
    const Points& points = records_.points;
    room.distances.resize(points.n);
    for (i64 j = leader + 1; j < points.n; j++)
      room.distances[j] = squared_distance(points[j], points[leader], points.d);
    i64 left = rules_.patience;
    for (i64 size : rules_.sizes)
      if (size <= points.n - leader) left = price_size(leader, int(size), left, room, finds);
    if (finds.counts[leader] > 0)
      finds.lower[leader] = std::min(finds.lower[leader], finds.costs[leader * finds.kept]);
    finds.complete[leader] = left >= 0;
  }

  // Find groups of one size; the patience that is left, below zero if it was not enough.
  i64 price_size(i64 leader, int size, i64 left, Room& room, Finds& finds) const {
    const i64 first = leader + 1, count = records_.points.n - first;
    const int rest = size - 1;
    room.keys.resize(count);
    room.least.resize(rest);
    for (i64 q = 0; q < count; q++) {
      const double distance = room.distances[first + q] + 0.5 * records_.near_sum(first + q, rest - 1);
      room.keys[q] = distance / size - records_.prices[first + q];
    }
    const double price = records_.prices[leader], space = finds.wanted(leader, rules_.limit) + price;
    const double cut = BranchAndBound::cut_off(std::size_t(count), rest, space, room.least.data(),
                                               [&](std::size_t q) { return room.keys[q]; });
    if (cut == -INF) return left;
    room.candidates.clear();
    for (i64 q = 0; q < count; q++)
      if (room.keys[q] < cut) room.candidates.push_back(i32(first + q));
    if (room.candidates.size() > MOST_CANDIDATES) {
      finds.lower[leader] = std::min(finds.lower[leader], sum_of(room.least.data(), rest) - price);
      return -1;
    }
    return search(leader, size, left, room, finds);
  }

  i64 search(i64 leader, int size, i64 left, Room& room, Finds& finds) const {
    BranchAndBound& branches = room.branches;
    const auto wanted = [&] { return finds.wanted(leader, rules_.limit); };
    branches.start(leader, size, room.distances.data(), room.candidates, wanted());
    room.group.assign(size, leader);
    for (int level = 0; level >= 0;) {
      const double bound = branches.least_cost(level);
      if (bound >= wanted()) {
        level--;
        continue;
      }
      if (left < 0) {
        finds.lower[leader] = std::min(finds.lower[leader], bound);
        level--;
        continue;
      }
      meter_.stop_if_told();
      left--;
      room.group[level + 1] = branches.take(level);
      if (level == size - 2)
        finds.keep(leader, bound, room.group);
      else
        branches.descend(level++, wanted());
    }
    return left;
  }
};

}  // namespace covey
