// Searches done ahead of time, together, on all threads.
//
// Records only leave: what was the best of more records and is still there is the best of fewer. So
// the answer of a search stays exact while those it names are alive. How many are done at once changes
// the time, never the answer.
#pragma once
#include <chrono>

#include "unassigned.hpp"

namespace covey {

// Room for a fixed number of items for each record that asks for it.
template <class Item>
class Slots {
 public:
  Slots(i64 n_records, int width) : width_(width), slot_of_(n_records, NOBODY) {}

  bool has(i32 record) const { return slot_of_[record] != NOBODY; }
  Item* of(i32 record) { return items_.data() + i64(slot_of_[record]) * width_; }
  const Item* of(i32 record) const { return items_.data() + i64(slot_of_[record]) * width_; }
  int width() const { return width_; }

  // Not while searches run: it may move the others.
  void open(i32 record, Item empty) {
    if (has(record)) return;
    if (free_.empty()) {
      slot_of_[record] = i32(items_.size() / width_);
      items_.resize(items_.size() + width_);
    } else {
      slot_of_[record] = free_.back();
      free_.pop_back();
    }
    std::fill(of(record), of(record) + width_, empty);
  }
  void drop(i32 record) {
    if (!has(record)) return;
    free_.push_back(slot_of_[record]);
    slot_of_[record] = NOBODY;
  }

 private:
  int width_;
  std::vector<i32> slot_of_, free_;
  std::vector<Item> items_;
};

// What a thread needs for a search.
struct Scratch {
  std::vector<float> at;
  std::vector<double> keys, total, middle;
  std::vector<i32> ids, others;
};

// Whether threads pay: on a busy machine, where they wait for each other, one alone may be faster. Now
// and then the other way is tried, the more rarely the more often it was slower. It changes the time, never
// an answer.
class Pace {
 public:
  bool is_alone() const { return is_trial() != prefers_alone(); }
  void note(bool alone, double seconds) {
    if (is_trial()) {
      pause_ = seconds > seconds_[!alone] ? std::min(2 * pause_, LONGEST_PAUSE) : SHORTEST_PAUSE;
      next_trial_ = turn_ + pause_;
    }
    double& known = seconds_[alone];
    known = known == 0.0 ? seconds : 0.7 * known + 0.3 * seconds;
    turn_++;
  }

 private:
  static constexpr int SHORTEST_PAUSE = 32, LONGEST_PAUSE = 4096;  // batches
  bool is_trial() const { return turn_ == next_trial_; }
  bool prefers_alone() const { return seconds_[1] > 0.0 && seconds_[1] < seconds_[0]; }

  double seconds_[2] = {0.0, 0.0};  // for a search: with others, alone
  int turn_ = 0, pause_ = SHORTEST_PAUSE, next_trial_ = SHORTEST_PAUSE;
};

class Batch {
 public:
  struct Task {
    i32 record;
    bool far;
  };

  Batch(Unassigned& left, int k)
      : left_(left), k_(k), scratch_(left.pool.size()), target_(left.pool.size() == 1 ? 4 : 16 * left.pool.size()),
        size_(target_) {}

  // How many searches to do at once, and how far to look ahead for them.
  i64 size() const { return size_; }
  i64 ahead() const { return 2 * size_; }
  bool full() const { return i64(tasks_.size()) >= size_; }
  void add(i32 record, bool far) { tasks_.push_back({record, far}); }
  void note_use() { used_++; }

  template <class Solve>
  void run(Solve&& solve) {
    left_.sync();
    const i64 count = i64(tasks_.size());
    const bool alone = pace_.is_alone();
    const auto start = std::chrono::steady_clock::now();
    left_.pool.each(count, alone ? count : 1, [&](i64 i, int thread) { solve(tasks_[i], scratch_[thread]); });
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    if (left_.pool.size() > 1) {
      pace_.note(alone, spent.count() / double(count));
      adapt(spent.count());
    }
    tasks_.clear();
  }

 private:
  // Long enough to be worth waking threads for, and no longer than answers are used.
  void adapt(double seconds) {
    const int threads = left_.pool.size();
    const double each = std::max(seconds * threads / double(tasks_.size()), 1e-9);
    const i64 most = i64(std::clamp(4e-3 / each, 8.0, 64.0)) * threads;
    target_ = used_ < last_ / 2 ? std::max<i64>(1, target_ / 2) : std::min(most, 2 * target_);
    used_ = 0;
    last_ = i64(tasks_.size());
    // When few are left they are taken before answers about them are used.
    size_ = std::max<i64>(1, std::min(target_, left_.size() / (16 * k_)));
  }

  Unassigned& left_;
  int k_;
  std::vector<Scratch> scratch_;
  std::vector<Task> tasks_;
  Pace pace_;
  i64 target_, size_, used_ = 0, last_ = 0;
};

// Marks of records that will probably be taken, for one look ahead at a time.
class Marks {
 public:
  explicit Marks(i64 n_records) : of_(n_records, 0) {}
  void clear() { now_++; }
  void set(i32 record) { of_[record] = now_; }
  bool has(i32 record) const { return of_[record] == now_; }

 private:
  std::vector<std::uint32_t> of_;
  std::uint32_t now_ = 0;
};

}  // namespace covey
