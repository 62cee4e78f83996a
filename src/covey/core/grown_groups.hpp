// Groups that grow record by record around the outermost: what IAMAT and V-MDAV share.
//
// A plan for a seed holds who joins it, in order, and perhaps who would be next and a witness: a record
// that keeps that one out. It is exact while all of these are unassigned: whoever was the next of more
// records is the next of fewer, and the witness still keeps it out.
#pragma once
#include "batch.hpp"
#include "outermost.hpp"

namespace covey {

// How a group grows; `Growth` says who joins next.
struct GrowthRules {
  int k;
  int largest;   // members of a group at most
  double gamma;  // 0: no group grows beyond k
};
// The members after the seed, who is kept out, and the witness.
inline int plan_width(GrowthRules rules) { return rules.largest + 1; }

template <class Growth>
class GrownGroups {
 public:
  GrownGroups(Unassigned& left, GrowthRules rules, bool moving_center)
      : left_(left), rules_(rules), moving_(moving_center), outermost_(left), batch_(left, rules.k),
        plans_(left.points().n, plan_width(rules)), marks_(left.points().n) {}

  void run() {
    left_.center(middle_);
    while (left_.size() >= rules_.k) {
      if (moving_) left_.center(middle_);
      const i32 seed = outermost_.farthest_from(middle_);
      if (!serves(seed)) search(seed);
      batch_.note_use();
      take_group(seed);
    }
  }

 private:
  bool serves(i32 seed) const {
    if (!plans_.has(seed)) return false;
    const i32* plan = plans_.of(seed);
    if (plan[0] == NOBODY) return false;
    for (int i = 0; i < plans_.width(); i++)
      if (plan[i] != NOBODY && !left_.is_alive(plan[i])) return false;
    return true;
  }
  void take_group(i32 seed) {
    const i32* plan = plans_.of(seed);
    left_.take(seed);
    for (int i = 0; i < rules_.largest - 1 && plan[i] != NOBODY; i++) {
      left_.take(plan[i]);
      dropped_.push_back(plan[i]);
    }
    left_.close_group();
    plans_.drop(seed);
    for (i32 record : dropped_) plans_.drop(record);
    dropped_.clear();
  }

  // Plan the group that is needed now, and those that a dry run down the outermost will need soon.
  void search(i32 seed) {
    marks_.clear();
    want(seed);
    if (batch_.size() > 1) {
      i64 rounds = 0;
      for (const auto& at : outermost_.coming(middle_, batch_.ahead())) {
        if (batch_.full() || rounds++ >= batch_.ahead()) break;
        if (!marks_.has(at.record)) expect_group(at.record);
      }
    }
    batch_.run([&](Batch::Task task, Scratch& scratch) {
      Growth(left_.tree, rules_, task.record, scratch).grow(plans_.of(task.record), left_);
    });
  }
  void expect_group(i32 seed) {
    if (!serves(seed)) return want(seed);
    marks_.set(seed);
    const i32* plan = plans_.of(seed);
    for (int i = 0; i < rules_.largest - 1 && plan[i] != NOBODY; i++) marks_.set(plan[i]);
  }
  void want(i32 seed) {
    marks_.set(seed);
    plans_.open(seed, NOBODY);
    batch_.add(seed, false);
  }

  Unassigned& left_;
  GrowthRules rules_;
  bool moving_;
  Outermost outermost_;
  Batch batch_;
  Slots<i32> plans_;
  Marks marks_;
  std::vector<double> middle_;
  std::vector<i32> dropped_;
};

// A group while it grows: the seed and who has joined, in order.
class Growing {
 public:
  Growing(const LiveTree& tree, GrowthRules rules, i32 seed, Scratch& scratch)
      : tree_(tree), points_(tree.points()), rules_(rules), scratch_(scratch) {
    scratch.ids.assign(1, seed);
  }

 protected:
  // Those at the front of an older plan who are still there would join again; the others are to be
  // found anew.
  int keep_front(const i32* plan, const Unassigned& left) {
    int kept = 0;
    while (kept < rules_.largest - 1 && plan[kept] != NOBODY && left.is_alive(plan[kept])) kept++;
    return kept;
  }
  void forget_from(i32* plan, int kept) const {
    std::fill(plan + kept, plan + plan_width(rules_), NOBODY);
  }
  // Whether `record`, at a squared distance of `inside`, is kept out by another that is too near to it.
  bool is_kept_out(i32 record, double inside, i32* plan) const {
    const double factor = rules_.gamma * rules_.gamma;
    const i32 witness = tree_.any_near(record, inside, factor, members(), scratch_.at);
    if (witness == NOBODY) return false;
    plan[rules_.largest - 1] = record;
    plan[rules_.largest] = witness;
    return true;
  }
  bool may_extend() const { return rules_.gamma * rules_.gamma > 0.0; }
  Except members() const { return {scratch_.ids.data(), int(scratch_.ids.size())}; }
  int size() const { return int(scratch_.ids.size()); }

  const LiveTree& tree_;
  const Points& points_;
  GrowthRules rules_;
  Scratch& scratch_;
};

}  // namespace covey
