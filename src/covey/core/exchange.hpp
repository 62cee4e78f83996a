// Groups whose records change places, or move alone, whenever that lowers the SSE.
//
// With group sums S and sizes m, the SSE is a constant minus Σ|S|²/m, so a move costs O(d). Most pairs need not
// even that: with m the smallest size, x and y cannot gain when their distance is at least m/(m − 1) times
// their distances to the means of their groups together, as
// gain ≤ 2|x − y|·(|x − mean| + |y − mean| − |x − y|·(m − 1)/m).
#pragma once
#include <numeric>

#include "passes.hpp"
#include "splitmix.hpp"

namespace covey {

// Labels, members, sums and means of groups of up to `room` records.
class Groups {
 public:
  Groups(Points points, const i64* labels, i64 room)
      : points(points), room_(room), labels_(labels, labels + points.n), places_(points.n) {
    for (i32 g : labels_) count_ = std::max(count_, g + 1);
    members_.resize(i64(count_) * room);
    sizes_.assign(count_, 0);
    sums_.assign(i64(count_) * points.d, 0.0);
    means_.resize(i64(count_) * points.d);
    for (i32 x = 0; x < i32(points.n); x++) put(x, labels_[x]);
    for (i32 g = 0; g < count_; g++) renew_mean(g);
  }

  const Points points;

  i32 count() const { return count_; }
  i32 group_of(i32 x) const { return labels_[x]; }
  i32 size(i32 g) const { return sizes_[g]; }
  std::span<const i32> members(i32 g) const { return {&members_[g * room_], std::size_t(sizes_[g])}; }
  const double* mean(i32 g) const { return &means_[i64(g) * points.d]; }
  std::vector<i64> labels() const { return {labels_.begin(), labels_.end()}; }

  // By how much the SSE falls when x and y, of two groups, change places.
  double exchange_gain(i32 x, i32 y) const {
    const i32 a = labels_[x], b = labels_[y];
    const double *p = points[x], *q = points[y], *mean_a = mean(a), *mean_b = mean(b);
    double dot = 0.0, square = 0.0;
    for (int j = 0; j < points.d; j++) {
      const double delta = q[j] - p[j];
      dot += delta * (mean_a[j] - mean_b[j]);
      square += delta * delta;
    }
    return 2.0 * dot + square * (1.0 / sizes_[a] + 1.0 / sizes_[b]);
  }
  void exchange(i32 x, i32 y) {
    const i32 a = labels_[x], b = labels_[y];
    for (int j = 0; j < points.d; j++) {
      const double delta = points[y][j] - points[x][j];
      sums_[i64(a) * points.d + j] += delta;
      sums_[i64(b) * points.d + j] -= delta;
    }
    std::swap(labels_[x], labels_[y]);
    std::swap(places_[x], places_[y]);
    members_[b * room_ + places_[x]] = x;
    members_[a * room_ + places_[y]] = y;
    renew_mean(a);
    renew_mean(b);
  }
  void relocate(i32 x, i32 g) {
    const i32 a = labels_[x], last = members(a).back();
    members_[a * room_ + places_[x]] = last;
    places_[last] = places_[x];
    sizes_[a]--;
    for (int j = 0; j < points.d; j++) sums_[i64(a) * points.d + j] -= points[x][j];
    put(x, g);
    renew_mean(a);
    renew_mean(g);
  }

 private:
  void put(i32 x, i32 g) {
    labels_[x] = g;
    places_[x] = sizes_[g];
    members_[g * room_ + sizes_[g]++] = x;
    for (int j = 0; j < points.d; j++) sums_[i64(g) * points.d + j] += points[x][j];
  }
  void renew_mean(i32 g) {
    for (i64 j = i64(g) * points.d; j < i64(g + 1) * points.d; j++) means_[j] = sums_[j] / double(sizes_[g]);
  }

  i64 room_;
  i32 count_ = 0;
  std::vector<i32> labels_, places_;  // place of a record among the members of its group
  std::vector<i32> members_, sizes_;
  std::vector<double> sums_, means_;
};

// Exchanges between groups of at least `smallest` records, 2 or more.
class Exchange {
 public:
  Exchange(Groups& groups, i64 smallest)
      : groups(groups), d_(groups.points.d), stretch_(double(smallest)), shrink_(double(smallest - 1)),
        rows_(groups.points.n * stride()) {
    for (i64 x = 0; x < groups.points.n; x++) std::copy_n(groups.points[x], d_, &rows_[x * stride()]);
    for (i32 g = 0; g < groups.count(); g++) renew_reaches(g);
  }

  Groups& groups;

  // Whether x and y cannot gain by changing places, as most pairs cannot.
  bool too_far(i32 x, i32 y) const {
    const double *p = row(x), *q = row(y);
    const double reach = p[d_] + q[d_];
    return squared_distance(q, p, d_) >= reach * reach * SLACK;
  }
  bool gains(i32 x, i32 y) const {
    return !too_far(x, y) && groups.group_of(x) != groups.group_of(y) && groups.exchange_gain(x, y) > LEAST_GAIN;
  }
  bool try_exchange(i32 x, i32 y) {
    if (!gains(x, y)) return false;
    groups.exchange(x, y);
    renew_reaches(groups.group_of(x));
    renew_reaches(groups.group_of(y));
    return true;
  }

  // Draw `rate` of the records and pair each with any other at random; whether any were exchanged.
  bool random_pairs_pass(std::span<i32> records, double rate, Splitmix& chance) {
    const i64 count = std::max<i64>(i64(rate * double(records.size())), 1);
    chance.draw(records, count);
    bool improved = false;
    for (i64 begin = 0; begin < count; begin += BATCH) {
      const i64 n = std::min(BATCH, count - begin);
      i32 partners[BATCH];
      for (i64 i = 0; i < n; i++) {
        partners[i] = records[chance.index(i64(records.size()))];
        __builtin_prefetch(row(records[begin + i]));
        __builtin_prefetch(row(partners[i]));
      }
      for (i64 i = 0; i < n; i++) improved |= try_exchange(records[begin + i], partners[i]);
    }
    return improved;
  }

 private:
  static constexpr double SLACK = 1.0 + 1e-9;  // covers rounding where two records are just too far apart
  static constexpr i64 BATCH = 16;             // pairs that memory is asked for together

  int stride() const { return d_ + 1; }
  const double* row(i32 x) const { return &rows_[i64(x) * stride()]; }
  void renew_reaches(i32 g) {
    const double* mean = groups.mean(g);
    for (i32 x : groups.members(g)) {
      double* own = &rows_[i64(x) * stride()];
      own[d_] = std::sqrt(squared_distance(own, mean, d_)) * stretch_ / shrink_;
    }
  }

  int d_;
  double stretch_, shrink_;
  // The records, each with its reach: two gain nothing unless closer than their reaches together. One row has
  // all that most pairs need, so a random pair costs two looks into memory.
  std::vector<double> rows_;
};

}  // namespace covey
