// The search as Python holds it: an object between rounds.
#pragma once
#include <optional>

#include "border.hpp"
#include "search.hpp"

namespace covey {

// A search that keeps copies of what it was given.
class HeldSearch {
 public:
  HeldSearch(Matrix points, Neighbours neighbours, i64 n_near, Vector scales, i64 k, Numbers labels) {
    const Points given = as_points(points);
    const i64 n = given.n, n_neighbours = i64(neighbours.shape(1));
    require_k(k, n);
    require(i64(neighbours.shape(0)) == n && i64(scales.shape(0)) == n && i64(labels.shape(0)) == n, "lengths differ");
    require(n_neighbours >= 1 && n_neighbours <= 4096, "from 1 to 4096 neighbours");
    require(n_near >= 1 && n_near <= n_neighbours, "n_near is out of range");
    require_indices(neighbours.data(), n * n_neighbours, n);
    require_indices(labels.data(), n, n / k);
    std::vector<i64> sizes(n / k);
    for (i64 x = 0; x < n; x++) sizes[labels.data()[x]]++;
    for (i64 size : sizes) require(size == 0 || (size >= k && size < 2 * k), "groups must have k to 2k - 1 records");
    require_up_to(scales.data(), n, LARGEST_IN_FLOATS * LARGEST_IN_FLOATS);
    require_up_to(given.rows, n * given.d, LARGEST_IN_FLOATS);
    points_.assign(given.rows, given.rows + n * given.d);
    neighbours_.assign(neighbours.data(), neighbours.data() + n * n_neighbours);
    scales_.assign(scales.data(), scales.data() + n);
    const SearchSpace space{{points_.data(), n, given.d}, neighbours_.data(), int(n_neighbours), int(n_near),
                            scales_.data(), int(k)};
    search_.emplace(space, std::vector<i32>(labels.data(), labels.data() + n));
  }

  double run(double sweeps, double pools, double hot, double cold, double merge_at, i64 seed, i64 number,
             i64 n_regions, i64 n_streams, int threads, Meters meter) {
    for (double amount : {sweeps, pools, hot, cold, merge_at}) require(std::isfinite(amount), "amounts must be finite");
    require(sweeps >= 0.0 && pools >= 0.0 && hot > 0.0 && (cold > 0.0 || sweeps == 0.0), "amounts are out of range");
    require(std::max(sweeps, pools) <= MOST_PER_RECORD, "amounts are out of range");
    require(n_regions >= 1 && n_regions <= i64(scales_.size()), "too many regions");
    require(n_streams >= 1 && n_streams <= 256, "from 1 to 256 streams");
    nb::gil_scoped_release others_may_run;
    Threads held(threads);
    return search_->run({sweeps, pools, hot, cold, merge_at, u64(seed), u64(number), int(n_regions), int(n_streams)},
                        held.pool(), Meter(meter.data()));
  }
  double best_sse() const { return search_->best_sse(); }
  Labels labels() const { return as_labels(search_->labels()); }
  Labels tried() const { return as_labels(search_->tried()); }
  Labels keep_best() { return as_labels(search_->keep_best()); }

 private:
  static Labels as_labels(const std::vector<i32>& labels) {
    return as_array(std::vector<i64>(labels.begin(), labels.end()));
  }

  std::vector<double> points_, scales_;
  std::vector<i32> neighbours_;
  std::optional<Search> search_;
};

}  // namespace covey
