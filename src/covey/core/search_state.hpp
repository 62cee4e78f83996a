// The state of a search over partitions, and the two elementary moves: relocate and exchange.
//
// With group sums S and sizes m the SSE is a constant minus Σ|S|²/m, so a move costs O(d). Rows are
// floats, padded to whole vectors; what is kept in the end is judged in doubles.
#pragma once
#include "floats8.hpp"
#include "points.hpp"

namespace covey {

// What does not change while a search runs. Row x of `neighbours` has the nearest records of record x,
// nearest first; `scales[x]` is what a temperature of one means to it.
class SearchSpace {
 public:
  SearchSpace(Points points, const i32* neighbours, int n_neighbours, const double* scales, int k)
      : points(points), neighbours_(neighbours), n_neighbours(n_neighbours), k(k), most(2 * k - 1),
        n_groups(points.n / k), vectors((points.d + 7) / 8), scales_(scales, scales + points.n) {
    rows_.assign_zeros(std::size_t(points.n) * stride());
    for (i64 x = 0; x < points.n; x++)
      for (int j = 0; j < points.d; j++) rows_.get()[x * stride() + j] = float(points[x][j]);
    for (i64 x = 0; x < points.n; x++) mean_scale += scales[x] / double(points.n);
  }

  const Points points;
  const i32* const neighbours_;
  const int n_neighbours, k, most;
  const i64 n_groups;  // at most
  const int vectors;   // of eight floats in a row
  double mean_scale = 0.0;

  int stride() const { return 8 * vectors; }
  const float* row(i32 x) const { return rows_.get() + i64(x) * stride(); }
  i32 neighbour(i32 x, int place) const { return neighbours_[i64(x) * n_neighbours + place]; }
  float scale(i32 x) const { return scales_[x]; }

  double sse_of(const i32* members, int size) const {
    double total = 0.0;
    for (int j = 0; j < points.d; j++) {
      double mean = 0.0;
      for (int i = 0; i < size; i++) mean += points[members[i]][j];
      mean /= size;
      for (int i = 0; i < size; i++) {
        const double gap = points[members[i]][j] - mean;
        total += gap * gap;
      }
    }
    return total;
  }

 private:
  AlignedFloats rows_;
  std::vector<float> scales_;
};

// V vectors of eight floats in a row; 0 where that is known only when it runs.
template <int V>
class SearchState {
 public:
  explicit SearchState(const SearchSpace& space)
      : space(space), slot_((space.most + 1 + 7) / 8 * 8), labels_(space.points.n), members_(space.n_groups * slot_) {
    sums_.assign_zeros(std::size_t(space.n_groups) * space.stride());
  }

  const SearchSpace& space;

  i32 group_of(i32 x) const { return labels_[x]; }
  int size(i32 g) const { return members_[i64(g) * slot_]; }
  const i32* members(i32 g) const { return &members_[i64(g) * slot_ + 1]; }
  const float* sum(i32 g) const { return sums_.get() + i64(g) * space.stride(); }
  const std::vector<i32>& labels() const { return labels_; }

  void set(const std::vector<i32>& labels) {
    labels_ = labels;
    refill();
  }
  // Members and sums from the labels; sums of floats drift with every move.
  void refill() {
    for (i64 g = 0; g < space.n_groups; g++) members_[g * slot_] = 0;
    std::memset(sums_.get(), 0, std::size_t(space.n_groups) * space.stride() * sizeof(float));
    for (i32 x = 0; x < i32(labels_.size()); x++) {
      i32* slot = &members_[i64(labels_[x]) * slot_];
      slot[++slot[0]] = x;
      add(labels_[x], x, 1.0f);
    }
  }

