// What Python may call. Arrays come in and go out; sizes and kinds are checked here.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "agreement.hpp"
#include "approximate_neighbours.hpp"
#include "border.hpp"
#include "cut_tree.hpp"
#include "diameter.hpp"
#include "domes.hpp"
#include "egmmat.hpp"
#include "held_search.hpp"
#include "iamat.hpp"
#include "linkage.hpp"
#include "mdav.hpp"
#include "median_split.hpp"
#include "mixture.hpp"
#include "pricing.hpp"
#include "radix_sort.hpp"
#include "rgmat.hpp"
#include "univariate.hpp"
#include "vmdav.hpp"

using namespace covey;

namespace {

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

Labels mdav(Matrix points, i64 k, bool two_a_round, bool moving_center, i64 scan_below, int threads, Meters meter) {
  return grouped(points, k, scan_below, threads, meter,
                 [&](Unassigned& left) { Mdav(left, int(k), two_a_round, moving_center).run(); });
}

Labels iamat(Matrix points, i64 k, i64 largest, double gamma, bool moving_center, i64 scan_below, int threads,
             Meters meter) {
  require(largest >= k, "a group may have at least k records");
  return grouped(points, k, scan_below, threads, meter, [&](Unassigned& left) {
    const GrowthRules rules{int(k), int(std::min(largest, left.size())), gamma};
    GrownGroups<IamatGrowth>(left, rules, moving_center).run();
  });
}

Labels vmdav(Matrix points, i64 k, double gamma, i64 scan_below, int threads, Meters meter) {
  return grouped(points, k, scan_below, threads, meter, [&](Unassigned& left) {
    const GrowthRules rules{int(k), int(std::min(2 * k - 1, left.size())), gamma};
    GrownGroups<VmdavGrowth>(left, rules, false).run();
  });
}

Labels mdav_by_diameter(Matrix points, i64 k, i64 scan_below, int threads, Meters meter) {
  return grouped(points, k, scan_below, threads, meter,
                 [&](Unassigned& left) { MdavByDiameter(left, int(k)).run(); });
}

// Records dome by dome; see domes.hpp.
Labels domes(Matrix points, i64 dome_size, i64 scan_below, int threads, Meters meter) {
  std::vector<i64> order;
  require(dome_size >= 2, "a dome has at least two records");
  grouped(points, 2, scan_below, threads, meter,
          [&](Unassigned& left) { order = dome_by_dome(left, std::min(dome_size, left.size())); });
  return as_array(std::move(order));
}

void require_series(double rate, Limits limits) {
  require(rate > 0.0 && rate <= 1.0, "a rate must be above 0 and at most 1");
  require(limits.patience >= 1 && limits.max_epochs >= 0, "limits are out of range");
}

// Random groups inside domes, improved by exchanges; see egmmat.hpp. −1 for the n mod k records left over.
Labels egmmat(Matrix values, Numbers order, i64 k, i64 dome_size, double crossover_rate, double mutation_rate,
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
Labels rgmat(Matrix values, i64 k, double crossover_rate, double mutation_rate, i64 patience, i64 max_epochs, i64 seed,
             int threads, Meters meter) {
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

// Labels after exchanges between leaves and the leaves close to them, row by row.
Labels exchange_leaves(Matrix values, Numbers labels, NumberRows close, i64 k, double rate, i64 patience,
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
  std::vector<i64> sizes(n_groups);
  for (i64 x = 0; x < points.n; x++) sizes[labels.data()[x]]++;
  for (i64 size : sizes) require(size >= k && size < 2 * k, "groups must have k to 2k - 1 records");
  std::vector<i64> found;
  {
    nb::gil_scoped_release others_may_run;
    found = after_leaf_exchanges(points, labels.data(), close.data(), width, rules, Meter(meter.data()));
  }
  return as_array(std::move(found));
}

// Labels of values in any order, in an optimal partition.
Labels optimal_labels(Vector values, i64 k) {
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

Array<double> link_to_released(Matrix originals, Matrix rows, Numbers sizes, Numbers own, i64 scan_below, int threads,
                               Meters meter) {
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

Array<double> link_to_originals(Matrix originals, Matrix rows, Numbers members, Numbers starts, i64 nearest,
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

Array<double> count_patterns(Matrix first, Matrix second, Numbers sizes, double window, Numbers records, int threads,
                             Meters meter) {
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

Array<double> mixture_round(Numbers low, Numbers high, Vector shares, Vector matches_low, Vector matches_high,
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

Array<double> link_by_weight(Matrix first, Matrix second, Numbers sizes, Numbers own, double window, Vector weights,
                             Vector agree, Vector disagree, Matrix columns, NumberRows by_rank, Matrix ranks, int threads,
                             Meters meter) {
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

// Records in an order in which near ones are mostly near each other.
Labels median_order(Matrix values, i64 leaf, int threads, Meters meter) {
  const Points points = as_points(values);
  require(leaf >= 1, "a leaf has at least one record");
  std::vector<i64> order(points.n);
  {
    nb::gil_scoped_release others_may_run;
    Threads held(threads);
    const Halves halves = median_split(points, leaf, held.pool(), Meter(meter.data()));
    std::copy(halves.order.begin(), halves.order.end(), order.begin());
  }
  return as_array(std::move(order));
}

std::pair<Rows<i32>, Rows<double>> approximate_neighbours(Matrix values, i64 count, int trees, i64 leaf, int rounds,
                                                          int friends, i64 seed, int threads, Meters meter) {
  const Points points = as_rows(values);
  require_finite(points.rows, points.n * points.d);  // distances that overflow are the farthest
  require(count >= 1 && count < points.n && count < (1 << 24), "there are not so many neighbours");
  require(trees >= 1 && leaf >= 2 * count + 2, "lists would not be filled");
  require(trees <= 10'000 && rounds >= 0 && rounds <= 10'000, "amounts are out of range");
  require(friends >= 1 && friends <= 4096, "amounts are out of range");
  std::vector<i32> records;
  std::vector<double> squares;
  {
    nb::gil_scoped_release others_may_run;
    Threads held(threads);
    ApproximateNeighbours found(points, int(count), held.pool(), Meter(meter.data()));
    found.find({trees, leaf, rounds, friends, u64(seed)});
    records = found.records();
    squares = found.squares();
  }
  return {as_matrix(std::move(records), count), as_matrix(std::move(squares), count)};
}

// The node of a tree of cuts at which each point ends; see cut_tree.hpp.
Labels cut_tree_leaves(Matrix values, Numbers sides, Vector cuts, Numbers lower, Numbers upper, int threads) {
  const Points points = as_rows(values);
  const i64 n_nodes = i64(sides.shape(0));
  require(n_nodes >= 1 && i64(cuts.shape(0)) == n_nodes && i64(lower.shape(0)) == n_nodes &&
              i64(upper.shape(0)) == n_nodes,
          "lengths differ");
  for (i64 node = 0; node < n_nodes; node++) {
    if (sides.data()[node] < 0) continue;
    const i64 low = lower.data()[node], high = upper.data()[node];
    require(sides.data()[node] < points.d, "a number is out of range");
    require(node < low && low < n_nodes && node < high && high < n_nodes, "nodes come after the one above them");
  }
  std::vector<i64> leaves;
  {
    nb::gil_scoped_release others_may_run;
    Threads held(threads);
    const CutTree tree(n_nodes, sides.data(), cuts.data(), lower.data(), upper.data());
    leaves = tree.leaves_of(points, held.pool());
  }
  return as_array(std::move(leaves));
}

// Lower bounds on the reduced costs below each leader, whether all searches were complete, and the groups found.
std::tuple<Array<double>, bool, Rows<i64>> price_groups(Matrix values, Vector prices, Matrix near, Numbers sizes,
                                                        double limit, i64 patience, i64 kept, int threads,
                                                        Meters meter) {
  const Points points = as_points(values), sums = as_rows(near);
  require(i64(prices.shape(0)) == points.n && sums.n == points.n, "lengths differ");
  require(sizes.shape(0) >= 1 && kept >= 1 && kept <= 10'000, "amounts are out of range");
  require_finite(prices.data(), points.n);
  require_finite(sums.rows, sums.n * sums.d);
  for (std::size_t i = 0; i < sizes.shape(0); i++)
    require(sizes.data()[i] >= 2 && sizes.data()[i] <= sums.d + 1, "sizes are out of range");
  Pricing::Rules rules{{sizes.data(), sizes.data() + sizes.shape(0)}, limit, patience, int(kept)};
  std::vector<double> lower;
  std::vector<i64> groups;
  bool complete;
  int width;
  {
    nb::gil_scoped_release others_may_run;
    Threads held(threads);
    const Pricing::Priced records{points, prices.data(), near.data(), sums.d};
    Finds finds = Pricing(records, rules, held.pool(), Meter(meter.data())).find();
    complete = finds.all_complete();
    width = finds.width;
    groups = finds.groups();
    lower = std::move(finds.lower);
  }
  return {as_array(std::move(lower)), complete, as_matrix(std::move(groups), width)};
}

// Whether this machine, and its system, run what was compiled for AVX2 (x86-64-v3).
bool runs_avx2() {
#if defined(__x86_64__)
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return false;
  const bool fma = c >> 12 & 1, saves_registers = c >> 27 & 1;
  if (!fma || !saves_registers || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) return false;
  const bool bmi1 = b >> 3 & 1, avx2 = b >> 5 & 1, bmi2 = b >> 8 & 1;
  unsigned kept, more;
  asm("xgetbv" : "=a"(kept), "=d"(more) : "c"(0));
  return bmi1 && avx2 && bmi2 && (kept & 6) == 6;
#else
  return false;
#endif
}

}  // namespace

NB_MODULE(COVEY_MODULE, m) {
  using namespace nb::literals;
  nb::exception<Stopped>(m, "Stopped");
  m.def("runs_avx2", &runs_avx2);
  m.def("mdav", &mdav, "points"_a, "k"_a, "two_a_round"_a, "moving_center"_a, "scan_below"_a, "threads"_a,
        "meter"_a.noconvert());
  m.def("iamat", &iamat, "points"_a, "k"_a, "largest"_a, "gamma"_a, "moving_center"_a, "scan_below"_a, "threads"_a,
        "meter"_a.noconvert());
  m.def("mdav_by_diameter", &mdav_by_diameter, "points"_a, "k"_a, "scan_below"_a, "threads"_a, "meter"_a.noconvert());
  m.def("domes", &domes, "points"_a, "dome_size"_a, "scan_below"_a, "threads"_a, "meter"_a.noconvert());
  m.def("egmmat", &egmmat, "points"_a, "order"_a, "k"_a, "dome_size"_a, nb::kw_only(), "crossover_rate"_a,
        "mutation_rate"_a, "patience"_a, "max_epochs"_a, "seed"_a, "threads"_a, "meter"_a.noconvert());
  m.def("rgmat", &rgmat, "points"_a, "k"_a, nb::kw_only(), "crossover_rate"_a, "mutation_rate"_a, "patience"_a,
        "max_epochs"_a, "seed"_a, "threads"_a, "meter"_a.noconvert());
  m.def("exchange_leaves", &exchange_leaves, "points"_a, "labels"_a, "close"_a, "k"_a, nb::kw_only(), "rate"_a,
        "patience"_a, "max_epochs"_a, "seed"_a, "meter"_a.noconvert());
  m.def("optimal_labels", &optimal_labels, "values"_a, "k"_a);
  m.def("link_to_released", &link_to_released, "originals"_a, "rows"_a, "sizes"_a, "own"_a, "scan_below"_a,
        "threads"_a, "meter"_a.noconvert());
  m.def("link_to_originals", &link_to_originals, "originals"_a, "rows"_a, "members"_a, "starts"_a, "nearest"_a,
        "share_ties"_a, "scan_below"_a, "threads"_a, "meter"_a.noconvert());
  m.def("count_patterns", &count_patterns, "first"_a, "second"_a, "sizes"_a, "window"_a, "records"_a, "threads"_a,
        "meter"_a.noconvert());
  m.def("mixture_round", &mixture_round, "low"_a, "high"_a, "shares"_a, "matches_low"_a, "matches_high"_a,
        "others_low"_a, "others_high"_a, "threads"_a);
  m.def("link_by_weight", &link_by_weight, "first"_a, "second"_a, "sizes"_a, "own"_a, "window"_a, "weights"_a,
        "agree"_a, "disagree"_a, "columns"_a, "by_rank"_a, "ranks"_a, "threads"_a, "meter"_a.noconvert());
  m.def("median_order", &median_order, "points"_a, "leaf"_a, "threads"_a, "meter"_a.noconvert());
  m.def("approximate_neighbours", &approximate_neighbours, "points"_a, "count"_a, nb::kw_only(), "trees"_a, "leaf"_a,
        "rounds"_a, "friends"_a, "seed"_a, "threads"_a, "meter"_a.noconvert());
  m.def("cut_tree_leaves", &cut_tree_leaves, "points"_a, "sides"_a, "cuts"_a, "lower"_a, "upper"_a, "threads"_a);
  m.def("price_groups", &price_groups, "points"_a, "prices"_a, "near"_a, "sizes"_a, nb::kw_only(), "limit"_a,
        "patience"_a, "kept"_a, "threads"_a, "meter"_a.noconvert());
  nb::class_<HeldSearch>(m, "Search")
      .def(nb::init<Matrix, Neighbours, i64, Vector, i64, Numbers>(), "points"_a, "neighbours"_a, "n_near"_a,
           "scales"_a, "k"_a, "labels"_a)
      .def("run", &HeldSearch::run, nb::kw_only(), "sweeps"_a, "pools"_a, "hot"_a, "cold"_a, "merge_at"_a, "seed"_a,
           "number"_a, "n_regions"_a, "n_streams"_a, "threads"_a, "meter"_a.noconvert())
      .def("best_sse", &HeldSearch::best_sse)
      .def("labels", &HeldSearch::labels)
      .def("tried", &HeldSearch::tried)
      .def("keep_best", &HeldSearch::keep_best);
  m.def("shared_seconds", [] { return double(SharedTime::total()) * 1e-9; });
  m.def("vmdav", &vmdav, "points"_a, "k"_a, "gamma"_a, "scan_below"_a, "threads"_a, "meter"_a.noconvert());
}
