// Who is linked to whom by distance. Ties share the link, so the order of records never decides.
#pragma once
#include "live_tree.hpp"
#include "meter.hpp"

namespace covey {

// Squared distances this close to each other, relatively, are a tie: rounding, the choice of units and
// the order of the columns must not decide who is nearer.
constexpr double TIE = 1e-9;

class Linkage {
 public:
  // Candidates, each counted as often as `weights` says (once if null), and whom they are compared with.
  Linkage(Points candidates, const i64* weights, Points targets, i64 scan_below, Pool& pool, Meter meter)
      : tree_(candidates, pool, targets.largest()), targets_(targets), weights_(weights), pool_(pool), meter_(meter),
        rooms_(pool.size()) {
    std::vector<i32> all(candidates.n);
    for (i64 i = 0; i < candidates.n; i++) all[i] = i32(i);
    tree_.build(all, candidates.n < scan_below);
  }

  // For each target the chance that the nearest candidate is its own, candidate `own[i]`.
  void to_own(const i64* own, double* links) {
    each(targets_.n, [&](i64 i, std::vector<float>& room) {
      const double radius = squared_distance(tree_.points()[own[i]], targets_[i], targets_.d);
      const Closer closer = count_closer(targets_[i], radius, 1, room);
      links[i] = closer.inside == 0 ? 1.0 / double(closer.tied) : 0.0;
    });
  }

  // For each candidate the chance that it is among the `nearest` to its own target: target g belongs to
  // members[starts[g]] to members[starts[g + 1]]. Without `share_ties` a tie at the edge counts fully.
  void of_members(const i64* members, const i64* starts, i64 nearest, bool share_ties, double* links) {
    each(targets_.n, [&](i64 g, std::vector<float>& room) {
      const i64 *begin = members + starts[g], *end = members + starts[g + 1];
      for (double radius = next_distance(begin, end, targets_[g], -1.0); radius < INF;
           radius = next_distance(begin, end, targets_[g], radius)) {
        const Closer closer = count_closer(targets_[g], radius, nearest, room);
        if (closer.inside >= nearest) break;
        const double chance =
            share_ties ? std::min(1.0, double(nearest - closer.inside) / double(closer.tied)) : 1.0;
        for (const i64* member = begin; member != end; member++)
          if (squared_distance(tree_.points()[*member], targets_[g], targets_.d) == radius) links[*member] = chance;
      }
    });
  }

 private:
  struct Closer {
    i64 inside, tied;
  };

  template <class Turn>
  void each(i64 n, Turn&& turn) {
    const i64 grain = 64;
    pool_.each((n + grain - 1) / grain, 1, [&](i64 part, int thread) {
      meter_.stop_if_told();
      for (i64 i = part * grain; i < std::min(n, (part + 1) * grain); i++) turn(i, rooms_[thread]);
    });
  }

  // How many candidates are closer than the squared radius, and how many tie; no more than `limit` are
  // counted exactly.
  Closer count_closer(const double* target, double radius, i64 limit, std::vector<float>& room) const {
    const double inner = radius * (1.0 - TIE), outer = radius * (1.0 + TIE);
    Closer found{0, 0};
    tree_.visit_within(target, outer, room, [&](i32 candidate, double distance) {
      const i64 weight = weights_ ? weights_[candidate] : 1;
      if (distance < inner)
        found.inside += weight;
      else if (distance <= outer)
        found.tied += weight;
      return found.inside >= limit;
    });
    return found;
  }

  // Least distance of a member from the target that exceeds `beyond`; infinite if there is none.
  double next_distance(const i64* begin, const i64* end, const double* target, double beyond) const {
    double least = INF;
    for (const i64* member = begin; member != end; member++) {
      const double distance = squared_distance(tree_.points()[*member], target, tree_.points().d);
      if (beyond < distance && distance < least) least = distance;
    }
    return least;
  }

  LiveTree tree_;
  Points targets_;
  const i64* weights_;
  Pool& pool_;
  Meter meter_;
  std::vector<std::vector<float>> rooms_;
};

}  // namespace covey
