// IAMAT: a group grows by the record that interacts most with it, the nearest to its centroid.
#pragma once
#include "grown_groups.hpp"

namespace covey {

class IamatGrowth : Growing {
 public:
  using Growing::Growing;

  void grow(i32* plan, const Unassigned& left) {
    const int kept = keep_front(plan, left);
    scratch_.total.assign(points_.d, 0.0);
    add(scratch_.ids[0]);
    for (int i = 0; i < kept; i++) {
      scratch_.ids.push_back(plan[i]);
      add(plan[i]);
    }
    forget_from(plan, kept);
    shortlist_ = 0;
    while (size() < rules_.largest) {
      set_centroid();
      const i32 record = size() < STEADY_FROM ? nearest() : nearest_by_list();
      if (record == NOBODY) return;
      if (size() >= rules_.k) {
        if (!may_extend()) return;
        if (is_kept_out(record, squared_distance(points_[record], centroid(), points_.d), plan)) return;
      }
      plan[size() - 1] = record;
      scratch_.ids.push_back(record);
      add(record);
    }
  }

 private:
  // The centroid of so many records hardly moves when one joins: then a list of the nearest serves
  // for several steps (measured).
  static constexpr int STEADY_FROM = 16, LISTED = 32;

  void add(i32 record) {
    for (int j = 0; j < points_.d; j++) scratch_.total[j] += points_[record][j];
  }
  void set_centroid() {
    scratch_.middle.resize(2 * points_.d);
    for (int j = 0; j < points_.d; j++) scratch_.middle[j] = scratch_.total[j] / size();
  }
  const double* centroid() const { return scratch_.middle.data(); }
  double* listed_around() const { return scratch_.middle.data() + points_.d; }

  i32 nearest() {
    i32 record;
    double key;
    Best best(&record, &key, 1);
    tree_.collect<false>(centroid(), members(), best, scratch_.at);
    best.close();
    return record;
  }

  // The same, from a list when one there is closer than any record outside can be; one outside that
  // ties must be looked for. A list that does not tell is made anew.
  i32 nearest_by_list() {
    i32 best = NOBODY;
    double least = INF;
    for (int i = 0; i < shortlist_; i++) {
      const i32 record = scratch_.others[i];
      if (members().has(record)) continue;
      const double distance = squared_distance(points_[record], centroid(), points_.d);
      if (before(distance, record, least, best)) best = record, least = distance;
    }
    if (shortlist_ > 0) {
      const double away = std::sqrt(squared_distance(centroid(), listed_around(), points_.d));
      if (std::sqrt(least) * SLACK < radius_ - away * SLACK) return best;
    }
    scratch_.others.resize(LISTED);
    scratch_.keys.resize(LISTED);
    Best found(scratch_.others.data(), scratch_.keys.data(), LISTED);
    tree_.collect<false>(centroid(), members(), found, scratch_.at);
    found.close();
    shortlist_ = found.count;
    radius_ = found.full() ? std::sqrt(found.worst()) : INF;
    std::copy(centroid(), centroid() + points_.d, listed_around());
    return scratch_.others[0];
  }

  int shortlist_ = 0;
  double radius_ = INF;
};

}  // namespace covey
