// Groups of a region while a search changes them, and the two elementary moves: relocate and exchange.
//
// With sums S of members and sizes m the SSE is a constant minus Σ|S|²/m, so a move costs O(d).
#pragma once
#include "region.hpp"

namespace covey {

// V vectors of eight floats in a row; 0 where that is known only when it runs.
template <int V>
class SearchState {
 public:
  SearchState(const Region& region, std::vector<i32> labels)
      : region(region), slot_(region.most + 1), labels_(std::move(labels)),
        members_(std::size_t(region.n_groups) * slot_) {
    sums_.assign_zeros(std::size_t(region.n_groups) * region.stride());
    slopes_.assign_zeros(region.stride());
    refill();
  }

  const Region& region;
  double work = 0.0;  // vectors of eight floats looked at, about

  i32 group_of(i32 x) const { return labels_[x]; }
  int size(i32 g) const { return members_[i64(g) * slot_]; }
  std::span<const i32> members(i32 g) const { return {&members_[i64(g) * slot_ + 1], std::size_t(size(g))}; }
  const std::vector<i32>& labels() const { return labels_; }
  int vectors() const { return V ? V : region.vectors; }

  bool has_free() const { return !free_.empty(); }
  i32 take_free() {
    const i32 g = free_.back();
    free_.pop_back();
    return g;
  }
  void give_free(i32 g) { free_.push_back(g); }

  // Members and sums from the labels: sums of floats drift with every move.
  void refill() {
    for (i32 g = 0; g < region.n_groups; g++) slot(g)[0] = 0;
    std::memset(sums_.get(), 0, std::size_t(region.n_groups) * region.stride() * sizeof(float));
    for (i32 x = 0; x < region.n; x++) join(x, labels_[x]);
    free_.clear();
    for (i32 g = region.n_groups - 1; g >= 0; g--)
      if (size(g) == 0) free_.push_back(g);
  }

  void leave(i32 x) {
    const i32 g = labels_[x];
    i32* of_g = slot(g);
    *std::find(of_g + 1, of_g + of_g[0], x) = of_g[of_g[0]];
    of_g[0]--;
    add(g, x, -1.0f);
  }
  void join(i32 x, i32 g) {
    i32* of_g = slot(g);
    of_g[++of_g[0]] = x;
    labels_[x] = g;
    add(g, x, 1.0f);
  }
  void relocate(i32 x, i32 g) {
    leave(x);
    join(x, g);
  }
  void exchange(i32 x, i32 y) {
    const i32 a = labels_[x], b = labels_[y];
    i32 *of_a = slot(a), *of_b = slot(b);
    *std::find(of_a + 1, of_a + of_a[0], x) = y;
    *std::find(of_b + 1, of_b + of_b[0], y) = x;
    labels_[x] = b;
    labels_[y] = a;
    const floats8 *p = row(x), *q = row(y);
    floats8 *s = sum(a), *t = sum(b);
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
    for (i32 x : members(g)) total += from_mean(x, g);
    return total;
  }

  // look(y, cost) for every member y of group g: by how much the SSE grows when x changes places with it.
  template <class Look>
  void each_exchange(i32 x, i32 g, Look&& look) {
    const i32 own = labels_[x];
    const float a = 1.0f / float(size(own)), b = 1.0f / float(size(g)), c = a + b;
    const floats8 *p = row(x), *s = sum(own), *t = sum(g);
    floats8* slope = as_vectors(slopes_.get());
    for (int v = 0; v < vectors(); v++) slope[v] = all_of(2.0f) * (s[v] * all_of(a) - t[v] * all_of(b));
    for (i32 y : members(g)) {
      const floats8* q = row(y);
      floats8 total{};
      for (int v = 0; v < vectors(); v++) {
        const floats8 change = q[v] - p[v];
        total += change * (slope[v] + all_of(c) * change);
      }
      look(y, -sum_of(total));
    }
  }

  float squared_distance(i32 x, i32 y) const {
    const floats8 *p = row(x), *q = row(y);
    floats8 total{};
    for (int v = 0; v < vectors(); v++) {
      const floats8 gap = p[v] - q[v];
      total += gap * gap;
    }
    return sum_of(total);
  }

 private:
  static const floats8* as_vectors(const float* row) { return reinterpret_cast<const floats8*>(row); }
  static floats8* as_vectors(float* row) { return reinterpret_cast<floats8*>(row); }
  i32* slot(i32 g) { return &members_[i64(g) * slot_]; }
  const floats8* row(i32 x) const { return as_vectors(region.row(x)); }
  const floats8* sum(i32 g) const { return as_vectors(sums_.get() + i64(g) * region.stride()); }
  floats8* sum(i32 g) { return as_vectors(sums_.get() + i64(g) * region.stride()); }

  void add(i32 g, i32 x, float sign) {
    floats8* s = sum(g);
    const floats8* p = row(x);
    for (int v = 0; v < vectors(); v++) s[v] += all_of(sign) * p[v];
  }
  float from_mean(i32 x, i32 g) const {
    const floats8 share = all_of(1.0f / float(size(g)));
    const floats8 *p = row(x), *s = sum(g);
    floats8 total{};
    for (int v = 0; v < vectors(); v++) {
      const floats8 gap = p[v] - s[v] * share;
      total += gap * gap;
    }
    return sum_of(total);
  }

  const int slot_;  // places of a group: its size, then its members
  std::vector<i32> labels_, members_, free_;
  Aligned<float> sums_, slopes_;
};

}  // namespace covey
