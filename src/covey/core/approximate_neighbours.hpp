// Near neighbours where the true ones would take too long: with many variables a tree search looks at nearly
// everybody. Records that share a leaf of a random-projection tree (Dasgupta & Freund 2008) meet each other, in a
// few such trees, and then the neighbours of their neighbours (Dong, Moses & Li 2011).
//
// A list is the best of all a record has met, by distance and then by number, whatever the order in which it met
// them; and only the thread that has the record's turn writes it. So threads do not matter.
#pragma once
#include "floats8.hpp"
#include "median_split.hpp"
#include "splitmix.hpp"

namespace covey {

// How thoroughly to look: trees, most records of a leaf (at least 2 · count + 2, so that one tree fills all lists),
// rounds of neighbours' neighbours, and how many of the nearest count in these.
struct Acquaintance {
  int trees;
  i64 leaf;
  int rounds, friends;
  u64 seed;
};

class ApproximateNeighbours {
 public:
  ApproximateNeighbours(Points points, int count, Pool& pool, Meter meter)
      : points_(points),
        count_(count),
        room_(whole_vectors(count)),
        stride_(whole_vectors(points.d)),
        pool_(pool),
        meter_(meter),
        who_(points.n * room_, NOT_MET),
        squares_(points.n * room_, INF),
        rooms_(pool.size()) {
    const double largest = points.largest();
    unit_ = largest > 0.0 ? std::min(1.0 / largest, std::numeric_limits<double>::max()) : 1.0;
    rounding_ = std::sqrt(double(points.d)) * EPSILON;
    ratio_ = (stride_ + 8) * EPSILON;
    floats_.assign_zeros(std::size_t(points.n) * stride_);
    for (i64 x = 0; x < points.n; x++)
      for (int j = 0; j < points.d; j++) floats_.get()[x * stride_ + j] = float(points[x][j] * unit_);
  }

  void find(Acquaintance how) {
    for (int tree = 0; tree < how.trees; tree++) meet_in_leaves(how.leaf, how.seed + u64(tree));
    for (int round = 0; round < how.rounds; round++) meet_friends(std::min(how.friends, count_));
  }

  // The nearest met of each record, nearest first, and the squared distances to them.
  std::vector<i32> records() const { return listed(who_); }
  std::vector<double> squares() const { return listed(squares_); }

 private:
  static constexpr int LANES = 8, AHEAD = 6;
  static constexpr double EPSILON = 2.4e-7;  // four roundings of a float
  static constexpr i64 GRAIN = 64, FINEST = 32;
  static constexpr i32 NOT_MET = std::numeric_limits<i32>::max();  // everybody is before it

  // What a thread needs: records side by side, and who was met in a turn.
  struct Room {
    Aligned<float> blocks;
    std::vector<double> points;
    std::vector<i32> met, turn_of;
  };

  Points points_;
  int count_, room_, stride_;
  Pool& pool_;
  Meter meter_;
  double unit_, rounding_, ratio_;
  Aligned<float> floats_;
  std::vector<i32> who_;
  std::vector<double> squares_;
  std::vector<Room> rooms_;

  static int whole_vectors(int count) { return (count + LANES - 1) / LANES * LANES; }
  const float* row(i64 x) const { return floats_.get() + x * stride_; }

  const floats8* vectors(i64 x) const { return reinterpret_cast<const floats8*>(row(x)); }

  template <class Item>
  std::vector<Item> listed(const std::vector<Item>& lists) const {
    std::vector<Item> found(points_.n * count_);
    for (i64 x = 0; x < points_.n; x++) std::copy_n(lists.data() + x * room_, count_, found.data() + x * count_);
    return found;
  }

  // Trees take records in an order that no cache foresees.
  void fetch_list(i64 x) const {
    for (int i = 0; i < room_; i += LANES) __builtin_prefetch(squares_.data() + x * room_ + i);
    for (int i = 0; i < room_; i += 2 * LANES) __builtin_prefetch(who_.data() + x * room_ + i);
  }

  // The squared distance up to which records may be listed for x, in floats, with room for their rounding: that of
  // a distance no less than this one. `room` is infinite at first.
  float limit_of(i64 x, double& room) const {
    const double worst = squares_[x * room_ + count_ - 1];
    if (worst == INF) return std::numeric_limits<float>::infinity();
    if (room == INF) room = (2.0 * std::sqrt(worst) * unit_ + rounding_) * rounding_;
    return float((worst * unit_ * unit_ + room) * (1.0 + ratio_));
  }

  // Let y be among the nearest of x, if it is and was not yet; whether that changed the list.
  bool remember(i64 x, i32 y, const double* at_x, const double* at_y) {
    i32* who = who_.data() + x * room_;
    double* squares = squares_.data() + x * room_;
    i32 met = 0;
    for (int i = 0; i < room_; i++) met |= who[i] == y;
    if (met) return false;
    const double square = squared_distance(at_x, at_y, points_.d);
    int place = count_ - 1;
    if (!before(square, y, squares[place], who[place])) return false;
    for (; place > 0 && before(square, y, squares[place - 1], who[place - 1]); place--) {
      squares[place] = squares[place - 1];
      who[place] = who[place - 1];
    }
    squares[place] = square;
    who[place] = y;
    return true;
  }

  // -- leaves ---------------------------------------------------------------------------------

