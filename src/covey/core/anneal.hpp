// Annealing: a record joins the group of a neighbour, alone or in exchange for a member of it; now and then
// a group dissolves or is founded. A move that costs is made with a chance that falls as the search cools.
#pragma once
#include "splitmix.hpp"
#include "search_state.hpp"
#include "meter.hpp"

namespace covey {

template <int V>
class Annealing {
 public:
  Annealing(SearchState<V>& groups, Splitmix& chance) : groups_(groups), region_(groups.region), chance_(chance) {}

  // `moves` proposals while it cools from `hot` to `cold`.
  void run(i64 moves, double hot, double cold, const Meter& meter) {
    const i64 chunk = std::clamp<i64>(moves / STEPS, 64, 4096);
    i32 x = i32(chance_.below(region_.n));
    i64 since_refill = 0;
    for (i64 done = 0; done < moves; done += chunk) {
      meter.stop_if_told();
      const float temperature = float(hot * std::pow(cold / hot, double(done) / double(moves)));
      for (i64 i = std::min(chunk, moves - done); i > 0; i--) {
        if (++x == region_.n) x = 0;
        propose(x, temperature);
      }
      if ((since_refill += chunk) >= REFILL) {
        groups_.refill();
        since_refill = 0;
      }
    }
    groups_.work += double(moves);
    groups_.refill();
  }

 private:
  static constexpr i64 STEPS = 50;        // of the temperature
  static constexpr i64 REFILL = 2'000'000;  // moves after which sums of floats are taken anew
  static constexpr u64 RESHAPE = 64;      // one in so many proposals reshapes

  void propose(i32 x, float temperature) {
    const auto near = region_.near(x);
    if (near.empty()) return;
    u64 word = chance_.next();
    if ((word >> 20 & (RESHAPE - 1)) == 0) return reshape(x, temperature * region_.scale(x) * exponential(word));
    // The lower of two places: near ones are favoured.
    const u64 count = near.size();
    const u64 place = std::min((word & 0xFFFF) * count >> 16, (word >> 48) * count >> 16);
    const i32 z = near[place], a = groups_.group_of(x), b = groups_.group_of(z);
    if (a != b) try_group(x, b, temperature * region_.scale(x), word);
  }

  // Of all exchanges with a member of group b, and moving there alone, the one that is farthest below its
  // own limit, if any is.
  void try_group(i32 x, i32 b, float temperature, u64 word) {
    i32 best = NOBODY;
    float least = 0.0f;
    groups_.each_exchange(x, b, [&](i32 y, float cost) {
      const float over = cost - temperature * exponential(word = word * 0xD1342543DE82EF95 + 1);
      if (over < least) {
        least = over;
        best = y;
      }
    });
    groups_.work += (groups_.size(b) + 3) * groups_.vectors();
    if (groups_.size(groups_.group_of(x)) > region_.k && groups_.size(b) < region_.most) {
      const float cost = groups_.joining_cost(x, b) - groups_.leaving_gain(x);
      if (cost - temperature * exponential(word * 0xD1342543DE82EF95 + 1) < least) return groups_.relocate(x, b);
    }
    if (best != NOBODY) groups_.exchange(x, best);
  }

  void reshape(i32 x, float limit) {
    if (groups_.size(groups_.group_of(x)) == region_.k)
      dissolve(groups_.group_of(x), limit);
    else
      found(x, limit);
    groups_.work += region_.k * 8 * groups_.vectors();
  }

  // Send every member of g to its best group nearby, if all that costs less than `limit`.
  void dissolve(i32 g, float limit) {
    before_.assign(groups_.members(g).begin(), groups_.members(g).end());
    float cost = -groups_.sse(g);
    std::size_t moved = 0;
    for (i32 x : before_) {
      i32 best = NOBODY, last = NOBODY;
      float least = std::numeric_limits<float>::infinity();
      for (i32 z : region_.neighbours(x)) {
        const i32 h = groups_.group_of(z);
        if (h == g || h == last || groups_.size(h) >= region_.most) continue;
        last = h;
        const float joining = groups_.joining_cost(x, h);
        if (joining < least) {
          least = joining;
          best = h;
        }
      }
      if (best == NOBODY || (cost += least) >= limit) break;
      groups_.relocate(x, best);
      moved++;
    }
    if (moved == before_.size()) return groups_.give_free(g);
    for (std::size_t i = 0; i < moved; i++) groups_.relocate(before_[i], g);
  }

  // Found a group of x and its nearest records that their groups can spare, if that costs less than `limit`.
  void found(i32 x, float limit) {
    if (!groups_.has_free()) return;
    const i32 g = groups_.take_free();
    before_.clear();
    float gain = 0.0f;
    const auto enlist = [&](i32 z) {
      gain += groups_.leaving_gain(z);
      before_.push_back(groups_.group_of(z));
      groups_.relocate(z, g);
    };
    enlist(x);
    for (i32 z : region_.neighbours(x)) {
      if (groups_.size(g) == region_.k) break;
      const i32 a = groups_.group_of(z);
      if (a != g && groups_.size(a) > region_.k) enlist(z);
    }
    if (groups_.size(g) == region_.k && groups_.sse(g) - gain < limit) return;
    for (int i = groups_.size(g) - 1; i >= 0; i--) groups_.relocate(groups_.members(g)[i], before_[i]);
    groups_.give_free(g);
  }

  SearchState<V>& groups_;
  const Region& region_;
  Splitmix& chance_;
  std::vector<i32> before_;  // members of a group that dissolves, or groups of the members of a new one
};

}  // namespace covey