  void leave(i32 x) {
    const i32 g = labels_[x];
    i32* slot = &members_[i64(g) * slot_];
    *std::find(slot + 1, slot + 1 + slot[0], x) = slot[slot[0]];
    slot[0]--;
    add(g, x, -1.0f);
  }
  void join(i32 x, i32 g) {
    i32* slot = &members_[i64(g) * slot_];
    slot[++slot[0]] = x;
    labels_[x] = g;
    add(g, x, 1.0f);
  }
  void relocate(i32 x, i32 g) {
    leave(x);
    join(x, g);
  }
  void exchange(i32 x, i32 y) {
    const i32 a = labels_[x], b = labels_[y];
    i32 *of_a = &members_[i64(a) * slot_], *of_b = &members_[i64(b) * slot_];
    *std::find(of_a + 1, of_a + 1 + of_a[0], x) = y;
    *std::find(of_b + 1, of_b + 1 + of_b[0], y) = x;
    labels_[x] = b;
    labels_[y] = a;
    const floats8 *p = vector_of(space.row(x)), *q = vector_of(space.row(y));
    floats8 *s = vector_of(sums_at(a)), *t = vector_of(sums_at(b));
    for (int v = 0; v < vectors(); v++) {
      const floats8 change = q[v] - p[v];
      s[v] += change;
      t[v] -= change;
    }
  }

  // By how much the SSE of a group grows when x joins it, and falls when x leaves its own.
  float joining_cost(i32 x, i32 g) const {
    const float m = float(size(g));
    return from_mean(x, g) * (m / (m + 1.0f));
  }
  float leaving_gain(i32 x) const {
    const float m = float(size(labels_[x]));
    return from_mean(x, labels_[x]) * (m / (m - 1.0f));
  }
  float sse(i32 g) const {
    float total = 0.0f;
    for (int i = 0; i < size(g); i++) total += from_mean(members(g)[i], g);
    return total;
  }

  // By how much the SSE grows when x changes places with each member of group g; work(y, cost).
  template <class Work>
  void each_exchange(i32 x, i32 g, Work&& work) const {
    const i32 own = labels_[x];
    const float a = 1.0f / float(size(own)), b = 1.0f / float(size(g)), c = a + b;
    const floats8 *p = vector_of(space.row(x)), *s = vector_of(sum(own)), *t = vector_of(sum(g));
    floats8 slope[V ? V : MOST_VECTORS];
    for (int v = 0; v < vectors(); v++) slope[v] = all_of(2.0f) * (s[v] * all_of(a) - t[v] * all_of(b));
    for (int i = 0; i < size(g); i++) {
      const floats8* q = vector_of(space.row(members(g)[i]));
      floats8 total{};
      for (int v = 0; v < vectors(); v++) {
        const floats8 change = q[v] - p[v];
        total += change * (slope[v] + all_of(c) * change);
      }
      work(members(g)[i], -sum_of(total));
    }
  }

  double total_sse() const {
    double total = 0.0;
    for (i32 g = 0; g < i32(space.n_groups); g++)
      if (size(g) > 0) total += space.sse_of(members(g), size(g));
    return total;
  }

  void prefetch_group(i32 g) const {
    __builtin_prefetch(&members_[i64(g) * slot_]);
    __builtin_prefetch(sum(g));
  }

 private:
  static constexpr int MOST_VECTORS = 64;  // more than 512 variables are searched in their first parts

  int vectors() const { return V ? V : space.vectors; }
  static const floats8* vector_of(const float* row) { return reinterpret_cast<const floats8*>(row); }
  static floats8* vector_of(float* row) { return reinterpret_cast<floats8*>(row); }
  float* sums_at(i32 g) { return sums_.get() + i64(g) * space.stride(); }

  void add(i32 g, i32 x, float sign) {
    floats8* s = vector_of(sums_at(g));
    const floats8* p = vector_of(space.row(x));
    for (int v = 0; v < vectors(); v++) s[v] += all_of(sign) * p[v];
  }
  float from_mean(i32 x, i32 g) const {
    const floats8 share = all_of(1.0f / float(size(g)));
    const floats8 *p = vector_of(space.row(x)), *s = vector_of(sum(g));
    floats8 total{};
    for (int v = 0; v < vectors(); v++) {
      const floats8 gap = p[v] - s[v] * share;
      total += gap * gap;
    }
    return sum_of(total);
  }

  int slot_;  // places of a group: its size, then its members
  std::vector<i32> labels_, members_;
  AlignedFloats sums_;
};

}  // namespace covey
