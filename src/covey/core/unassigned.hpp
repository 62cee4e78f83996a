// Who has no group yet, and what leaves with each record that gets one.
#pragma once
#include "live_tree.hpp"
#include "meter.hpp"

namespace covey {

// Searches are done ahead of time in a tree that is brought up to date only before a batch of them:
// `alive` is true to the moment, the tree to the last `sync`.
class Unassigned {
 public:
  // Below `scan_below` records a plain scan is faster than a tree.
  Unassigned(Points points, i64 scan_below, Pool& pool, i64* labels, Meter meter)
      : tree(points, pool), pool(pool), labels_(labels), alive_(points.n, 1), total_(points.d, 0.0),
        size_(points.n), scan_below_(scan_below), meter_(meter) {
    std::fill(labels, labels + points.n, -1);
    for (i64 i = 0; i < points.n; i++)
      for (int j = 0; j < points.d; j++) total_[j] += points[i][j];
    rebuild();
  }

  LiveTree tree;
  Pool& pool;

  i64 size() const { return size_; }
  i64 group() const { return group_; }
  bool is_alive(i32 record) const { return alive_[record]; }
  // The record or, once it has left, the first of its twins that is there.
  i32 or_twin(i32 record) const {
    while (record != NOBODY && !alive_[record]) record = tree.twins().next(record);
    return record;
  }
  const Points& points() const { return tree.points(); }
  double distance(i32 record, const double* to) const {
    return squared_distance(points()[record], to, points().d);
  }
  void center(std::vector<double>& middle) const {
    middle.resize(points().d);
    for (int j = 0; j < points().d; j++) middle[j] = total_[j] / double(size_);
  }

  // Put a record into the group that is being formed. The running total follows in this order.
  void take(i32 record) {
    labels_[record] = group_;
    alive_[record] = 0;
    size_--;
    gone_.push_back(record);
    for (int j = 0; j < points().d; j++) total_[j] -= points()[record][j];
  }
  void close_group() {
    group_++;
    meter_.count_done(points().n - size_);
  }
  // All that is left is one more group.
  void close_with_rest() {
    for (i64 r = 0; r < points().n; r++)
      if (alive_[r]) labels_[r] = group_;
  }

  // Bring the tree up to date; it is built anew when half of it has left.
  void sync() {
    if (gone_.empty()) return;
    meter_.stop_if_told();
    tree.remove(gone_);
    gone_.clear();
    if (tree.is_tree() && 2 * tree.size() < tree.built()) rebuild();
  }

 private:
  void rebuild() {
    std::vector<i32> live;
    live.reserve(size_);
    for (i64 r = 0; r < points().n; r++)
      if (alive_[r] && tree.twins().is_first(i32(r))) live.push_back(i32(r));
    tree.build(live, i64(live.size()) < scan_below_);
  }

  i64* labels_;
  std::vector<std::uint8_t> alive_;
  std::vector<double> total_;
  std::vector<i32> gone_;
  i64 size_, group_ = 0, scan_below_;
  Meter meter_;
};

}  // namespace covey
