// Measures of risk as Python calls them.
#pragma once
#include <nanobind/stl/pair.h>

#include "agreement.hpp"
#include "border.hpp"
#include "by_group.hpp"
#include "interval.hpp"
#include "linkage.hpp"
#include "mixture.hpp"

namespace covey {

// Missing values stand behind all others in an order.
inline void require_missing_last(Points rows, int column, const i64* order) {
  for (i64 place = 1; place < rows.n; place++)
    require(!std::isnan(rows[order[place - 1]][column]) || std::isnan(rows[order[place]][column]),
            "missing values must come last");
}

inline Array<double> link_to_released(Matrix originals, Matrix rows, Numbers sizes, Numbers own, i64 scan_below,
                                      int threads, Meters meter) {
  const Points targets = as_points(originals), candidates = as_points(rows);
  require(targets.d == candidates.d, "originals and rows differ in their coordinates");
  require(i64(sizes.shape(0)) == candidates.n && i64(own.shape(0)) == targets.n, "lengths differ");
  require_indices(own.data(), targets.n, candidates.n);
  require_indices(sizes.data(), candidates.n, MOST_COUNTED);
  std::vector<double> links(targets.n);
  {
    nb::gil_scoped_release others_may_run;
    Threads held(threads);
    Linkage linkage(candidates, sizes.data(), targets, scan_below, held.pool(), Meter(meter.data()));
    linkage.to_own(own.data(), links.data());
  }
  return as_array(std::move(links));
}

inline Array<double> link_to_originals(Matrix originals, Matrix rows, Numbers members, Numbers starts, i64 nearest,
                                       bool share_ties, i64 scan_below, int threads, Meters meter) {
  const Points candidates = as_points(originals), targets = as_points(rows);
  require(targets.d == candidates.d, "originals and rows differ in their coordinates");
  const i64 n_members = i64(members.shape(0));
  require(n_members <= candidates.n && i64(starts.shape(0)) == targets.n + 1, "lengths differ");
  require_once(members.data(), n_members, candidates.n);
  require_indices(starts.data(), targets.n + 1, n_members + 1);
  require(std::is_sorted(starts.data(), starts.data() + targets.n + 1), "starts must not fall");
  std::vector<double> links(candidates.n, 0.0);
  {
    nb::gil_scoped_release others_may_run;
    Threads held(threads);
    Linkage linkage(candidates, nullptr, targets, scan_below, held.pool(), Meter(meter.data()));
    linkage.of_members(members.data(), starts.data(), nearest, share_ties, links.data());
  }
  return as_array(std::move(links));
}

inline Array<double> count_patterns(Matrix first, Matrix second, Numbers sizes, double window, Numbers records,
                                    int threads, Meters meter) {
  const Points a = as_rows(first), b = as_rows(second);
  require(a.d == b.d && b.d <= 24, "patterns are of at most 24 variables");
  require(i64(sizes.shape(0)) == b.n, "lengths differ");
  require_indices(sizes.data(), b.n, MOST_COUNTED);
  require_indices(records.data(), i64(records.shape(0)), a.n);
  std::vector<double> counts;
  {
    nb::gil_scoped_release others_may_run;
    Threads held(threads);
    counts = Agreement(a, b, window, held.pool(), Meter(meter.data()))
                 .count(records.data(), i64(records.shape(0)), sizes.data());
  }
  return as_array(std::move(counts));
}

inline Array<double> mixture_round(Numbers low, Numbers high, Vector shares, Vector matches_low, Vector matches_high,
                                   Vector others_low, Vector others_high, int threads) {
  const i64 n = i64(shares.shape(0)), n_low = i64(matches_low.shape(0)), n_high = i64(matches_high.shape(0));
  require(i64(low.shape(0)) == n && i64(high.shape(0)) == n, "lengths differ");
  require(i64(others_low.shape(0)) == n_low && i64(others_high.shape(0)) == n_high, "lengths differ");
  require_indices(low.data(), n, n_low);
  require_indices(high.data(), n, n_high);
  std::vector<double> sums;
  {
    nb::gil_scoped_release others_may_run;
    Threads held(threads);
    sums = Mixture(low.data(), high.data(), shares.data(), n, n_low, n_high, held.pool())
               .round({matches_low.data(), matches_high.data()}, {others_low.data(), others_high.data()});
  }
  return as_array(std::move(sums));
}

inline Array<double> link_by_weight(Matrix first, Matrix second, Numbers sizes, Numbers own, double window,
                                    Vector weights, Vector agree, Vector disagree, Matrix columns, NumberRows by_rank,
                                    Matrix ranks, int threads, Meters meter) {
  const Points a = as_rows(first), b = as_rows(second);
  require(a.d == b.d && b.d <= 24, "patterns are of at most 24 variables");
  require(i64(sizes.shape(0)) == b.n && i64(own.shape(0)) == a.n, "lengths differ");
  require(i64(weights.shape(0)) == i64(1) << b.d, "lengths differ");
  require(i64(agree.shape(0)) == b.d && i64(disagree.shape(0)) == b.d, "lengths differ");
  require(i64(by_rank.shape(0)) == b.d && i64(by_rank.shape(1)) == b.n, "lengths differ");
  require(i64(ranks.shape(0)) == b.d && i64(ranks.shape(1)) == b.n, "lengths differ");
  require(i64(columns.shape(0)) == b.d && i64(columns.shape(1)) == b.n, "lengths differ");
  require_indices(sizes.data(), b.n, MOST_COUNTED);
  require_indices(own.data(), a.n, b.n);
  require_indices(by_rank.data(), b.d * b.n, b.n);
  std::vector<double> links(a.n);
  {
    nb::gil_scoped_release others_may_run;
    Threads held(threads);
    Agreement(a, b, window, held.pool(), Meter(meter.data()))
        .link(own.data(), sizes.data(),
              {weights.data(), agree.data(), disagree.data(), columns.data(), by_rank.data(), ranks.data()},
              links.data());
  }
  return as_array(std::move(links));
}

// By reach the records, or values, that it is the first to disclose; see interval.hpp.
inline Labels count_disclosed(Matrix original, Matrix released, NumberRows orders, Numbers reaches, bool by_record,
                              int threads) {
  const Points originals = as_rows(original), releases = as_rows(released);
  require(originals.d == releases.d && originals.n == releases.n, "originals and releases differ in their size");
  require(i64(orders.shape(0)) == originals.d && i64(orders.shape(1)) == originals.n, "lengths differ");
  for (i64 j = 0; j < originals.d; j++) require_once(orders.data() + j * originals.n, originals.n, originals.n);
  const std::vector<i64> rising(reaches.data(), reaches.data() + reaches.shape(0));
  require_indices(rising.data(), i64(rising.size()), MOST_COUNTED);
  require(std::is_sorted(rising.begin(), rising.end()), "reaches must not fall");
  for (i64 j = 0; j < originals.d; j++) require_missing_last(releases, int(j), orders.data() + j * originals.n);
  std::vector<i64> counts;
  {
    nb::gil_scoped_release others_may_run;
    Threads held(threads);
    counts = Intervals(originals, releases, orders.data(), held.pool()).count(rising, by_record);
  }
  return as_array(std::move(counts));
}

// The groups that labels from 0 to n_groups − 1 stand for.
inline void require_labels(const Numbers& labels, i64 n_groups) {
  const i64 n = i64(labels.shape(0));
  require(n < (i64(1) << 31), "at most 2**31 records at once");
  require(n_groups >= 0 && n_groups <= n, "there are more groups than records");
  require_indices(labels.data(), n, n_groups);
}

// The mean of every group, in the units of the values.
inline Rows<double> group_means(Matrix values, Numbers labels, i64 n_groups, int threads) {
  const Points points = as_rows(values);
  require(i64(labels.shape(0)) == points.n, "lengths differ");
  require_labels(labels, n_groups);
  std::vector<double> means;
  {
    nb::gil_scoped_release others_may_run;
    Threads held(threads);
    means = means_of(points, ByGroup(labels.data(), points.n, n_groups), held.pool());
  }
  return as_matrix(std::move(means), points.d);
}

// Of every group the number of different codes and their entropy.
inline std::pair<Labels, Array<double>> group_diversity(Numbers labels, Numbers codes, i64 n_groups, int threads) {
  const i64 n = i64(labels.shape(0));
  require(i64(codes.shape(0)) == n, "lengths differ");
  require_labels(labels, n_groups);
  GroupDiversity found;
  {
    nb::gil_scoped_release others_may_run;
    Threads held(threads);
    found = diversity_of(codes.data(), ByGroup(labels.data(), n, n_groups), held.pool());
  }
  return {as_array(std::move(found.distinct)), as_array(std::move(found.entropy))};
}

}  // namespace covey