  // Records are split further than into leaves, so that near ones are near each other in a leaf too.
  void meet_in_leaves(i64 leaf, u64 seed) {
    const Halves halves = split_at_medians(points_.n, FINEST, pool_, meter_, [&](i64 node, Keyed* items, i64 count) {
      project(Splitmix(seed, u64(node)), items, count);
    });
    i64 n_leaves = i64(halves.starts.size()) - 1, parts = 1;
    for (; n_leaves > 1 && points_.n / (n_leaves / 2) <= leaf; n_leaves /= 2) parts *= 2;
    pool_.each(n_leaves, 1, [&](i64 i, int thread) {
      meter_.stop_if_told();
      const i64 start = halves.starts[i * parts], end = halves.starts[(i + 1) * parts];
      meet(halves.order.data() + start, end - start, rooms_[thread]);
    });
  }

  // Keys along the line through two records at random.
  void project(Splitmix chance, Keyed* items, i64 count) const {
    const int n_vectors = stride_ / LANES;
    const floats8* from = vectors(items[chance.below(count)].item);
    const floats8* to = vectors(items[chance.below(count)].item);
    for (i64 i = 0; i < count; i++) {
      if (i + AHEAD < count) __builtin_prefetch(row(items[i + AHEAD].item));
      const floats8* x = vectors(items[i].item);
      floats8 products{};
      for (int j = 0; j < n_vectors; j++) products += (to[j] - from[j]) * x[j];
      items[i].key = sum_of(products);
    }
  }

  // Let some records meet each other. Each starts with those beside it, so that few others come nearer.
  void meet(const i32* who, i64 count, Room& room) {
    const int d = points_.d;
    const i64 n_blocks = (count + LANES - 1) / LANES;
    i64 n_steps = 1;
    while (n_steps < n_blocks) n_steps *= 2;
    gather(who, count, room);
    const floats8* blocks = reinterpret_cast<const floats8*>(room.blocks.get());
    const double* points = room.points.data();
    for (i64 i = 0; i < count; i++) {
      if (i + 2 < count) fetch_list(who[i + 2]);
      const float* at = row(who[i]);
      double rounding = INF;
      float limit = limit_of(who[i], rounding);
      for (i64 step = 0; step < n_steps; step++) {
        const i64 block = (i / LANES) ^ step;
        if (block >= n_blocks) continue;
        floats8 distances{};
        for (int j = 0; j < d; j++) {
          const floats8 apart = blocks[block * d + j] - all_of(at[j]);
          distances += apart * apart;
        }
        unsigned near = at_most(distances, limit);
        const i64 left = count - block * LANES;
        if (left < LANES) near &= (1u << left) - 1;
        for (; near; near &= near - 1) {
          const i64 q = block * LANES + __builtin_ctz(near);
          if (q != i && remember(who[i], who[q], points + i * d, points + q * d)) limit = limit_of(who[i], rounding);
        }
      }
    }
  }

  // Copies side by side: floats of eight records to a vector, and doubles.
  void gather(const i32* who, i64 count, Room& room) const {
    const int d = points_.d;
    room.blocks.assign_zeros(std::size_t(count + LANES) * d);
    room.points.resize(count * d);
    for (i64 i = 0; i < count; i++) {
      if (i + AHEAD < count) {
        __builtin_prefetch(row(who[i + AHEAD]));
        __builtin_prefetch(points_[who[i + AHEAD]]);
      }
      float* to = room.blocks.get() + i / LANES * d * LANES + i % LANES;
      for (int j = 0; j < d; j++) to[j * LANES] = row(who[i])[j];
      std::copy_n(points_[who[i]], d, room.points.data() + i * d);
    }
  }

  // -- friends --------------------------------------------------------------------------------

  // Let all records meet the nearest of their nearest, as they were before this round.
  void meet_friends(int n_friends) {
    const i64 n = points_.n;
    std::vector<i32> friends(n * n_friends);
    for (i64 x = 0; x < n; x++) std::copy_n(who_.data() + x * room_, n_friends, friends.data() + x * n_friends);
    for (Room& room : rooms_) room.turn_of.clear();
    pool_.each((n + GRAIN - 1) / GRAIN, 1, [&](i64 part, int thread) {
      meter_.stop_if_told();
      Room& room = rooms_[thread];
      room.turn_of.resize(n, NOBODY);
      for (i64 x = part * GRAIN; x < std::min(n, (part + 1) * GRAIN); x++) {
        list_unmet(i32(x), friends, n_friends, room);
        meet_unmet(x, room.met);
      }
    });
  }

  // The friends of the friends of x that are not in its list, each once.
  void list_unmet(i32 x, const std::vector<i32>& friends, int n_friends, Room& room) const {
    room.turn_of[x] = x;
    for (int i = 0; i < count_; i++) room.turn_of[who_[x * i64(room_) + i]] = x;
    room.met.resize(n_friends * n_friends);
    for (int i = 0; i < n_friends; i++)
      __builtin_prefetch(friends.data() + i64(friends[i64(x) * n_friends + i]) * n_friends);
    int count = 0;
    for (int i = 0; i < n_friends; i++) {
      const i32* theirs = friends.data() + i64(friends[i64(x) * n_friends + i]) * n_friends;
      for (int q = 0; q < n_friends; q++) {
        room.met[count] = theirs[q];
        __builtin_prefetch(row(theirs[q]));
        count += room.turn_of[theirs[q]] != x;
        room.turn_of[theirs[q]] = x;
      }
    }
    room.met.resize(count);
  }

  void meet_unmet(i64 x, const std::vector<i32>& met) {
    double rounding = INF;
    float limit = limit_of(x, rounding);
    const floats8* at = vectors(x);
    for (std::size_t i = 0; i < met.size(); i++) {
      const floats8* other = vectors(met[i]);
      floats8 sums{};
      for (int j = 0; j < stride_ / LANES; j++) {
        const floats8 apart = at[j] - other[j];
        sums += apart * apart;
      }
      if (sum_of(sums) <= limit && remember(x, met[i], points_[x], points_[met[i]])) limit = limit_of(x, rounding);
    }
  }
};

}  // namespace covey
