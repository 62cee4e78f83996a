// The unassigned record farthest from a centre that moves a little with every group.
//
// Two lists serve for many rounds: one in sixteen of all records by falling distance from an old
// centre, and the first of these by falling distance from a newer one. By the triangle inequality the
// farthest in the small list is the farthest of all when it is farther than anybody else can be. In both
// lists one of several twins stands for all.
#pragma once
#include "unassigned.hpp"

namespace covey {

constexpr double SLACK = 1.0 + 1e-9;  // covers rounding in square roots

class Outermost {
 public:
  struct Ranked {
    double radius;
    i32 record;
  };

  explicit Outermost(Unassigned& left) : left_(left) {}

  i32 farthest_from(const std::vector<double>& middle) {
    i32 best;
    if (!small_.empty() && small_tells(middle, best)) return best;
    if (!listed_) list_big(middle);
    for (;;) {
      list_small(middle);
      if (small_tells(middle, best)) return best;
      if (small_.size() < big_.size() - big_head_) {
        wanted_ *= 4;  // many at nearly the same distance
        continue;
      }
      if (big_edge_ == -INF) return best;  // everybody was looked at
      if (left_.size() == size_when_listed_) share_ *= 2;
      list_big(middle);
    }
  }

  // Who probably comes next, farthest first, for searches ahead of time.
  const std::vector<Ranked>& coming(const std::vector<double>& middle, i64 count) {
    if (!listed_) list_big(middle);
    wanted_ = std::max<std::size_t>(wanted_ * 3 / 4, 2 * count + 64);
    list_small(middle);
    return small_;
  }

 private:
  static constexpr std::size_t FETCHED_AHEAD = 8;

  static bool outer(const Ranked& a, const Ranked& b) {
    return a.radius > b.radius || (a.radius == b.radius && a.record < b.record);
  }

  void list_big(const std::vector<double>& middle) {
    left_.sync();
    big_center_ = middle;
    size_when_listed_ = left_.size();
    const i64 size = left_.tree.size();
    big_.resize(size);
    left_.tree.visit_all([&](i32 record, i64 number) {
      big_[number] = {left_.distance(record, middle.data()), record};
    });
    const i64 keep = size < 16000 ? size : std::min(size, std::max<i64>(1000, i64(share_ * size / 16)));
    big_edge_ = -INF;
    if (keep < size) {
      std::nth_element(big_.begin(), big_.begin() + keep, big_.end(), outer);
      big_edge_ = std::sqrt(big_[keep].radius);
      big_.resize(keep);
    }
    std::sort(big_.begin(), big_.end(), outer);
    for (Ranked& at : big_) at.radius = std::sqrt(at.radius);
    big_head_ = 0;
    listed_ = true;
  }

  // The dead among those that are looked at are moved out of the way, so nobody looks again.
  void list_small(const std::vector<double>& middle) {
    small_center_ = middle;
    small_.clear();
    small_head_ = 0;
    std::size_t place = big_head_, kept = big_head_;
    while (place < big_.size() && small_.size() < wanted_) {
      if (place + FETCHED_AHEAD < big_.size()) fetch(big_[place + FETCHED_AHEAD].record);
      const Ranked at = big_[place++];
      const i32 record = left_.or_twin(at.record);
      if (record == NOBODY) continue;
      big_[kept++] = {at.radius, record};
      small_.push_back({std::sqrt(left_.distance(record, middle.data())), record});
    }
    std::move_backward(big_.begin() + big_head_, big_.begin() + kept, big_.begin() + place);
    big_head_ += place - kept;
    const double others = std::max(big_edge_, place < big_.size() ? big_[place].radius : -INF);
    small_edge_ = (others + apart(middle, big_center_)) * SLACK;
    std::sort(small_.begin(), small_.end(), outer);
  }

  bool small_tells(const std::vector<double>& middle, i32& best) {
    const double shift = apart(middle, small_center_);
    while (small_head_ < small_.size() && left_.or_twin(small_[small_head_].record) == NOBODY) small_head_++;
    best = NOBODY;
    double farthest = -1.0, reach = 0.0;
    for (std::size_t place = small_head_; place < small_.size(); place++) {
      if ((small_[place].radius + shift) * SLACK < reach) break;
      const i32 record = small_[place].record = left_.or_twin(small_[place].record);
      if (record == NOBODY) continue;
      const double distance = left_.distance(record, middle.data());
      if (distance > farthest || (distance == farthest && record < best)) {
        best = record;
        farthest = distance;
        reach = std::sqrt(distance);
      }
    }
    return best != NOBODY && (small_edge_ + shift) * SLACK < reach;
  }

  // Have the values of a record brought from memory before they are needed.
  void fetch(i32 record) const {
    const double* row = left_.points()[record];
    for (int j = 0; j < left_.points().d; j += 8) __builtin_prefetch(row + j);
  }

  double apart(const std::vector<double>& a, const std::vector<double>& b) const {
    return std::sqrt(squared_distance(a.data(), b.data(), left_.points().d));
  }

  Unassigned& left_;
  std::vector<Ranked> big_, small_;
  std::vector<double> big_center_, small_center_;
  double big_edge_ = INF, small_edge_ = INF, share_ = 1.0;
  std::size_t big_head_ = 0, small_head_ = 0, wanted_ = 64;
  i64 size_when_listed_ = -1;
  bool listed_ = false;
};

}  // namespace covey
