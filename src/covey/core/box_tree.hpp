// The records that have no group yet, in a kd-tree that shrinks as records leave.
//
// Records lie in blocks of sixteen floats, one variable after the other, so that a block is compared
// at once; each leaf is a block, and each node knows the box around its records. A tree without nodes
// is one long leaf. Of twins only the first has a place, and stands for the others.
#pragma once
#include <numeric>

#include "floats8.hpp"
#include "pool.hpp"
#include "twins.hpp"

namespace covey {

class BoxTree {
 public:
  static constexpr int WIDTH = 16, SIBLINGS = 8;

  // Coordinates become floats of at most one: those of the records, and others up to `reach`.
  BoxTree(Points points, Pool& pool, double reach)
      : points_(points), pool_(pool), twins_(points), sides_(2 * points.d + 1),
        places_(points.n, NOBODY) {
    const double largest = std::max(reach, points.largest());
    unit_ = largest > 0.0 ? std::min(1.0 / largest, std::numeric_limits<double>::max()) : 1.0;
  }

  const Points& points() const { return points_; }
  const Twins& twins() const { return twins_; }
  // How many different records it holds, and how many it was built of.
  i64 size() const { return std::accumulate(counts_.begin(), counts_.begin() + std::max<i64>(branches_, 1), i64(0)); }
  i64 built() const { return built_; }
  bool is_tree() const { return n_groups_ > 0; }

  // Hold `live`, which is reordered; as a plain scan when `scan`. Twins of those in it come with them.
  void build(std::vector<i32>& live, bool scan) {
    std::erase_if(live, [&](i32 record) { return !twins_.is_first(record); });
    built_ = i64(live.size());
    shape(scan);
    const std::vector<i64> starts = split(live);
    const i64 chunk = 64;
    pool_.each((n_leaves_ + chunk - 1) / chunk, 1, [&](i64 part, int) {
      for (i64 leaf = part * chunk; leaf < std::min(n_leaves_, (part + 1) * chunk); leaf++)
        fill(leaf, live.data() + starts[leaf], starts[leaf + 1] - starts[leaf]);
    });
    for (i64 group = n_groups_ - 1; group > 0; group--) lift(group);
  }

  // Take records out, subtrees side by side.
  void remove(const std::vector<i32>& gone) {
    const i64 second = branches_ * SIBLINGS;  // nodes of the second level
    if (pool_.size() == 1 || gone.size() < 64 || n_leaves_ < 4 * second) {
      for (i32 record : gone) remove(record, 1);
      return;
    }
    const i64 share = n_leaves_ / second;
    parts_.resize(second);
    for (auto& part : parts_) part.clear();
    for (std::size_t i = 0; i < gone.size(); i++) {
      if (i + FETCHED_AHEAD < gone.size()) __builtin_prefetch(&place_of(gone[i + FETCHED_AHEAD]));
      parts_[place_of(gone[i]) / capacity_ / share].push_back(gone[i]);
    }
    pool_.each(second, 1, [&](i64 part, int) {
      for (i32 record : parts_[part]) remove(record, 1 + branches_);
    });
    for (i64 group = branches_; group > 0; group--) lift(group);
  }

  // The live records as they lie in the tree, the first for all twins: visit(record, its number in
  // this order).
  template <class Visit>
  void visit_all(Visit&& visit) const {
    const i64 chunk = std::max<i64>(1, n_leaves_ / (8 * pool_.size()) + 1);
    const i64 parts = (n_leaves_ + chunk - 1) / chunk;
    std::vector<i64> first(parts + 1, 0);
    for (i64 leaf = 0; leaf < n_leaves_; leaf++)
      first[leaf / chunk + 1] += counts_[first_leaf_ + leaf];
    for (i64 part = 0; part < parts; part++) first[part + 1] += first[part];
    pool_.each(parts, 1, [&](i64 part, int) {
      i64 number = first[part];
      for (i64 leaf = part * chunk; leaf < std::min(n_leaves_, (part + 1) * chunk); leaf++)
        for (i64 i = 0; i < counts_[first_leaf_ + leaf]; i++) visit(ids_[leaf * capacity_ + i], number++);
    });
  }

 protected:
  static constexpr float FAR_AWAY = std::numeric_limits<float>::infinity();

  Points points_;
  Pool& pool_;
  Twins twins_;
  int sides_;  // of a box: low and high of each variable, and the largest squared norm
  double unit_;
  i64 built_ = 0, n_leaves_ = 0, capacity_ = 0, branches_ = 0, first_leaf_ = 0, n_groups_ = 0;
  std::vector<i32> ids_, counts_;
  Aligned<double> rows_;  // as the ids: whoever is compared lies beside others that are

