// Ruin and recreate: a few neighbouring groups are pooled, built anew at random and improved until nothing
// gains.
//
// The SSE of a group is W/m, with W the sum of squared distances over its pairs; with T, the sums of squared
// distances from each record to each group, moves inside a pool need no coordinates.
#pragma once
#include "anneal.hpp"

namespace covey {

template <int V>
class RuinRecreate {
 public:
  RuinRecreate(SearchState<V>& groups, Splitmix& chance)
      : groups_(groups), region_(groups.region), chance_(chance),
        room_((std::max(MOST_RECORDS, 2 * region_.most) + 7) / 8 * 8), records_(room_), homes_(room_), left_(room_),
        numbers_(std::max(MOST_RECORDS / region_.k, MOST_GROUPS) + 1), sizes_(numbers_.size()), inner_(numbers_.size()),
        shares_(numbers_.size()), own_(room_), gains_(room_) {
    squares_.assign_zeros(std::size_t(room_) * room_);
    ties_.assign_zeros(numbers_.size() * room_);
  }

  // So many pools, while the temperature falls from `hot` to 0.
  void run(i64 pools, double hot, const Meter& meter) {
    i64 x = i64(chance_.below(region_.n));
    for (i64 i = 0; i < pools; i++) {
      if (i % 16 == 0) meter.stop_if_told();
      if (i % REFILL == REFILL - 1) groups_.refill();
      // Records lie in space order: strides keep what is near in the cache, and random ones keep rounds
      // from pooling the same groups.
      x = (x + 1 + i64(chance_.next() & 31)) % region_.n;
      rebuild(i32(x), float(hot * (1.0 - double(i) / double(pools))));
    }
    groups_.work += double(pools) * 8.0;
    groups_.refill();
  }

 private:
  static constexpr int MOST_RECORDS = 64;  // in a pool, unless two groups have more
  static constexpr int MOST_GROUPS = 7;
  static constexpr i64 REFILL = 65'536;     // pools after which sums of floats are taken anew
  static constexpr float LEAST_GAIN = 1e-6f;  // a share of the SSE of the pool; less is rounding
  static constexpr int MOST_DESCENTS = 50;

  void rebuild(i32 x, float temperature) {
    const u64 word = chance_.next();
    gather(x, 2 + int((word & 0xFFFF) * (MOST_GROUPS - 1) >> 16));
    if (n_groups_ < 2) return;
    const int old = n_groups_;
    const float before = settle(old), limit = temperature * region_.scale(x) * exponential(word);
    const int count = sampled_count(int(word >> 40 & 3));
    build(count);
    descend(count);
    const float change = sse(count) - before;
    if (change >= limit || change == 0.0f) return;
    if (count > old) numbers_[old] = groups_.take_free();
    for (int i = 0; i < n_; i++) groups_.leave(records_[i]);
    for (int i = 0; i < n_; i++) groups_.join(records_[i], numbers_[homes_[i]]);
    if (count < old) groups_.give_free(numbers_[count]);
  }

  // Pool the group of x and up to `wanted` − 1 groups of its neighbours.
  void gather(i32 x, int wanted) {
    n_ = n_groups_ = 0;
    add_group(groups_.group_of(x));
    for (i32 z : region_.neighbours(x)) {
      if (n_groups_ == wanted) break;
      const i32 g = groups_.group_of(z);
      const auto end = numbers_.begin() + n_groups_;
      if (std::find(numbers_.begin(), end, g) == end && n_ + groups_.size(g) <= room_) add_group(g);
    }
    padded_ = (n_ + 7) / 8 * 8;
    for (int i = 0; i < n_; i++) {
      square(i, i) = 0.0f;
      for (int j = 0; j < i; j++) square(i, j) = square(j, i) = groups_.squared_distance(records_[i], records_[j]);
      for (int j = n_; j < padded_; j++) square(i, j) = 0.0f;
    }
    groups_.work += n_ * n_ * (groups_.vectors() + 1) / 2;
  }
  void add_group(i32 g) {
    for (i32 x : groups_.members(g)) {
      homes_[n_] = n_groups_;
      records_[n_++] = x;
    }
    numbers_[n_groups_++] = g;
  }

  // As many groups as before, or one more or less where their sizes allow it.
  int sampled_count(int choice) const {
    if (choice == 0 && (n_groups_ + 1) * region_.k <= n_ && groups_.has_free() && n_groups_ + 1 < int(numbers_.size()))
      return n_groups_ + 1;
    if (choice == 1 && (n_groups_ - 1) * region_.most >= n_) return n_groups_ - 1;
    return n_groups_;
  }

