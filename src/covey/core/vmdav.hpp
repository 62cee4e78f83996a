// V-MDAV: a seed with its nearest, extended while the next record is clearly closer to the group.
#pragma once
#include "grown_groups.hpp"

namespace covey {

class VmdavGrowth : Growing {
 public:
  using Growing::Growing;

  void grow(i32* plan, const Unassigned& left) {
    int kept = keep_front(plan, left);
    if (kept < rules_.k - 1) kept = find_nearest(plan);
    scratch_.ids.insert(scratch_.ids.end(), plan, plan + kept);
    forget_from(plan, kept);
    if (!may_extend()) return;
    scratch_.others.assign(rules_.largest, NOBODY);
    while (size() < rules_.largest) {
      const auto [record, inside] = closest_to_any();
      if (record == NOBODY || is_kept_out(record, inside, plan)) return;
      plan[size() - 1] = record;
      scratch_.ids.push_back(record);
    }
  }

 private:
  struct Candidate {
    i32 record;
    double distance;
  };

  // The k − 1 nearest to the seed.
  int find_nearest(i32* plan) {
    const int count = rules_.k - 1;
    scratch_.keys.resize(count);
    Best best(plan, scratch_.keys.data(), count);
    tree_.collect<false>(points_[scratch_.ids[0]], members(), best, scratch_.at);
    best.close();
    return count;
  }

  // The unassigned record nearest to any member. What is known to be nearest to a member stays so
  // until it joins.
  Candidate closest_to_any() {
    i32 record = NOBODY;
    double least = INF;
    for (int i = 0; i < size(); i++) {
      i32& known = scratch_.others[i];
      const double* member = points_[scratch_.ids[i]];
      if (known == NOBODY || members().has(known)) {
        known = NOBODY;
        i32 found = record;
        double distance = least;
        Best best(&found, &distance, 1);
        best.count = record == NOBODY ? 0 : 1;
        tree_.collect<false>(member, members(), best, scratch_.at);
        if (best.count == 1 && (distance < least || found != record)) known = found;
      }
      if (known == NOBODY) continue;
      const double distance = squared_distance(points_[known], member, points_.d);
      if (record == NOBODY || before(distance, known, least, record)) record = known, least = distance;
    }
    return {record, least};
  }
};

}  // namespace covey