  const double* row(i64 place) const { return rows_.get() + place * points_.d; }
  float* block(i64 b) const { return blocks_.get() + b * points_.d * WIDTH; }
  float* box(i64 group) const { return boxes_.get() + group * sides_ * SIBLINGS; }
  // Nodes come in groups of eight siblings. The first group is the root's, of `branches_` children;
  // the groups of each level follow in the order of their parents.
  i64 children(i64 node) const {
    return node < SIBLINGS ? node + 1 : node + 1 + branches_ - SIBLINGS;
  }
  float as_float(double x) const { return float(x * unit_); }

 private:
  static constexpr std::size_t FETCHED_AHEAD = 8;  // from memory, before they are needed

  struct Keyed {
    double key;
    i32 record;
  };

  Aligned<float> blocks_, boxes_;
  std::vector<i32> places_;  // by the lead of twins
  std::vector<std::vector<i32>> parts_;

  i32& place_of(i32 record) { return places_[twins_.lead(record)]; }
  float* side_of(i64 node) const { return box(node / SIBLINGS) + node % SIBLINGS; }
  i64 parent(i64 group) const {
    return group <= branches_ ? group - 1 : group - 1 - branches_ + SIBLINGS;
  }

  // -- building -------------------------------------------------------------------------------

  void shape(bool scan) {
    const i64 n_blocks = std::max<i64>((built_ + WIDTH - 1) / WIDTH, 1);
    n_leaves_ = 1;
    while (!scan && n_leaves_ < n_blocks) n_leaves_ *= 2;
    capacity_ = n_leaves_ == 1 ? n_blocks * WIDTH : WIDTH;
    branches_ = n_leaves_;
    n_groups_ = n_leaves_ == 1 ? 0 : 1;
    while (branches_ > SIBLINGS) branches_ /= SIBLINGS;
    i64 level = 1, first_group = 0;
    while (level * SIBLINGS < n_leaves_) {
      level = level == 1 ? branches_ : level * SIBLINGS;
      first_group = n_groups_;
      n_groups_ += level;
    }
    first_leaf_ = first_group * SIBLINGS;
    blocks_.resize(std::size_t(n_leaves_ * capacity_) * points_.d);
    boxes_.resize(std::size_t(std::max<i64>(n_groups_, 1)) * sides_ * SIBLINGS);
    for (i64 node = 0; node < n_groups_ * SIBLINGS; node++) clear(node);
    ids_.assign(n_leaves_ * capacity_, NOBODY);
    rows_.resize(ids_.size() * points_.d);
    std::fill(places_.begin(), places_.end(), NOBODY);
    counts_.assign(std::max<i64>(n_groups_ * SIBLINGS, 1), 0);
  }

  void clear(i64 node) {
    float* to = side_of(node);
    for (int j = 0; j < sides_; j++)
      to[j * SIBLINGS] = j < points_.d ? FAR_AWAY : j < 2 * points_.d ? -FAR_AWAY : -1.0f;
  }

  // Halve at the widest side, in whole blocks; where each leaf starts.
  std::vector<i64> split(std::vector<i32>& live) {
    std::vector<i64> starts{0, built_}, next;
    std::vector<Keyed> keyed(n_leaves_ > 1 ? built_ : 0);
    for (i64 nodes = 1; nodes < n_leaves_; nodes *= 2) {
      next.assign(2 * nodes + 1, built_);
      pool_.each(nodes, 1, [&](i64 node, int) {
        const i64 start = starts[node], end = starts[node + 1];
        const i64 n_blocks = (end - start + WIDTH - 1) / WIDTH;
        const i64 middle = std::min(end, start + (n_blocks + 1) / 2 * WIDTH);
        next[2 * node] = start;
        next[2 * node + 1] = middle;
        if (middle < end) halve(live.data(), keyed.data(), start, middle, end);
      });
      starts.swap(next);
    }
    return starts;
  }

  void halve(i32* live, Keyed* keyed, i64 start, i64 middle, i64 end) const {
    const int side = widest(live + start, end - start);
    for (i64 i = start; i < end; i++) keyed[i] = {points_[live[i]][side], live[i]};
    std::nth_element(keyed + start, keyed + middle, keyed + end, [](const Keyed& a, const Keyed& b) {
      return before(a.key, a.record, b.key, b.record);
    });
    for (i64 i = start; i < end; i++) live[i] = keyed[i].record;
  }