  // Randomised greedy: a seed and the k − 1 records nearest to the growing group, in turn.
  void build(int count) {
    clear(count);
    int left = n_;
    for (int i = 0; i < n_; i++) left_[i] = i;
    const auto take = [&](int place, int c) {
      const int i = left_[place];
      left_[place] = left_[--left];
      take_in(i, c);
    };
    for (int c = 0; c < count; c++) {
      take(seed(left), c);
      for (int more = 1; more < region_.k; more++) {
        const float* tie = ties(c);
        int best = 0;
        for (int place = 1; place < left; place++)
          if (tie[left_[place]] < tie[left_[best]]) best = place;
        take(best, c);
      }
    }
    while (left > 0) take(left - 1, cheapest(left_[left - 1], count));
    groups_.work += n_ * (n_ / 4 + 1);
  }
  // The place of a random record that is left, or of the one farthest from it.
  int seed(int left) {
    const u64 word = chance_.next();
    int place = int((word >> 32) * u64(left) >> 32);
    if (word & 1) return place;
    const float* from = &square(left_[place], 0);
    for (int i = 0; i < left; i++)
      if (from[left_[i]] > from[left_[place]]) place = i;
    return place;
  }
  int cheapest(int i, int count) const {
    int best = 0;
    float least = std::numeric_limits<float>::infinity();
    for (int c = 0; c < count; c++) {
      if (sizes_[c] >= region_.most) continue;
      const float cost = joining_cost(i, c);
      if (cost < least) {
        least = cost;
        best = c;
      }
    }
    return best;
  }

  // Relocate and exchange inside the pool while that lowers its SSE.
  void descend(int count) {
    const float least = LEAST_GAIN * sse(count);
    for (int i = n_; i < padded_; i++) homes_[i] = 0;
    refresh(count);
    bool improved = true;
    for (int round = 0; improved && round < MOST_DESCENTS; round++) {
      improved = false;
      for (int i = 0; i < n_; i++) {
        improved |= relocate_one(i, count, least);
        improved |= exchange_one(i, count, least);
      }
      groups_.work += n_ * (padded_ / 4 + count);
    }
  }
  void refresh(int count) {
    for (int i = 0; i < n_; i++) own_[i] = ties(homes_[i])[i];
    for (int c = 0; c < count; c++) shares_[c] = 1.0f / float(sizes_[c]);
  }
  bool relocate_one(int i, int count, float least) {
    const int a = homes_[i];
    if (sizes_[a] <= region_.k) return false;
    const float gain = inner_[a] * shares_[a] - (inner_[a] - ties(a)[i]) / float(sizes_[a] - 1);
    int best = -1;
    for (int b = 0; b < count; b++) {
      if (b == a || sizes_[b] >= region_.most) continue;
      const float net = gain - joining_cost(i, b);
      if (net > least) {
        least = net;
        best = b;
      }
    }
    if (best < 0) return false;
    let_go(i);
    take_in(i, best);
    refresh(count);
    return true;
  }
  bool exchange_one(int i, int count, float least) {
    const int a = homes_[i];
    const float own = ties(a)[i], share = shares_[a];
    const float *to_a = ties(a), *apart = &square(i, 0);
    for (int j = 0; j < n_; j++) {
      const int b = homes_[j];
      gains_[j] = (own - to_a[j] + apart[j]) * share + (own_[j] - ties(b)[i] + apart[j]) * shares_[b];
    }
    int best = -1;
    for (int j = 0; j < n_; j++)
      if (gains_[j] > least && homes_[j] != a) {
        least = gains_[j];
        best = j;
      }
    if (best < 0) return false;
    const int b = homes_[best];
    let_go(i);
    let_go(best);
    take_in(i, b);
    take_in(best, a);
    refresh(count);
    return true;
  }

  // Sizes, W and T from the homes, and the SSE.
  float settle(int count) {
    clear(count);
    for (int i = 0; i < n_; i++) take_in(i, homes_[i]);
    return sse(count);
  }
  void clear(int count) {
    for (int c = 0; c < count; c++) {
      sizes_[c] = 0;
      inner_[c] = 0.0f;
      std::fill_n(ties(c), padded_, 0.0f);
    }
  }
  float sse(int count) const {
    float total = 0.0f;
    for (int c = 0; c < count; c++) total += inner_[c] / float(sizes_[c]);
    return total;
  }
  float joining_cost(int i, int c) const {
    return (inner_[c] + ties(c)[i]) / float(sizes_[c] + 1) - inner_[c] / float(sizes_[c]);
  }
  void take_in(int i, int c) {
    homes_[i] = c;
    inner_[c] += ties(c)[i];
    sizes_[c]++;
    shift(ties(c), i, 1.0f);
  }
  void let_go(int i) {
    const int c = homes_[i];
    inner_[c] -= ties(c)[i];
    sizes_[c]--;
    shift(ties(c), i, -1.0f);
  }
  void shift(float* tie, int i, float sign) {
    floats8* t = reinterpret_cast<floats8*>(tie);
    const floats8* row = reinterpret_cast<const floats8*>(&square(i, 0));
    for (int v = 0; v < padded_ / 8; v++) t[v] += all_of(sign) * row[v];
  }
  float& square(int i, int j) { return squares_.get()[i * room_ + j]; }
  float* ties(int c) const { return ties_.get() + i64(c) * room_; }

  SearchState<V>& groups_;
  const Region& region_;
  Splitmix& chance_;
  const int room_;
  int n_ = 0, n_groups_ = 0, padded_ = 0;
  std::vector<i32> records_, homes_, left_, numbers_;  // homes_: the group in the pool, which is numbers_[it]
  std::vector<int> sizes_;
  std::vector<float> inner_, shares_, own_, gains_;  // inner_ is W
  Aligned<float> squares_, ties_;                     // ties_ are T
};

}  // namespace covey
