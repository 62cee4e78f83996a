// MDAV: groups around the records farthest from the centre.
#pragma once
#include "batch.hpp"
#include "outermost.hpp"

namespace covey {

class Mdav {
 public:
  Mdav(Unassigned& left, int k, bool two_a_round, bool moving_center)
      : left_(left), k_(k), two_(two_a_round), moving_(moving_center), outermost_(left), batch_(left, k),
        near_(left.points().n, left.pool.size() == 1 ? k - 1 : k - 1 + std::max(1, (k - 1) / 2)),
        far_(left.points().n, 2), marks_(left.points().n) {}

  void run() {
    left_.center(middle_);
    while (left_.size() >= 2 * k_) {
      if (moving_) left_.center(middle_);
      const i32 first = outermost_.farthest_from(middle_);
      take_group(first);
      if (two_) take_group(farthest_from(first));
      for (i32 record : taken_) {
        near_.drop(record);
        far_.drop(record);
      }
      taken_.clear();
    }
    if (left_.size() >= k_) left_.close_with_rest();
  }

 private:
  void take_group(i32 seed) {
    if (!near_serves(seed)) search(seed, NOBODY);
    batch_.note_use();
    take(seed);
    const i32* list = near_.of(seed);
    for (int i = 0, count = 0; count < k_ - 1; i++)
      if (left_.is_alive(list[i])) {
        take(list[i]);
        count++;
      }
    left_.close_group();
  }
  void take(i32 record) {
    left_.take(record);
    taken_.push_back(record);
  }

  // The unassigned record farthest from one that has left.
  i32 farthest_from(i32 record) {
    i32 found = first_far(record);
    if (found == NOBODY) {
      search(NOBODY, record);
      found = first_far(record);
    }
    batch_.note_use();
    return found;
  }

  // Whether k − 1 of the list around a record are there.
  bool near_serves(i32 record) const {
    if (!near_.has(record)) return false;
    const i32* list = near_.of(record);
    int live = 0;
    for (int i = 0; i < near_.width() && live < k_ - 1; i++)
      live += list[i] != NOBODY && left_.is_alive(list[i]);
    return live == k_ - 1;
  }
  i32 first_far(i32 record) const {
    if (!far_.has(record)) return NOBODY;
    const i32* list = far_.of(record);
    for (int i = 0; i < far_.width() && list[i] != NOBODY; i++)
      if (left_.is_alive(list[i])) return list[i];
    return NOBODY;
  }

  // Search what is needed now, and what a dry run down the outermost will need soon.
  void search(i32 near, i32 far) {
    marks_.clear();
    if (near != NOBODY) want_near(near);
    if (far != NOBODY) want_far(far);
    if (batch_.size() > 1) look_ahead(near, far);
    batch_.run([&](Batch::Task task, Scratch& scratch) { solve(task, scratch); });
  }
  void look_ahead(i32 near, i32 far) {
    if (moving_) left_.center(middle_);
    i64 rounds = 0;
    for (const auto& at : outermost_.coming(middle_, batch_.ahead())) {
      if (batch_.full() || rounds++ >= batch_.ahead()) break;
      const i32 record = at.record;
      if (marks_.has(record) && record != near) continue;
      if (record != near) expect_group(record);
      if (!two_ || record == far) continue;
      // The second seed is known only one batch after the list of the farthest.
      const i32 second = first_far_unmarked(record);
      if (second != NOBODY)
        expect_group(second);
      else if (first_far(record) == NOBODY)
        want_far(record);
    }
  }
  i32 first_far_unmarked(i32 record) const {
    if (!far_.has(record)) return NOBODY;
    const i32* list = far_.of(record);
    for (int i = 0; i < far_.width() && list[i] != NOBODY; i++)
      if (left_.is_alive(list[i]) && !marks_.has(list[i])) return list[i];
    return NOBODY;
  }
  void expect_group(i32 seed) {
    if (!near_serves(seed)) return want_near(seed);
    marks_.set(seed);
    const i32* list = near_.of(seed);
    for (int i = 0, count = 0; i < near_.width() && list[i] != NOBODY && count < k_ - 1; i++)
      if (left_.is_alive(list[i]) && !marks_.has(list[i])) {
        marks_.set(list[i]);
        count++;
      }
  }
  void want_near(i32 record) {
    marks_.set(record);
    near_.open(record, NOBODY);
    batch_.add(record, false);
  }
  void want_far(i32 record) {
    far_.open(record, NOBODY);
    batch_.add(record, true);
  }

  void solve(Batch::Task task, Scratch& scratch) {
    Slots<i32>& lists = task.far ? far_ : near_;
    scratch.keys.resize(lists.width());
    Best best(lists.of(task.record), scratch.keys.data(), lists.width());
    const double* point = left_.points()[task.record];
    const Except itself{&task.record, 1};
    if (task.far)
      left_.tree.collect<true>(point, itself, best, scratch.at);
    else
      left_.tree.collect<false>(point, itself, best, scratch.at);
    best.close();
  }

  Unassigned& left_;
  int k_;
  bool two_, moving_;
  Outermost outermost_;
  Batch batch_;
  Slots<i32> near_, far_;
  Marks marks_;
  std::vector<double> middle_;
  std::vector<i32> taken_;
};

}  // namespace covey
