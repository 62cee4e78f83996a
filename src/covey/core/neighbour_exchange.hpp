// Exchanges at random between groups that are neighbours, until no pair of records gains.
//
// Towards the end hardly a pair does. Once all pairs of two groups have been tried in vain they are *settled*,
// and drawing one of them again is passed over until one of the groups changes. That gives the exchanges, and
// the random numbers, of trying every pair that is drawn.
#pragma once
#include "exchange.hpp"

namespace covey {

class NeighbourExchange {
 public:
  // Group a exchanges with the groups `close[a · width]` to `close[(a + 1) · width − 1]`.
  NeighbourExchange(Exchange& exchange, const i64* close, i64 width, i64 k)
      : exchange_(exchange), groups_(exchange.groups), width_(width), fresh_(std::int16_t(std::min(k * k, MOST_TRIES))),
        close_(close, close + groups_.count() * width), first_(groups_.count() + 1), named_at_(close_.size()),
        tries_(close_.size(), fresh_), open_(i64(close_.size())), records_(groups_.points.n) {
    std::iota(records_.begin(), records_.end(), 0);
    for (i32 g : close_) first_[g + 1]++;
    for (i32 g = 0; g < groups_.count(); g++) first_[g + 1] += first_[g];
    std::vector<i64> next(first_);
    for (i64 place = 0; place < i64(close_.size()); place++) named_at_[next[close_[place]]++] = place;
  }

  bool all_settled() const { return open_ == 0; }

  // Draw `rate` of the records and pair each with a member of a group close to its own; whether any were
  // exchanged.
  bool pass(double rate, Splitmix& chance) {
    const i64 count = std::max<i64>(i64(rate * double(records_.size())), 1);
    chance.draw(records_, count);
    bool improved = false;
    for (i64 i = 0; i < count; i++) {
      const i32 x = records_[i], a = groups_.group_of(x);
      const i64 place = a * width_ + chance.index(width_);
      if (tries_[place] == 0) {
        chance.skip();
        continue;
      }
      const i32 g = close_[place], y = groups_.members(g)[chance.index(groups_.size(g))];
      if (exchange_.try_exchange(x, y)) {
        open(g);
        open(a);
        improved = true;
      } else if (--tries_[place] == 0) {
        if (any_gains(a, g))
          tries_[place] = fresh_;
        else
          open_--;
      }
    }
    return improved;
  }

 private:
  // The most vain tries that are counted before all pairs of two groups are tried. As many as there are pairs
  // cost no more than trying them all.
  static constexpr i64 MOST_TRIES = 30'000;

  bool any_gains(i32 a, i32 g) const {
    for (i32 x : groups_.members(a))
      for (i32 y : groups_.members(g))
        if (exchange_.gains(x, y)) return true;
    return false;
  }
  // What was known about group a and its neighbours holds no longer.
  void open(i32 a) {
    for (i64 place = a * width_; place < (a + 1) * width_; place++) open_place(place);
    for (i64 i = first_[a]; i < first_[a + 1]; i++) open_place(named_at_[i]);
  }
  void open_place(i64 place) {
    if (tries_[place] == 0) open_++;
    tries_[place] = fresh_;
  }

  Exchange& exchange_;
  const Groups& groups_;
  i64 width_;
  std::int16_t fresh_;
  std::vector<i32> close_;
  std::vector<i64> first_, named_at_;  // group a is named at the places named_at[first[a]], … of `close`
  std::vector<std::int16_t> tries_;    // vain tries left before the two groups of a place are settled; 0 when they are
  i64 open_;                           // places that are not settled
  std::vector<i32> records_;
};

}  // namespace covey