  int widest(const i32* records, i64 count) const {
    std::vector<double> low(points_.d, INF), high(points_.d, -INF);
    for (i64 i = 0; i < count; i++) {
      const double* x = points_[records[i]];
      for (int j = 0; j < points_.d; j++) {
        low[j] = std::min(low[j], x[j]);
        high[j] = std::max(high[j], x[j]);
      }
    }
    int side = 0;
    for (int j = 1; j < points_.d; j++)
      if (high[j] - low[j] > high[side] - low[side]) side = j;
    return side;
  }

  void fill(i64 leaf, const i32* records, i64 count) {
    for (i64 i = 0; i < count; i++) {
      const i64 place = leaf * capacity_ + i;
      ids_[place] = records[i];
      place_of(records[i]) = i32(place);
      std::copy_n(points_[records[i]], points_.d, rows_.get() + place * points_.d);
      float* to = block(place / WIDTH) + place % WIDTH;
      for (int j = 0; j < points_.d; j++) to[j * WIDTH] = as_float(points_[records[i]][j]);
    }
    counts_[first_leaf_ + leaf] = i32(count);
    if (is_tree()) surround(leaf);
  }

  // The box around a leaf of one block.
  void surround(i64 leaf) {
    const i64 node = first_leaf_ + leaf;
    float* to = side_of(node);
    float norms[WIDTH] = {};
    for (int j = 0; j < points_.d; j++) {
      float low = FAR_AWAY, high = -FAR_AWAY;
      const float* x = block(leaf) + j * WIDTH;
      for (int c = 0; c < counts_[node]; c++) {
        low = std::min(low, x[c]);
        high = std::max(high, x[c]);
        norms[c] += x[c] * x[c];
      }
      to[j * SIBLINGS] = low;
      to[(points_.d + j) * SIBLINGS] = high;
    }
    to[2 * points_.d * SIBLINGS] = *std::max_element(norms, norms + std::max(counts_[node], 1));
  }

  // The box and count of the node above a group.
  void lift(i64 group) {
    const i64 node = parent(group);
    counts_[node] = 0;
    for (int c = 0; c < SIBLINGS; c++) counts_[node] += counts_[group * SIBLINGS + c];
    join(group, node);
  }

  // Put the box of a node around those of its children; whether that changed it. Boxes around nobody
  // are turned inside out and change nothing.
  bool join(i64 group, i64 node) {
    float* to = side_of(node);
    const floats8* from = reinterpret_cast<const floats8*>(box(group));
    bool changed = false;
    for (int j = 0; j < sides_; j++) {
      float side = from[j][0];
      for (int c = 1; c < SIBLINGS; c++)
        side = j < points_.d ? std::min(side, from[j][c]) : std::max(side, from[j][c]);
      changed |= side != to[j * SIBLINGS];
      to[j * SIBLINGS] = side;
    }
    return changed;
  }

  // -- removing -------------------------------------------------------------------------------

  // Boxes shrink in the groups from `top` on.
  void remove(i32 record, i64 top) {
    const i64 place = place_of(record), leaf = place / capacity_;
    const bool first = twins_.is_first(record);
    twins_.leave(record);
    if (!first) return;
    if (const i32 twin = twins_.next(record); twin != NOBODY) {
      ids_[place] = twin;
      return;
    }
    i64 node = first_leaf_ + leaf;
    const bool edge = is_tree() && on_edge(node, place);
    const i64 last = leaf * capacity_ + --counts_[node];
    float* to = block(place / WIDTH) + place % WIDTH;
    const float* from = block(last / WIDTH) + last % WIDTH;
    for (int j = 0; j < points_.d; j++) to[j * WIDTH] = from[j * WIDTH];
    ids_[place] = ids_[last];
    std::copy_n(row(last), points_.d, rows_.get() + place * points_.d);
    place_of(ids_[last]) = i32(place);
    place_of(record) = NOBODY;
    if (is_tree()) shrink(leaf, edge, top);
  }

  bool on_edge(i64 node, i64 place) const {
    const float* side = side_of(node);
    const float* x = block(place / WIDTH) + place % WIDTH;
    float norm = 0.0f;
    for (int j = 0; j < points_.d; j++, x += WIDTH) {
      if (*x == side[j * SIBLINGS] || *x == side[(points_.d + j) * SIBLINGS]) return true;
      norm += *x * *x;
    }
    return norm == side[2 * points_.d * SIBLINGS];
  }

  void shrink(i64 leaf, bool changed, i64 top) {
    if (changed) counts_[first_leaf_ + leaf] ? surround(leaf) : clear(first_leaf_ + leaf);
    for (i64 group = (first_leaf_ + leaf) / SIBLINGS; group >= top;) {
      const i64 node = parent(group);
      counts_[node]--;
      if (changed) changed = join(group, node);
      group = node / SIBLINGS;
    }
  }
};

}  // namespace covey
