// A part of the records, with all that a search over partitions needs to know of them.
//
// Records of a region are numbered from 0 and lie close together in memory, so a region that is worked by
// one thread stays in its cache and shares nothing with others.
#pragma once
#include <span>

#include "floats8.hpp"
#include "points.hpp"

namespace covey {

// All records. Row x of `neighbours` has those nearest to record x, nearest first, of which moves look at the
// first `n_near`; `scales[x]` is what a temperature of one means to it.
struct SearchSpace {
  Points points;
  const i32* neighbours;
  int n_neighbours, n_near;
  const double* scales;
  int k;
};

// SSE of a group of records, where record_of(member) says which they are.
template <class RecordOf>
double sse_of(const Points& points, std::span<const i32> members, RecordOf&& record_of) {
  double total = 0.0;
  for (int j = 0; j < points.d; j++) {
    double mean = 0.0;
    for (i32 x : members) mean += points[record_of(x)][j];
    mean /= double(members.size());
    for (i32 x : members) {
      const double gap = points[record_of(x)][j] - mean;
      total += gap * gap;
    }
  }
  return total;
}

// SSE of a group of records.
struct GroupSse {
  const Points& points;
  double operator()(std::span<const i32> members) const {
    return sse_of(points, members, [](i32 x) { return x; });
  }
};

// The space cut into regions: the records of each in order, and the first number its groups may have; the
// region of each record, and its place there.
struct Regions {
  std::vector<std::vector<i32>> records;
  std::vector<i32> first_group, region_of, places;
};

class Region {
 public:
  Region(const SearchSpace& space, const Regions& regions, i32 number)
      : n(i32(regions.records[number].size())), k(space.k), most(2 * space.k - 1), n_groups(n / space.k),
        vectors((space.points.d + 7) / 8), space_(space), records_(regions.records[number]), scales_(n), starts_(n + 1), near_(n) {
    rows_.assign_zeros(std::size_t(n) * stride());
    neighbours_.resize(std::size_t(n) * space.n_neighbours);
    i32 used = 0;
    for (i32 x = 0; x < n; x++) {
      const i64 record = records_[x];
      scales_[x] = float(space.scales[record]);
      for (int j = 0; j < space.points.d; j++) rows_.get()[i64(x) * stride() + j] = float(space.points[record][j]);
      for (int i = 0; i < space.n_neighbours; i++) {
        const i32 neighbour = space.neighbours[record * space.n_neighbours + i];
        neighbours_[used] = regions.places[neighbour];  // overwritten by the next if it lies elsewhere
        used += regions.region_of[neighbour] == number;
        if (i + 1 == space.n_near) near_[x] = used;
      }
      starts_[x + 1] = used;
    }
  }

  const i32 n;
  const int k, most;   // fewest and most members of a group
  const i32 n_groups;  // at most
  const int vectors;   // of eight floats in a row

  int stride() const { return 8 * vectors; }
  const float* row(i32 x) const { return rows_.get() + i64(x) * stride(); }
  float scale(i32 x) const { return scales_[x]; }
  // Neighbours in the region, nearest first.
  std::span<const i32> neighbours(i32 x) const {
    return {neighbours_.data() + starts_[x], std::size_t(starts_[x + 1] - starts_[x])};
  }

  std::span<const i32> near(i32 x) const {
    return {neighbours_.data() + starts_[x], std::size_t(near_[x] - starts_[x])};
  }

  // SSE in doubles, by which is judged what is kept.
  double sse_of(std::span<const i32> members) const {
    return covey::sse_of(space_.points, members, [this](i32 x) { return records_[x]; });
  }

 private:
  const SearchSpace& space_;
  const std::vector<i32>& records_;
  Aligned<float> rows_;
  std::vector<float> scales_;
  std::vector<i32> neighbours_, starts_, near_;  // near_: where those that moves look at end
};

}  // namespace covey
