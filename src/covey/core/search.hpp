// A search for the partition of least SSE, in rounds. In each round the space is cut into regions along
// lines drawn anew, and every region is searched on its own, by whichever thread is free.
#pragma once
#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "component_merge.hpp"
#include "pool.hpp"
#include "ruin_recreate.hpp"

namespace covey {

// What a round does in every region. Either `sweeps`, moves per record that cool from `hot` to `cold`, or
// `pools` per record that cool from `hot` to 0. With `merge_at` below 0 its groups are kept as they are,
// else only components that gain, or that lose less than a random share of this.
struct Round {
  double sweeps, pools, hot, cold, merge_at;
  u64 seed, number;
  int n_regions;
};

class Search {
 public:
  Search(SearchSpace space, std::vector<i32> labels)
      : space_(space), n_groups_(i32(space.points.n / space.k)), labels_(std::move(labels)), best_(labels_) {}

  const std::vector<i32>& labels() const { return labels_; }
  double sse() const { return sse_; }  // after a round

  // The best of each component of all partitions shown to it.
  const std::vector<i32>& keep_best() {
    const auto sse = [&](std::span<const i32> members) {
      return sse_of(space_.points, members, [](i32 x) { return x; });
    };
    merge_components(best_, labels_, n_groups_, sse, [](double gain) { return gain > 0.0; });
    return best_;
  }

  // Returns the work done, in vectors of eight floats looked at.
  double run(const Round& round, Pool& pool, const Meter& meter) {
    const std::vector<std::vector<i32>> parts = cut(round);
    const i32 n = i32(space_.points.n), count = i32(parts.size());
    std::vector<i32> places(n), regions(n), first(count);
    i32 used = 0;
    for (i32 r = 0; r < count; r++) {
      first[r] = used;
      used += i32(parts[r].size()) / space_.k;
      for (i32 i = 0; i < i32(parts[r].size()); i++) {
        places[parts[r][i]] = i;
        regions[parts[r][i]] = r;
      }
    }
    std::vector<i32> labels(n);
    std::vector<double> work(count), sse(count);
    pool.each(count, 1, [&](i64 r, int) {
      const Region region(space_, parts[r], places, regions);
      Splitmix chance(round.seed, round.number << 32 | u64(r));
      std::vector<i32> found = local_labels(parts[r]);
      std::tie(work[r], sse[r]) = search_region(region, found, round, chance, meter);
      for (i32 i = 0; i < region.n; i++) labels[parts[r][i]] = first[r] + found[i];
    });
    labels_ = std::move(labels);
    sse_ = std::accumulate(sse.begin(), sse.end(), 0.0);
    return std::accumulate(work.begin(), work.end(), 0.0);
  }

 private:
  using Outcome = std::pair<double, double>;  // work, SSE

  static Outcome search_region(const Region& region, std::vector<i32>& labels, const Round& round, Splitmix& chance,
                               const Meter& meter) {
    switch (region.vectors) {
      case 1: return search_groups<1>(region, labels, round, chance, meter);
      case 2: return search_groups<2>(region, labels, round, chance, meter);
      case 3: return search_groups<3>(region, labels, round, chance, meter);
      default: return search_groups<0>(region, labels, round, chance, meter);
    }
  }

  template <int V>
  static Outcome search_groups(const Region& region, std::vector<i32>& labels, const Round& round, Splitmix& chance,
                               const Meter& meter) {
    SearchState<V> groups(region, labels);
    if (round.sweeps > 0.0)
      Annealing<V>(groups, chance).run(i64(round.sweeps * region.n), round.hot, round.cold, meter);
    if (round.pools > 0.0)
      RuinRecreate<V>(groups, chance).run(std::max<i64>(1, i64(round.pools * region.n)), round.hot, meter);
    if (round.merge_at < 0.0) {
      labels = groups.labels();
    } else {
      const auto sse_of = [&](std::span<const i32> members) { return region.sse_of(members); };
      merge_components(labels, groups.labels(), region.n_groups, sse_of, [&](double gain) {
        return gain > 0.0 || (round.merge_at > 0.0 && gain > -round.merge_at * exponential(chance.next()));
      });
      groups.assign(labels);
    }
    return {groups.work, groups.total_sse()};
  }

  // Labels of some records, whole groups, numbered from 0.
  std::vector<i32> local_labels(const std::vector<i32>& records) const {
    std::vector<i32> found(records.size());
    std::unordered_map<i32, i32> numbers;
    numbers.reserve(records.size() / space_.k);
    for (std::size_t i = 0; i < records.size(); i++)
      found[i] = numbers.try_emplace(labels_[records[i]], i32(numbers.size())).first->second;
    return found;
  }

  // Records of every region, in order. Halves of the groups, across the line between two of them drawn at
  // random, are halved again; where between 2/5 and 3/5 is drawn too, or seams would come back.
  std::vector<std::vector<i32>> cut(const Round& round) const {
    const i32 n = i32(space_.points.n);
    const int d = space_.points.d;
    const Listing groups(labels_, n_groups_);
    std::vector<i32> order;
    for (i32 g = 0; g < n_groups_; g++)
      if (!groups[g].empty()) order.push_back(g);
    std::vector<std::pair<i32, i32>> nodes{{0, i32(order.size())}};
    if (round.n_regions > 1) {
      const std::vector<double> centres = centres_of(groups);
      Splitmix chance(round.seed, ~round.number);
      std::vector<double> along(n_groups_), line(d);
      while (int(nodes.size()) < round.n_regions) {
        std::vector<std::pair<i32, i32>> halves;
        for (auto [begin, end] : nodes) {
          const i32 count = end - begin;
          const double *a = &centres[i64(order[begin + i32(chance.below(count))]) * d],
                       *b = &centres[i64(order[begin + i32(chance.below(count))]) * d];
          for (int j = 0; j < d; j++) line[j] = b[j] - a[j];
          for (i32 i = begin; i < end; i++) {
            along[order[i]] = 0.0;
            for (int j = 0; j < d; j++) along[order[i]] += centres[i64(order[i]) * d + j] * line[j];
          }
          const i32 middle = begin + i32(count * (0.4 + 0.2 * chance.unit()));
          std::nth_element(order.begin() + begin, order.begin() + middle, order.begin() + end, [&](i32 g, i32 h) {
            return along[g] < along[h] || (along[g] == along[h] && g < h);
          });
          halves.emplace_back(begin, middle);
          halves.emplace_back(middle, end);
        }
        nodes = std::move(halves);
      }
    }
    std::vector<i32> region_of(n_groups_);
    for (i32 r = 0; r < i32(nodes.size()); r++)
      for (i32 i = nodes[r].first; i < nodes[r].second; i++) region_of[order[i]] = r;
    std::vector<std::vector<i32>> parts(nodes.size());
    for (i32 x = 0; x < n; x++) parts[region_of[labels_[x]]].push_back(x);
    return parts;
  }

  std::vector<double> centres_of(const Listing& groups) const {
    const int d = space_.points.d;
    std::vector<double> centres(i64(n_groups_) * d, 0.0);
    for (i32 g = 0; g < n_groups_; g++) {
      for (i32 x : groups[g])
        for (int j = 0; j < d; j++) centres[i64(g) * d + j] += space_.points[x][j];
      for (int j = 0; j < d; j++) centres[i64(g) * d + j] /= double(std::max<std::size_t>(groups[g].size(), 1));
    }
    return centres;
  }

  const SearchSpace space_;
  const i32 n_groups_;  // at most
  std::vector<i32> labels_, best_;
  double sse_ = 0.0;
};

}  // namespace covey
