// The techniques as Python calls them.
#pragma once
#include "border.hpp"
#include "diameter.hpp"
#include "domes.hpp"
#include "egmmat.hpp"
#include "iamat.hpp"
#include "mdav.hpp"
#include "radix_sort.hpp"
#include "rgmat.hpp"
#include "univariate.hpp"
#include "vmdav.hpp"
#include "windows.hpp"

namespace covey {

// Group all records: `work` fills the labels, −1 for a rest that no group was formed of.
template <class Work>
Labels grouped(const Matrix& values, i64 k, i64 scan_below, int threads, Meters& meter, Work&& work) {
  const Points points = as_points(values);
  require_k(k, points.n);
  std::vector<i64> labels(points.n);
  {
    nb::gil_scoped_release others_may_run;
    Threads held(threads);
    Unassigned left(points, scan_below, held.pool(), labels.data(), Meter(meter.data()));
    work(left);
  }
  return as_array(std::move(labels));
}

inline Labels mdav(Matrix points, i64 k, bool two_a_round, bool moving_center, i64 scan_below, int threads,
                   Meters meter) {
  return grouped(points, k, scan_below, threads, meter,
                 [&](Unassigned& left) { Mdav(left, int(k), two_a_round, moving_center).run(); });
}

inline Labels iamat(Matrix points, i64 k, i64 largest, double gamma, bool moving_center, i64 scan_below, int threads,
                    Meters meter) {
  require(largest >= k, "a group may have at least k records");
  return grouped(points, k, scan_below, threads, meter, [&](Unassigned& left) {
    const GrowthRules rules{int(k), int(std::min(largest, left.size())), gamma};
    GrownGroups<IamatGrowth>(left, rules, moving_center).run();
  });
}

inline Labels vmdav(Matrix points, i64 k, double gamma, i64 scan_below, int threads, Meters meter) {
  return grouped(points, k, scan_below, threads, meter, [&](Unassigned& left) {
    const GrowthRules rules{int(k), int(std::min(2 * k - 1, left.size())), gamma};
    GrownGroups<VmdavGrowth>(left, rules, false).run();
  });
}

inline Labels mdav_by_diameter(Matrix points, i64 k, i64 scan_below, int threads, Meters meter) {
  return grouped(points, k, scan_below, threads, meter,
                 [&](Unassigned& left) { MdavByDiameter(left, int(k)).run(); });
}

// Records dome by dome; see domes.hpp.
inline Labels domes(Matrix points, i64 dome_size, i64 scan_below, int threads, Meters meter) {
  std::vector<i64> order;
  require(dome_size >= 2, "a dome has at least two records");
  grouped(points, 2, scan_below, threads, meter,
          [&](Unassigned& left) { order = dome_by_dome(left, std::min(dome_size, left.size())); });
  return as_array(std::move(order));
}

inline void require_series(double rate, Limits limits) {
  require(rate > 0.0 && rate <= 1.0, "a rate must be above 0 and at most 1");
  require(limits.patience >= 1 && limits.max_epochs >= 0, "limits are out of range");
}

// Random groups inside domes, improved by exchanges; see egmmat.hpp. −1 for the n mod k records left over.
inline Labels egmmat(Matrix values, Numbers order, i64 k, i64 dome_size, double crossover_rate, double mutation_rate,
                     i64 patience, i64 max_epochs, i64 seed, int threads, Meters meter) {
  const Points points = as_points(values);
  const EgmmatRules rules{k, dome_size, {crossover_rate, mutation_rate}, {patience, max_epochs}, u64(seed)};
  require_k(k, points.n);
  require(dome_size >= k && dome_size % k == 0, "the size of a dome must be a multiple of k");
  for (double rate : rules.rates) require_series(rate, rules.limits);
  require(i64(order.shape(0)) == points.n, "lengths differ");
  require_once(order.data(), points.n, points.n);
  std::vector<i64> labels;
  {
    nb::gil_scoped_release others_may_run;
    Threads held(threads);
    labels = Egmmat(points, order.data(), rules, held.pool(), Meter(meter.data())).run();
  }
  return as_array(std::move(labels));
}

// Leaves of RGMAT's recursion after mutation; see rgmat.hpp.
inline Labels rgmat(Matrix values, i64 k, double crossover_rate, double mutation_rate, i64 patience, i64 max_epochs,
                    i64 seed, int threads, Meters meter) {
  const Points points = as_points(values);
  const RgmatRules rules{k, crossover_rate, {patience, max_epochs}, u64(seed)};
  require_k(k, points.n);
  for (double rate : {crossover_rate, mutation_rate}) require_series(rate, rules.limits);
  std::vector<i64> labels;
  {
    nb::gil_scoped_release others_may_run;
    Threads held(threads);
    labels = rgmat_leaves(points, rules, mutation_rate, held.pool(), Meter(meter.data()));
  }
  return as_array(std::move(labels));
}

inline void require_sizes(const Numbers& labels, i64 n_groups, i64 k) {
  std::vector<i64> sizes(n_groups);
  for (std::size_t x = 0; x < labels.shape(0); x++) sizes[labels.data()[x]]++;
  for (i64 size : sizes) require(size >= k && size < 2 * k, "groups must have k to 2k - 1 records");
}

// Labels after exchanges between leaves and the leaves close to them, row by row.
inline Labels exchange_leaves(Matrix values, Numbers labels, NumberRows close, i64 k, double rate, i64 patience,
                              i64 max_epochs, i64 seed, Meters meter) {
  const Points points = as_points(values);
  const RgmatRules rules{k, rate, {patience, max_epochs}, u64(seed)};
  const i64 n_groups = i64(close.shape(0)), width = i64(close.shape(1));
  require_k(k, points.n);
  require_series(rate, rules.limits);
  require(i64(labels.shape(0)) == points.n, "lengths differ");
  require(width >= 1, "a leaf needs a neighbour");
  require_indices(labels.data(), points.n, n_groups);
  require_indices(close.data(), n_groups * width, n_groups);
  require_sizes(labels, n_groups, k);
  std::vector<i64> found;
  {
    nb::gil_scoped_release others_may_run;
    found = after_leaf_exchanges(points, labels.data(), close.data(), width, rules, Meter(meter.data()));
  }
  return as_array(std::move(found));
}

// Labels after exchanges and relocations in small windows of the space; see windows.hpp.
inline Labels windows(Matrix values, Numbers labels, i64 k, i64 groups, i64 sweeps, int passes, i64 seed, int threads,
                      Meters meter) {
  const Points points = as_points(values);
  require_k(k, points.n);
  require(groups >= 2 && groups <= 1024, "windows are of 2 to 1024 groups");
  require(sweeps >= 0 && passes >= 1 && passes <= 10'000, "amounts are out of range");
  require(i64(labels.shape(0)) == points.n, "lengths differ");
  require_indices(labels.data(), points.n, points.n / k);
  const i64 n_groups = 1 + *std::max_element(labels.data(), labels.data() + points.n);
  require_sizes(labels, n_groups, k);
  std::vector<i64> found;
  {
    nb::gil_scoped_release others_may_run;
    Threads held(threads);
    GroupLists lists(points, labels.data(), n_groups, k);
    Windows(lists, {groups, sweeps, passes, u64(seed)}, held.pool(), Meter(meter.data())).run();
    found = lists.labels();
  }
  return as_array(std::move(found));
}

// Labels of values in any order, in an optimal partition.
inline Labels optimal_labels(Vector values, i64 k) {
  const i64 n = i64(values.shape(0));
  require_k(k, n);
  require_finite(values.data(), n);
  const auto [least, most] = std::minmax_element(values.data(), values.data() + n);
  require(*most - *least <= LARGEST, "values must not be so far apart");
  std::vector<i64> labels(n);
  {
    nb::gil_scoped_release others_may_run;
    const std::vector<i64> order = stable_order(values.data(), n);
    std::vector<double> sorted(n);
    for (i64 i = 0; i < n; i++) sorted[i] = values.data()[order[i]];
    const std::vector<i64> found = UnivariatePath(sorted.data(), n, k).labels();
    for (i64 i = 0; i < n; i++) labels[order[i]] = found[i];
  }
  return as_array(std::move(labels));
}

}  // namespace covey
