// Two partitions of the same records merged: groups that share records are linked, and each connected
// component is decided on its own.
#pragma once
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

// Replace groups of `kept` by those of `found` in every component for which takes(gain) holds, `gain` being
// by how much the SSE falls. Labels are below `n_groups`; sse_of(members) is the SSE of a group.
template <class SseOf, class Takes>
void merge_components(std::vector<i32>& kept, const std::vector<i32>& found, i32 n_groups, SseOf&& sse_of,
                      Takes&& takes) {
  Links links(2 * n_groups);
  for (std::size_t x = 0; x < kept.size(); x++) links.link(kept[x], n_groups + found[x]);
  const Listing old_groups(kept, n_groups), new_groups(found, n_groups);
  std::vector<i32> n_linked(2 * n_groups, 0);
  for (i32 g = 0; g < n_groups; g++) {
    n_linked[links.root(g)] += !old_groups[g].empty();
    n_linked[links.root(n_groups + g)] += !new_groups[g].empty();
  }
  std::vector<double> gains(2 * n_groups, 0.0);
  for (i32 g = 0; g < n_groups; g++) {
    // Two that are linked to nobody else are the same group.
    const i32 a = links.root(g), b = links.root(n_groups + g);
    if (n_linked[a] > 2 && !old_groups[g].empty()) gains[a] += sse_of(old_groups[g]);
    if (n_linked[b] > 2 && !new_groups[g].empty()) gains[b] -= sse_of(new_groups[g]);
  }
  std::vector<char> taken(2 * n_groups, 0);
  for (i32 root = 0; root < 2 * n_groups; root++)
    if (n_linked[root] > 2) taken[root] = takes(gains[root]);
  std::vector<i32> numbers(2 * n_groups, -1);
  i32 next = 0;
  for (std::size_t x = 0; x < kept.size(); x++) {
    const i32 g = taken[links.root(kept[x])] ? n_groups + found[x] : kept[x];
    if (numbers[g] < 0) numbers[g] = next++;
    kept[x] = numbers[g];
  }
}

}  // namespace covey
