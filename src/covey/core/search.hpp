// A search for the partition of least SSE, in rounds. In each round the space is cut into regions along
// lines drawn anew, and every region is searched on its own, by whichever thread is free.
#pragma once
#include <algorithm>
#include <utility>

#include "component_merge.hpp"
#include "pool.hpp"
#include "region_cut.hpp"
#include "ruin_recreate.hpp"

namespace covey {

// What a round does in every region. Either `sweeps`, moves per record that cool from `hot` to `cold`, or
// `pools` per record that cool from `hot` to 0. With `merge_at` below 0 its groups are kept as they are,
// else only components that gain, or that lose less than a random multiple of this, in mean scales of their
// records. Streams search the same groups side by side, in regions of their own; what they changed is put
// together in their order.
struct Round {
  double sweeps, pools, hot, cold, merge_at;
  u64 seed, number;
  int n_regions, n_streams;
};

class Search {
 public:
  Search(SearchSpace space, std::vector<i32> labels)
      : space_(space), n_groups_(i32(space.points.n / space.k)), labels_(std::move(labels)), best_(labels_),
        tried_(labels_) {}

  const std::vector<i32>& labels() const { return labels_; }
  // What the first stream of the last round had come to before it was merged.
  const std::vector<i32>& tried() const { return tried_; }
  double best_sse() const {
    double total = 0.0;
    const Listing groups(best_, n_groups_);
    for (i32 g = 0; g < n_groups_; g++)
      if (!groups[g].empty()) total += GroupSse{space_.points}(groups[g]);
    return total;
  }

  // The best of each component of all partitions shown to it.
  const std::vector<i32>& keep_best() {
    best_ = better_components(best_, labels_, n_groups_, GroupSse{space_.points});
    return best_;
  }

  // Returns the work done, in vectors of eight floats looked at.
  double run(const Round& round, Pool& pool, const Meter& meter) {
    const RegionCut cut(space_, labels_, n_groups_, pool);
    std::vector<Regions> cuts;
    for (i32 s = 0; s < round.n_streams; s++) {
      Splitmix chance(round.seed, ~(round.number << 32 | u64(s)));
      cuts.push_back(cut.into(round.n_regions, chance));
    }
    std::vector<std::pair<i32, i32>> tasks;
    for (i32 s = 0; s < round.n_streams; s++)
      for (i32 r = 0; r < i32(cuts[s].records.size()); r++) tasks.emplace_back(s, r);
    std::vector<std::vector<i32>> found(round.n_streams, std::vector<i32>(space_.points.n));
    std::vector<double> work(tasks.size());
    pool.each(i64(tasks.size()), 1, [&](i64 t, int) {
      const auto [s, r] = tasks[t];
      const Region region(space_, cuts[s], r);
      Splitmix chance(round.seed, round.number << 32 | u64(t));
      const std::vector<i32>& records = cuts[s].records[r];
      std::vector<i32> labels = local_labels(records), tried = labels;
      work[t] = search_region(region, labels, tried, round, chance, meter);
      for (i32 i = 0; i < region.n; i++) {
        found[s][records[i]] = cuts[s].first_group[r] + labels[i];
        if (s == 0) tried_[records[i]] = cuts[s].first_group[r] + tried[i];
      }
    });
    combine(found);
    labels_ = std::move(found[0]);
    return std::accumulate(work.begin(), work.end(), 0.0);
  }

 private:
  // Replaces `labels` by what is kept of what was `tried`; returns the work done.
  static double search_region(const Region& region, std::vector<i32>& labels, std::vector<i32>& tried,
                              const Round& round, Splitmix& chance, const Meter& meter) {
    if (region.n_groups < 2) return 0.0;
    switch (region.vectors) {
      case 1: return search_groups<1>(region, labels, tried, round, chance, meter);
      case 2: return search_groups<2>(region, labels, tried, round, chance, meter);
      case 3: return search_groups<3>(region, labels, tried, round, chance, meter);
      default: return search_groups<0>(region, labels, tried, round, chance, meter);
    }
  }

  template <int V>
  static double search_groups(const Region& region, std::vector<i32>& labels, std::vector<i32>& tried,
                              const Round& round, Splitmix& chance, const Meter& meter) {
    SearchState<V> groups(region, labels);
    const auto times = [&](double per_record) { return std::max<i64>(1, i64(per_record * region.n)); };
    if (round.sweeps > 0.0) Annealing<V>(groups, chance).run(times(round.sweeps), round.hot, round.cold, meter);
    if (round.pools > 0.0) RuinRecreate<V>(groups, chance).run(times(round.pools), round.hot, meter);
    tried = groups.labels();
    labels = round.merge_at < 0.0 ? tried : merged(region, labels, tried, round.merge_at, chance);
    return groups.work;
  }

  // What gains, and what loses little for where it lies.
  static std::vector<i32> merged(const Region& region, const std::vector<i32>& kept, const std::vector<i32>& tried,
                                 double merge_at, Splitmix& chance) {
    Components components(kept, tried, region.n_groups);
    const auto gains = components.gains([&](std::span<const i32> members) { return region.sse_of(members); });
    const auto scales = components.means([&](i32 x) { return double(region.scale(x)); });
    return components.merged([&](i32 c) {
      return gains[c] > 0.0 || (merge_at > 0.0 && gains[c] > -merge_at * scales[c] * exponential(chance.next()));
    });
  }

  // Labels of some records, whole groups, numbered from 0.
  std::vector<i32> local_labels(const std::vector<i32>& records) const {
    std::vector<i32> found(records.size()), numbers(n_groups_, -1);
    i32 next = 0;
    for (std::size_t i = 0; i < records.size(); i++) {
      i32& number = numbers[labels_[records[i]]];
      if (number < 0) number = next++;
      found[i] = number;
    }
    return found;
  }

  // Put the changes of all streams together in the first.
  void combine(std::vector<std::vector<i32>>& found) const {
    for (std::size_t s = 1; s < found.size(); s++)
      found[0] = combine_changes(labels_, found[0], found[s], n_groups_, GroupSse{space_.points});
  }

  const SearchSpace space_;
  const i32 n_groups_;  // at most
  std::vector<i32> labels_, best_, tried_;
};

}  // namespace covey
