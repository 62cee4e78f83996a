// Two partitions of the same records merged: groups that share records are linked, and each connected
// component is decided on its own.
#pragma once
#include <algorithm>
#include <numeric>
#include <span>

#include "points.hpp"

namespace covey {

class Links {
 public:
  explicit Links(i32 count) : above_(count) { std::iota(above_.begin(), above_.end(), 0); }
  i32 root(i32 a) {
    while (above_[a] != a) a = above_[a] = above_[above_[a]];
    return a;
  }
  void link(i32 a, i32 b) { above_[root(a)] = root(b); }

 private:
  std::vector<i32> above_;
};

// Members of all groups of a partition, group by group.
class Listing {
 public:
  Listing(const std::vector<i32>& labels, i32 n_groups) : starts_(n_groups + 1), members_(labels.size()) {
    for (i32 g : labels) starts_[g + 1]++;
    for (i32 g = 0; g < n_groups; g++) starts_[g + 1] += starts_[g];
    std::vector<i32> at(starts_.begin(), starts_.end() - 1);
    for (i32 x = 0; x < i32(labels.size()); x++) members_[at[labels[x]]++] = x;
  }
  std::span<const i32> operator[](i32 g) const {
    return {members_.data() + starts_[g], std::size_t(starts_[g + 1] - starts_[g])};
  }

 private:
  std::vector<i32> starts_, members_;
};

// Groups of two partitions, linked where they share records. A component is named after one of its groups.
class Components {
 public:
  Components(const std::vector<i32>& kept, const std::vector<i32>& found, i32 n_groups)
      : kept_(kept), found_(found), n_groups_(n_groups), links_(2 * n_groups), old_groups_(kept, n_groups),
        new_groups_(found, n_groups), n_linked_(2 * n_groups, 0) {
    for (std::size_t x = 0; x < kept.size(); x++) links_.link(kept[x], n_groups + found[x]);
    for (i32 g = 0; g < n_groups; g++) {
      n_linked_[links_.root(g)] += !old_groups_[g].empty();
      n_linked_[links_.root(n_groups + g)] += !new_groups_[g].empty();
    }
  }

  i32 of_record(i32 x) { return links_.root(kept_[x]); }
  // Two groups that are linked to nobody else are the same.
  bool differs(i32 component) const { return n_linked_[component] > 2; }

  // By how much the SSE of each component falls from the one partition to the other.
  template <class SseOf>
  std::vector<double> gains(SseOf&& sse_of) {
    std::vector<double> gains(2 * n_groups_, 0.0);
    for (i32 g = 0; g < n_groups_; g++) {
      const i32 a = links_.root(g), b = links_.root(n_groups_ + g);
      if (differs(a) && !old_groups_[g].empty()) gains[a] += sse_of(old_groups_[g]);
      if (differs(b) && !new_groups_[g].empty()) gains[b] -= sse_of(new_groups_[g]);
    }
    return gains;
  }

  // The mean of value_of(x) over the records x of each component.
  template <class ValueOf>
  std::vector<double> means(ValueOf&& value_of) {
    std::vector<double> means(2 * n_groups_, 0.0), counts(2 * n_groups_, 0.0);
    for (i32 x = 0; x < i32(kept_.size()); x++) {
      const i32 component = of_record(x);
      means[component] += value_of(x);
      counts[component] += 1.0;
    }
    for (i32 component = 0; component < 2 * n_groups_; component++)
      means[component] /= std::max(counts[component], 1.0);
    return means;
  }

  // Labels with the groups of `found` in the components that are taken, and those of `kept` elsewhere.
  template <class Takes>
  std::vector<i32> merged(Takes&& takes) {
    std::vector<char> taken(2 * n_groups_, 0);
    for (i32 component = 0; component < 2 * n_groups_; component++)
      if (differs(component)) taken[component] = takes(component);
    std::vector<i32> numbers(2 * n_groups_, -1), labels(kept_.size());
    i32 next = 0;
    for (i32 x = 0; x < i32(labels.size()); x++) {
      const i32 g = taken[of_record(x)] ? n_groups_ + found_[x] : kept_[x];
      if (numbers[g] < 0) numbers[g] = next++;
      labels[x] = numbers[g];
    }
    return labels;
  }

 private:
  const std::vector<i32>&kept_, &found_;
  const i32 n_groups_;  // labels are below this
  Links links_;
  Listing old_groups_, new_groups_;
  std::vector<i32> n_linked_;
};

// Take every component that gains.
template <class SseOf>
std::vector<i32> better_components(const std::vector<i32>& kept, const std::vector<i32>& found, i32 n_groups,
                                   SseOf&& sse_of) {
  Components components(kept, found, n_groups);
  const std::vector<double> gains = components.gains(sse_of);
  return components.merged([&](i32 component) { return gains[component] > 0.0; });
}

// Two ways in which `base` was changed, both taken; where they touch each other, the better one.
template <class SseOf>
std::vector<i32> combine_changes(const std::vector<i32>& base, const std::vector<i32>& one,
                                 const std::vector<i32>& other, i32 n_groups, SseOf&& sse_of) {
  Components since_one(base, one, n_groups), since_other(base, other, n_groups), components(one, other, n_groups);
  std::vector<char> by_one(2 * n_groups, 0), by_other(2 * n_groups, 0);
  for (i32 x = 0; x < i32(base.size()); x++) {
    const i32 component = components.of_record(x);
    by_one[component] |= since_one.differs(since_one.of_record(x));
    by_other[component] |= since_other.differs(since_other.of_record(x));
  }
  const std::vector<double> gains = components.gains(sse_of);
  return components.merged([&](i32 c) { return !by_one[c] || (by_other[c] && gains[c] > 0.0); });
}

}  // namespace covey
