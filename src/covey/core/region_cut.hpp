// The space cut into regions along lines drawn at random. Groups stay whole.
#pragma once
#include "component_merge.hpp"
#include "pool.hpp"
#include "region.hpp"
#include "splitmix.hpp"

namespace covey {

class RegionCut {
 public:
  RegionCut(const SearchSpace& space, const std::vector<i32>& labels, i32 n_groups, Pool& pool)
      : space_(space), labels_(labels), n_groups_(n_groups), groups_(labels, n_groups), pool_(pool) {}

  Regions into(int n_regions, Splitmix& chance) const {
    const std::vector<i32> region_of = regions_of(n_regions, chance);
    Regions cut;
    cut.records.resize(*std::max_element(region_of.begin(), region_of.end()) + 1);
    cut.places.resize(labels_.size());
    cut.region_of.resize(labels_.size());
    for (i32 x = 0; x < i32(labels_.size()); x++) {
      cut.region_of[x] = region_of[labels_[x]];
      std::vector<i32>& records = cut.records[cut.region_of[x]];
      cut.places[x] = i32(records.size());
      records.push_back(x);
    }
    i32 used = 0;
    for (const std::vector<i32>& records : cut.records) {
      cut.first_group.push_back(used);
      used += i32(records.size()) / space_.k;
    }
    return cut;
  }

 private:
  // The region of each group: halves of the groups are halved again, until there are enough.
  std::vector<i32> regions_of(int n_regions, Splitmix& chance) const {
    std::vector<i32> order;
    for (i32 g = 0; g < n_groups_; g++)
      if (!groups_[g].empty()) order.push_back(g);
    std::vector<i32> ends{i32(order.size())};
    const std::vector<double> centres = n_regions > 1 ? group_centres() : std::vector<double>{};
    while (i32(ends.size()) < n_regions) {
      // Parts draw from streams of their own, so they can be halved side by side.
      const u64 level = chance.next();
      std::vector<i32> halves(2 * ends.size());
      pool_.each(i64(ends.size()), 1, [&](i64 part, int) {
        const i32 begin = part == 0 ? 0 : ends[part - 1], end = ends[part];
        halves[2 * part] = begin + halve(std::span(order).subspan(begin, end - begin), centres, Splitmix(level, part));
        halves[2 * part + 1] = end;
      });
      ends = std::move(halves);
    }
    std::vector<i32> region_of(n_groups_, 0);
    for (i32 r = 0, i = 0; r < i32(ends.size()); r++)
      for (; i < ends[r]; i++) region_of[order[i]] = r;
    return region_of;
  }

  // Bring the groups on one side of a line to the front; returns how many there are. The line is across that
  // between two groups drawn at random; where between 2/5 and 3/5 is drawn too, or seams would come back.
  i32 halve(std::span<i32> groups, const std::vector<double>& centres, Splitmix chance) const {
    if (groups.size() < 2) return i32(groups.size());
    const int d = space_.points.d;
    const double *a = &centres[i64(groups[chance.below(groups.size())]) * d],
                 *b = &centres[i64(groups[chance.below(groups.size())]) * d];
    std::vector<std::pair<double, i32>> along;
    along.reserve(groups.size());
    for (i32 g : groups) {
      double place = 0.0;
      for (int j = 0; j < d; j++) place += centres[i64(g) * d + j] * (b[j] - a[j]);
      along.emplace_back(place, g);
    }
    const i32 middle = i32(double(groups.size()) * (0.4 + 0.2 * chance.unit()));
    std::nth_element(along.begin(), along.begin() + middle, along.end());
    for (std::size_t i = 0; i < groups.size(); i++) groups[i] = along[i].second;
    return middle;
  }

  std::vector<double> group_centres() const {
    const int d = space_.points.d;
    std::vector<double> centres(i64(n_groups_) * d, 0.0);
    pool_.each(n_groups_, 256, [&](i64 g, int) {
      double* centre = &centres[g * d];
      for (i32 x : groups_[i32(g)])
        for (int j = 0; j < d; j++) centre[j] += space_.points[x][j];
      for (int j = 0; j < d; j++) centre[j] /= double(std::max<std::size_t>(groups_[i32(g)].size(), 1));
    });
    return centres;
  }

  const SearchSpace& space_;
  const std::vector<i32>& labels_;
  const i32 n_groups_;  // labels are below this
  const Listing groups_;
  Pool& pool_;
};

}  // namespace covey
